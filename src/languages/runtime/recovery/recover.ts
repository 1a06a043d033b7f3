/** Recovers definitions that a broken tree lost: those that the generic scan finds on the lines of error nodes. */
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

/** A package or namespace for a whole file is no definition. */
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

/** Merges symbols in source order and updates ordinals of parents and references. */
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
      // Definitions with the same start keep their order, so that a parent precedes its children; a parent that would
      // not is dropped.
      merged.push({ ...symbol, parent: parent < merged.length ? parent : -1 });
    } else {
      const indent = indentOf(symbol);
      // After a missing brace, a definition seems to contain what follows it; its real content is indented deeper.
      const parent = merged.findLastIndex(
        (other) =>
          other.startLine < symbol.startLine &&
          other.endLine >= symbol.endLine &&
          (other.kind === 'module' || indentOf(other) < indent),
      );
      const outer = parent < 0 ? '' : merged[parent]!.qualifiedName + separator;
      // Without a parent, the scan knows only the text before the name.
      const ownName = symbol.parent < 0 ? symbol.qualifiedName : symbol.name;
      const isMember = ownName !== symbol.name || (parent >= 0 && CONTAINER_KINDS.has(merged[parent]!.kind));
      const kind = symbol.kind === 'function' && isMember ? 'method' : symbol.kind;
      merged.push({ ...symbol, kind, parent, qualifiedName: outer + ownName });
    }
  }
  return {
    symbols: merged,
    references: references.map((reference) =>
      reference.from < 0 ? reference : { ...reference, from: moved[reference.from]! },
    ),
  };
}
