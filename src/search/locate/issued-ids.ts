/**
 * Ids that answers of this process have named, with what an id alone does not tell: of a stable id the name, so that a
 * follow-up looks at the symbols of that name alone; of a result where it ended and what it was named for, since a
 * result may be several chunks, and a chunk holds several symbols. What was named last is kept: while somebody edits,
 * contents and so their ids are new with every answer.
 */
import { modulePathOf } from '../../languages/module-path.ts';
import { stableSymbolId } from '../../model/records/ids.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { nameKey } from '../../model/text/terms.ts';

/** More answers than an agent goes back to, in a megabyte or two. */
const KEPT = 10_000;
const names = new Map<string, string>();

export interface ShownResult {
  /** Ordinal of the last chunk. */
  readonly lastChunk: number;
  /** Ordinals of the symbols that it showed, the one that it was named after first. */
  readonly symbols: readonly number[];
}
const results = new Map<string, ShownResult>();

function keep<T>(map: Map<string, T>, id: string, value: T): void {
  map.delete(id);
  if (map.size >= KEPT) map.delete(map.keys().next().value!);
  map.set(id, value);
}

/** A file as far as it decides about the identity of its symbols. */
export interface SymbolFile {
  readonly language: string;
  readonly path: string;
  readonly package: string;
}

/** `parent`: what the symbol stands in. */
export function stableIdIn(file: SymbolFile, symbol: SymbolRecord, parent: SymbolRecord | null | undefined): string {
  const modulePath = modulePathOf(file.language, file.path, file.package, parent?.name ?? '');
  return stableSymbolId(file.language, modulePath, symbol, parent?.kind === 'extension' ? parent.signature : '');
}

export function issueStableId(file: SymbolFile, symbol: SymbolRecord, parent: SymbolRecord | null | undefined): string {
  const id = stableIdIn(file, symbol, parent);
  keep(names, id, nameKey(symbol.name) || symbol.name);
  return id;
}

/** As the symbols' postings have it; null where the id was not named here. */
export function issuedName(id: string): string | null {
  return names.get(id) ?? null;
}

/** `plain`: the id alone leads back to all of it. */
export function issueResultId(id: string, shown: ShownResult, plain: boolean): string {
  if (plain) results.delete(id);
  else keep(results, id, shown);
  return id;
}

/** Null where the id alone tells, or no answer of this process had it. */
export function issuedResult(id: string): ShownResult | null {
  return results.get(id) ?? null;
}
