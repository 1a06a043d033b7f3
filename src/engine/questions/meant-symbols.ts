/**
 * Picks the symbols that a name means: the program's own first, definitions before declarations. Tells what else the
 * name or a path may mean.
 */
import { basename } from 'node:path/posix';
import type { SymbolGraph } from '../../graph/index.ts';
import { EngineError, ErrorWithFix } from '../../model/records/engine-errors.ts';
import type { LocatedSymbol } from '../../model/records/query.ts';
import type { TreeView } from '../../store/store.ts';

export const MAX_OTHERS = 5;

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

/** The notice about symbols of the same name that are not meant. */
export function namesakeNotices(others: readonly LocatedSymbol[]): string[] {
  if (others.length === 0) return [];
  const shown = others
    .slice(0, MAX_OTHERS)
    .map(({ qualifiedName, path, startLine }) => `${qualifiedName} (${path}:${startLine})`);
  const more = others.length > MAX_OTHERS ? ` and ${others.length - MAX_OTHERS} more` : '';
  return [`Others have that name: ${shown.join(', ')}${more}. Pass a qualified name or an id to mean one.`];
}

/** The error names the indexed files of that name, wherever they lie. */
export function fileNotFound(view: TreeView, path: string): EngineError {
  const name = `/${basename(path)}`;
  const near = view.files
    .flatMap(({ path: other }) => (`/${other}`.endsWith(name) ? [other] : []))
    .slice(0, MAX_OTHERS);
  if (near.length === 0) return new EngineError('file_not_found', { path });
  return new ErrorWithFix('file_not_found', { path }, `Files of that name: ${near.join(', ')}.`);
}
