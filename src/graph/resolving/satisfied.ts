/** Go says nowhere that a type implements an interface: it does where it has all of the interface's methods, with the same parameters and results. */

import { closingOf, splitTop } from '../../languages/runtime/reading/split.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { distinct, keyOf } from '../symbol-place.ts';
import type { Types } from './types.ts';

/** Types of the tree that satisfy an interface, in the order of their places; none where the interface asks for something that is not in the tree. */
export function satisfying(tree: GraphTree, types: Types, target: SymbolPlace): SymbolPlace[] {
  const { kind } = tree.symbol(target);
  if (tree.language(target.file) !== 'go' || kind !== 'interface' || !types.isClosed(target)) return [];
  const wanted = [...requiredBy(tree, types, target, new Set())];
  const isGo = (file: number) => tree.language(file) === 'go';
  // Some may come from an embedded type; who has all of them from there inherits it.
  const owners = wanted
    .flatMap(([name, shape]) => tree.named(name, isGo).filter((place) => isMethod(tree, place, shape)))
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
function requiredBy(tree: GraphTree, types: Types, type: SymbolPlace, seen: Set<string>): Map<string, string> {
  const found = new Map<string, string>();
  const key = keyOf(type);
  if (seen.has(key)) return found;
  seen.add(key);
  for (const above of types.supers(type))
    for (const [name, shape] of requiredBy(tree, types, above, seen)) found.set(name, shape);
  for (const { name, kind, parent, signature } of tree.table(type.file).symbols)
    if (parent === type.ordinal && kind === 'method') found.set(name, shapeOf(signature, name));
  return found;
}

function isMethod(tree: GraphTree, place: SymbolPlace, shape: string): boolean {
  const { kind, name, signature } = tree.symbol(place);
  return kind === 'method' && shapeOf(signature, name) === shape;
}

/** Types of parameters and results, without their names and packages: `ServeHTTP(w http.ResponseWriter, r *http.Request) error` is `ResponseWriter,*Request→error`. */
function shapeOf(signature: string, name: string): string {
  const open = signature.indexOf(`${name}(`) + name.length;
  const close = closingOf(signature, open);
  if (open < name.length || close < 0) return '';
  const rest = signature
    .slice(close + 1)
    .replace(/\s*\{\s*$/, '')
    .trim();
  const results = rest.startsWith('(') ? rest.slice(1, closingOf(rest, 0)) : rest;
  return `${typesOf(signature.slice(open + 1, close))}→${typesOf(results)}`;
}

const NAMED = /^\w+\s+(?=\S)(?!\{)/;
/** Types that are written with a space. */
const UNNAMED = /^(?:chan|func|map|struct|interface)\b/;

function typesOf(list: string): string {
  const parts = splitTop(list, ',').map((part) => part.trim());
  const isNamed = parts.some((part) => NAMED.test(part) && !UNNAMED.test(part));
  let last = '';
  // Several names may share the type that stands behind the last of them.
  return parts
    .reverse()
    .filter(Boolean)
    .map((part) => {
      if (isNamed && !NAMED.test(part)) return last;
      last = (isNamed ? part.replace(NAMED, '') : part).replace(/\b\w+\./g, '').replace(/\s+/g, '');
      return last;
    })
    .reverse()
    .join(',');
}
