/** Definitions that a broken tree lost: those that the generic scan finds on lines of its error nodes. */
import type { Reference, SymbolRecord } from '../model/symbol.ts';
import { scanDefinitions } from './generic-scan.ts';

export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface Recovered {
  readonly symbols: readonly SymbolRecord[];
  readonly references: readonly Reference[];
}

export function recoverDefinitions(
  text: string,
  broken: readonly LineRange[],
  symbols: readonly SymbolRecord[],
  references: readonly Reference[],
  separator: string,
): Recovered {
  const known = new Set(symbols.map((symbol) => symbol.nameLine));
  const scanned = scanDefinitions(text).filter(
    ({ nameLine }) => !known.has(nameLine) && broken.some(({ from, to }) => from <= nameLine && nameLine <= to),
  );
  if (scanned.length === 0) return { symbols, references };
  return merge(symbols, references, scanned, separator);
}

/** In source order again, with parents and references pointing at the new places. */
function merge(
  symbols: readonly SymbolRecord[],
  references: readonly Reference[],
  scanned: readonly SymbolRecord[],
  separator: string,
): Recovered {
  const order = [
    ...symbols.map((symbol, old) => ({ symbol, old })),
    ...scanned.map((symbol) => ({ symbol, old: -1 })),
  ].sort((a, b) => a.symbol.startLine - b.symbol.startLine || b.symbol.endLine - a.symbol.endLine || a.old - b.old);
  const moved = new Int32Array(symbols.length);
  order.forEach(({ old }, index) => {
    if (old >= 0) moved[old] = index;
  });
  const merged: SymbolRecord[] = [];
  for (const { symbol, old } of order) {
    if (old >= 0) {
      const parent = symbol.parent < 0 ? -1 : moved[symbol.parent]!;
      // Definitions that begin together keep their order, so a parent stays in front; where it would not, it is let go.
      merged.push({ ...symbol, parent: parent < merged.length ? parent : -1 });
    } else {
      const parent = merged.findLastIndex(
        (other) => other.startLine < symbol.startLine && other.endLine >= symbol.endLine,
      );
      const outer = parent < 0 ? '' : merged[parent]!.qualifiedName + separator;
      merged.push({ ...symbol, parent, qualifiedName: outer + symbol.name });
    }
  }
  return {
    symbols: merged,
    references: references.map((reference) =>
      reference.from < 0 ? reference : { ...reference, from: moved[reference.from]! },
    ),
  };
}
