/**
 * Structural interfaces (Go): a type implements an interface if it has all of its methods, with the same parameters and
 * results. No declaration says so.
 */

import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { distinct, keyOf } from '../symbol-place.ts';
import type { Types } from './types.ts';

type ShapeOf = (signature: string, name: string) => string;

/**
 * Types of the tree that implement an interface structurally, in the order of their places. None where the interface
 * embeds one that is not in the tree: its methods are unknown.
 */
export function structuralImplementers(tree: GraphTree, types: Types, target: SymbolPlace): SymbolPlace[] {
  const { kind } = tree.symbol(target);
  const shapeOf = tree.rules(target.file).methodShape;
  if (!shapeOf || kind !== 'interface' || !types.isClosed(target)) return [];
  const required = [...requiredMethods(tree, types, target, shapeOf, new Set())];
  const isMethod = (place: SymbolPlace, shape: string) => {
    const symbol = tree.symbol(place);
    return symbol.kind === 'method' && shapeOf(symbol.signature, symbol.name) === shape;
  };
  // A type that has all methods from embedded types is found through those, so one method of its own is enough here.
  const owners = required
    .flatMap(([name, shape]) => tree.named(name, tree.related(target.file)).filter((place) => isMethod(place, shape)))
    .flatMap((place) => types.ownerOf(place) ?? []);
  return distinct(owners)
    .filter((type) => tree.symbol(type).kind !== 'interface')
    .filter((type) =>
      required.every(([name, shape]) =>
        types.members(type, name).some((member) => shapeOf(tree.symbol(member).signature, name) === shape),
      ),
    )
    .sort((a, b) => a.file - b.file || a.ordinal - b.ordinal);
}

/** Methods of an interface and of those that it embeds, with their shapes. */
function requiredMethods(
  tree: GraphTree,
  types: Types,
  type: SymbolPlace,
  shapeOf: ShapeOf,
  seen: Set<string>,
): Map<string, string> {
  const found = new Map<string, string>();
  const key = keyOf(type);
  if (seen.has(key)) return found;
  seen.add(key);
  for (const above of types.supers(type))
    for (const [name, shape] of requiredMethods(tree, types, above, shapeOf, seen)) found.set(name, shape);
  for (const { name, kind, parent, signature } of tree.table(type.file).symbols)
    if (parent === type.ordinal && kind === 'method') found.set(name, shapeOf(signature, name));
  return found;
}
