/** Picks the symbols that a name means: the program's own first, definitions before declarations. */
import type { SymbolGraph } from '../../graph/index.ts';
import type { LocatedSymbol } from '../../model/records/query.ts';
import type { TreeView } from '../../store/store.ts';

interface GraphAndView {
  readonly graph: SymbolGraph;
  readonly view: TreeView;
}

/** Symbols with exactly this name, otherwise in their given order. */
export function meantSymbols({ graph, view }: GraphAndView, symbols: readonly LocatedSymbol[]): LocatedSymbol[] {
  const rank = (symbol: LocatedSymbol) =>
    (graph.isOwnProgram(view.indexOfPath(symbol.path)) ? 0 : 2) + Number(isDeclaration(symbol));
  return symbols
    .filter(({ match }) => match === 'exact' || match === 'qualified')
    .map((symbol) => ({ symbol, rank: rank(symbol) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ symbol }) => symbol);
}

/** True for a symbol without a body, such as a prototype in a header. */
export function isDeclaration({ signature }: LocatedSymbol): boolean {
  return signature.endsWith(';');
}
