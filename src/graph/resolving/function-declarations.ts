/**
 * Groups the declarations of one function: overload signatures with the body that follows them, clauses, redefinitions.
 * A reference to one of them is a reference to all.
 */
import { CONTAINER_KINDS } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { isVisibleAt } from '../reading/find-local.ts';
import { FUNCTION_KINDS } from './kinds.ts';

/** The group of a declaration, in the order of the file. */
export function functionDeclarations(tree: GraphTree, place: SymbolPlace): readonly SymbolPlace[] {
  const { file } = place;
  const table = tree.table(file);
  const symbol = table.symbols[place.ordinal]!;
  const named = table.byName.get(symbol.name)!;
  const rules = tree.rules(file);
  if (named.length < 2 || rules.overloads || !FUNCTION_KINDS.has(symbol.kind)) return [place];
  const parent = table.symbols[symbol.parent];
  // Two object literals may each have a method of this name.
  if (rules.objectMembers && symbol.kind === 'method' && !(parent && CONTAINER_KINDS.has(parent.kind))) return [place];
  const siblings = table.symbols.flatMap((each, ordinal) => (each.parent === symbol.parent ? [ordinal] : []));
  const belongs = (ordinal: number | undefined) =>
    ordinal !== undefined &&
    table.symbols[ordinal]!.name === symbol.name &&
    FUNCTION_KINDS.has(table.symbols[ordinal]!.kind) &&
    (!rules.blockDefinitions || isVisibleAt(tree.lines(file), table.symbols[ordinal]!.startLine, symbol.startLine));
  const at = siblings.indexOf(place.ordinal);
  let [first, last] = [at, at];
  while (belongs(siblings[first - 1])) first--;
  while (belongs(siblings[last + 1])) last++;
  return siblings.slice(first, last + 1).map((ordinal) => ({ file, ordinal }));
}
