/** Definitions that a broken tree lost: those that the generic scan finds on lines of its error nodes. */
import { CONTAINER_KINDS, type Reference, type SymbolRecord } from '../../../model/records/symbol.ts';
import type { LanguageDescriptor } from '../../language.ts';
import { scanDefinitions } from './generic-scan.ts';

export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface Recovered {
  readonly symbols: readonly SymbolRecord[];
  readonly references: readonly Reference[];
}

/** A package or namespace of a whole file is no definition in it. */
const PACKAGE = /^(?:package\b|namespace [^{]*;)/;

export function recoverDefinitions(
  text: string,
  broken: readonly LineRange[],
  symbols: readonly SymbolRecord[],
  references: readonly Reference[],
  { separator, typedHeads }: LanguageDescriptor,
): Recovered {
  const known = new Set(symbols.map((symbol) => symbol.nameLine));
  const scanned = scanDefinitions(text, { typedHeads }).filter(
    ({ nameLine, signature }) =>
      !known.has(nameLine) &&
      !PACKAGE.test(signature) &&
      broken.some(({ from, to }) => from <= nameLine && nameLine <= to),
  );
  if (scanned.length === 0) return { symbols, references };
  return merge(symbols, references, scanned, separator, text.split('\n'));
}

/** In source order again, with parents and references pointing at the new places. */
function merge(
  symbols: readonly SymbolRecord[],
  references: readonly Reference[],
  scanned: readonly SymbolRecord[],
  separator: string,
  lines: readonly string[],
): Recovered {
  const indentOf = ({ startLine }: SymbolRecord): number => lines[startLine - 1]?.search(/\S/) ?? 0;
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
      const indent = indentOf(symbol);
      // Where a brace is missing, a definition seems to hold what follows it; what it really holds stands deeper.
      const parent = merged.findLastIndex(
        (other) =>
          other.startLine < symbol.startLine &&
          other.endLine >= symbol.endLine &&
          (other.kind === 'module' || indentOf(other) < indent),
      );
      const outer = parent < 0 ? '' : merged[parent]!.qualifiedName + separator;
      // Without a parent the scan knows no more than what stands in front of the name itself.
      const own = symbol.parent < 0 ? symbol.qualifiedName : symbol.name;
      const isMember = own !== symbol.name || (parent >= 0 && CONTAINER_KINDS.has(merged[parent]!.kind));
      const kind = symbol.kind === 'function' && isMember ? 'method' : symbol.kind;
      merged.push({ ...symbol, kind, parent, qualifiedName: outer + own });
    }
  }
  return {
    symbols: merged,
    references: references.map((reference) =>
      reference.from < 0 ? reference : { ...reference, from: moved[reference.from]! },
    ),
  };
}
