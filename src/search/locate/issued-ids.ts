/**
 * Remembers data of issued ids that the id itself does not contain: the symbol name of a stable id, so that a follow-up
 * compares only symbols of that name; the last chunk and the symbols of a result, which may span chunks. Only recent
 * ids are kept, because every edit makes new ones.
 */
import { modulePathOf } from '../../languages/module-path.ts';
import { stableSymbolId } from '../../model/records/ids.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { nameKey } from '../../model/text/terms.ts';

/** More ids than an agent returns to; they take one or two megabytes. */
const MAX_ISSUED = 10_000;
const names = new Map<string, string>();

export interface ShownResult {
  /** Ordinal of the last chunk. */
  readonly lastChunk: number;
  /** Ordinals of the symbols shown, the one that named the result first. */
  readonly symbols: readonly number[];
}
const results = new Map<string, ShownResult>();

function rememberRecent<T>(map: Map<string, T>, id: string, value: T): void {
  map.delete(id);
  if (map.size >= MAX_ISSUED) map.delete(map.keys().next().value!);
  map.set(id, value);
}

/** The fields of a file that are part of its symbols' stable ids. */
export interface SymbolFile {
  readonly language: string;
  readonly path: string;
  readonly package: string;
}

/** `parent`: the container of the symbol. */
export function stableIdIn(file: SymbolFile, symbol: SymbolRecord, parent: SymbolRecord | null | undefined): string {
  const modulePath = modulePathOf(file.language, file.path, file.package, parent?.name ?? '');
  return stableSymbolId(file.language, modulePath, symbol, parent?.kind === 'extension' ? parent.signature : '');
}

export function issueStableId(file: SymbolFile, symbol: SymbolRecord, parent: SymbolRecord | null | undefined): string {
  const id = stableIdIn(file, symbol, parent);
  rememberRecent(names, id, nameKey(symbol.name) || symbol.name);
  return id;
}

/** The symbol's name as nameKey; null if this process did not issue the id. */
export function issuedName(id: string): string | null {
  return names.get(id) ?? null;
}

/** `isSelfContained`: the id alone is enough to find the result again. */
export function issueResultId(id: string, shown: ShownResult, isSelfContained: boolean): string {
  if (isSelfContained) results.delete(id);
  else rememberRecent(results, id, shown);
  return id;
}

/** Null if the id alone is enough, or if this process did not issue it. */
export function issuedResult(id: string): ShownResult | null {
  return results.get(id) ?? null;
}
