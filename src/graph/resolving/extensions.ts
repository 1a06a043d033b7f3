/**
 * Finds members that a tree adds to types that it does not define: C# `static f(this T x)`, Kotlin `fun T.f()`, Swift
 * extensions of library types.
 */
import { CONTAINER_KINDS } from '../../model/records/symbol.ts';
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { FUNCTION_KINDS } from './kinds.ts';
import type { Types } from './types.ts';

/** Functions of a name that extend a type outside of the tree, in the form of the file's language. */
export function findExtensionFunctions(tree: GraphTree, types: Types, file: number, name: string): SymbolPlace[] {
  return findExtending(tree, file, name).filter((place) => {
    if (!FUNCTION_KINDS.has(tree.symbol(place).kind)) return false;
    const { parent } = tree.symbol(place);
    return parent < 0 || types.whole({ file: place.file, ordinal: parent }).ordinal === parent || !inBlock(tree, place);
  });
}

/** Removes extensions of the tree's own types (`fun Own.f()`): a value of an external type has none of them. */
export function withoutOwnTypes(tree: GraphTree, file: number, places: readonly SymbolPlace[]): SymbolPlace[] {
  const isRelated = tree.related(file);
  return places.filter((place) => {
    if (tree.rules(place.file).extensionFunctions !== 'receiver') return true;
    const owner = tree.table(place.file).owners[place.ordinal]!;
    return !tree.named(owner, isRelated).some((each) => CONTAINER_KINDS.has(tree.symbol(each).kind));
  });
}

/**
 * Functions and properties of a name that extensions add to external types or to protocols: any value may have them.
 */
export function findExtensionMembers(tree: GraphTree, types: Types, file: number, name: string): SymbolPlace[] {
  return findExtending(tree, file, name).filter((place) => {
    const { parent } = tree.symbol(place);
    if (parent < 0 || !inBlock(tree, place)) return true;
    const whole = types.whole({ file: place.file, ordinal: parent });
    return (
      whole.ordinal === parent || tree.symbol(whole).kind === 'protocol' || tree.symbol(whole).kind === 'interface'
    );
  });
}

/** Functions of a name in extension blocks (Swift), whatever they extend. */
export function findInExtensionBlocks(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  if (tree.rules(file).extensionFunctions !== 'extension-block') return [];
  return findExtending(tree, file, name).filter((place) => FUNCTION_KINDS.has(tree.symbol(place).kind));
}

function findExtending(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const { extensionFunctions: mode } = tree.rules(file);
  if (mode === 'none') return [];
  const isRelated = tree.related(file);
  return tree
    .named(name, (each) => isRelated(each) && tree.rules(each).extensionFunctions === mode)
    .filter((place) => {
      const { signature, parent } = tree.symbol(place);
      if (mode === 'this-parameter') return /\(\s*this\s/.test(signature);
      if (mode === 'receiver') return parent < 0 && tree.table(place.file).owners[place.ordinal] !== '';
      return inBlock(tree, place);
    });
}

function inBlock(tree: GraphTree, { file, ordinal }: SymbolPlace): boolean {
  const { symbols } = tree.table(file);
  return symbols[symbols[ordinal]!.parent]?.kind === 'extension';
}
