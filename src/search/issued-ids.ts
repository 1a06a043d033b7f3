/** Stable ids that answers of this process have named, with the name behind each: a follow-up then looks at the symbols of that name alone. */
import { stableSymbolId } from '../model/ids.ts';
import type { SymbolRecord } from '../model/symbol.ts';
import { nameKey } from '../model/terms.ts';

const KEPT = 50_000;
const names = new Map<string, string>();

export function issueStableId(language: string, packageName: string, symbol: SymbolRecord): string {
  const id = stableSymbolId(language, packageName, symbol);
  if (names.size >= KEPT && !names.has(id)) names.delete(names.keys().next().value!);
  names.set(id, nameKey(symbol.name) || symbol.name);
  return id;
}

/** As the symbols' postings have it; null where the id was not named here. */
export function issuedName(id: string): string | null {
  return names.get(id) ?? null;
}
