/**
 * Where nothing says that a type implements an interface (Go), it does where it has all of the interface's methods,
 * with the same parameters and results.
 */

import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { distinct, keyOf } from '../symbol-place.ts';
import type { Types } from './types.ts';

type ShapeOf = (signature: string, name: string) => string;

/**
 * Types of the tree that satisfy an interface, in the order of their places; none where the interface asks for
 * something that is not in the tree.
 */
export function structuralImplementers(tree: GraphTree, types: Types, target: SymbolPlace): SymbolPlace[] {
  const { kind } = tree.symbol(target);
  const shapeOf = tree.rules(target.file).methodShape;
  if (!shapeOf || kind !== 'interface' || !types.isClosed(target)) return [];
  const wanted = [...requiredBy(tree, types, target, shapeOf, new Set())];
  const isMethod = (place: SymbolPlace, shape: string) => {
    const { kind: own, name, signature } = tree.symbol(place);
    return own === 'method' && shapeOf(signature, name) === shape;
  };
  // Some methods may come from an embedded type; a type that has all of them from there inherits the interface.
  const owners = wanted
    .flatMap(([name, shape]) => tree.named(name, tree.related(target.file)).filter((place) => isMethod(place, shape)))
    .flatMap((place) => types.ownerOf(place) ?? []);
  return distinct(owners)
    .filter((type) => tree.symbol(type).kind !== 'interface')
    .filter((type) =>
      wanted.every(([name, shape]) =>
        types.members(type, name).some((member) => shapeOf(tree.symbol(member).signature, name) === shape),
      ),
    )
    .sort((a, b) => a.file - b.file || a.ordinal - b.ordinal);
}

/** Methods with their shapes, those of embedded interfaces included. */
function requiredBy(
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
    for (const [name, shape] of requiredBy(tree, types, above, shapeOf, seen)) found.set(name, shape);
  for (const { name, kind, parent, signature } of tree.table(type.file).symbols)
    if (parent === type.ordinal && kind === 'method') found.set(name, shapeOf(signature, name));
  return found;
}
