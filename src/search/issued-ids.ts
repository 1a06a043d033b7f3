/**
 * Ids that answers of this process have named, with what was behind each: of a stable id the name, so that a follow-up looks at the symbols of
 * that name alone; of a result what it showed, since a chunk holds several symbols and a result may be several chunks.
 */
import { stableSymbolId } from '../model/ids.ts';
import type { SymbolRecord } from '../model/symbol.ts';
import { nameKey } from '../model/terms.ts';

const KEPT = 50_000;
const names = new Map<string, string>();

export interface ShownResult {
  /** Ordinals of the last chunk, and of the symbols, the one that gave the result its name first. */
  readonly lastChunk: number;
  readonly symbols: readonly number[];
}
const results = new Map<string, ShownResult>();

function keep<T>(map: Map<string, T>, id: string, value: T): void {
  if (map.size >= KEPT && !map.has(id)) map.delete(map.keys().next().value!);
  map.set(id, value);
}

export function issueStableId(language: string, packageName: string, symbol: SymbolRecord): string {
  const id = stableSymbolId(language, packageName, symbol);
  keep(names, id, nameKey(symbol.name) || symbol.name);
  return id;
}

/** As the symbols' postings have it; null where the id was not named here. */
export function issuedName(id: string): string | null {
  return names.get(id) ?? null;
}

export function issueResultId(id: string, shown: ShownResult): string {
  keep(results, id, shown);
  return id;
}

/** Null where no answer of this process had the id. */
export function issuedResult(id: string): ShownResult | null {
  return results.get(id) ?? null;
}
