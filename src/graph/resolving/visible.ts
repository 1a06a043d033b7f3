/** What a file sees of other files without importing them: its folder, its package, its target, or everything at the top. */
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { isWanted, type Want } from './kinds.ts';

export function visibleFrom(tree: GraphTree, file: number, name: string, want: Want): SymbolPlace[] {
  const traits = tree.traits(file);
  const isTop = (place: SymbolPlace) =>
    tree.table(place.file).owners[place.ordinal] === '' && isWanted(tree.symbol(place).kind, want);
  switch (traits.visible) {
    case 'folder': {
      const folder = tree.folder(file);
      const own = tree.table(file).package;
      return tree
        .named(name, (each) => tree.language(each) === 'go' && tree.folder(each) === folder)
        .filter((place) => isTop(place) && tree.table(place.file).package === own && !isForOther(tree, file, place));
    }
    case 'package':
      return inPackages(tree, file, name).filter(isTop);
    case 'target': {
      const target = tree.imports.swift.around(file);
      return tree
        .named(name, (each) => tree.language(each) === 'swift' && tree.imports.swift.around(each) === target)
        .filter((place) => isTop(place) && !(tree.symbol(place).visibility === 'private' && place.file !== file));
    }
    case 'global': {
      const found = tree
        .named(name, (each) => tree.traits(each).family === traits.family)
        .filter((place) => isTop(place) && !isHidden(tree, file, place));
      return traits.family === 'c' ? definitionsFirst(tree, found) : found;
    }
    default:
      return tree.language(file) === 'rust' && want !== 'type' ? macros(tree, file, name) : [];
  }
}

/** The own package and, where the language looks outwards, the packages around it. */
function inPackages(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const language = tree.language(file);
  const own = tree.table(file).package;
  const outward = language === 'csharp' || language === 'scala';
  const separator = language === 'php' ? '\\' : '.';
  for (let around = own; ; around = around.slice(0, Math.max(0, around.lastIndexOf(separator)))) {
    const places = membersOf(tree, file, around, name);
    if (places.length > 0 || around === '' || !outward) {
      // PHP's functions and constants fall back to the global namespace.
      if (places.length === 0 && language === 'php' && own !== '')
        return membersOf(tree, file, '', name).filter((place) =>
          ['function', 'constant'].includes(tree.symbol(place).kind),
        );
      return places;
    }
  }
}

function membersOf(tree: GraphTree, file: number, packageName: string, name: string): SymbolPlace[] {
  const { family } = tree.traits(file);
  if (packageName === '')
    return tree
      .named(name, (each) => tree.traits(each).family === family)
      .filter((place) => tree.table(place.file).package === '');
  const members = new Set(tree.inPackage(packageName));
  return [...tree.named(name, (each) => members.has(each) && tree.traits(each).family === family)];
}

/** Static functions of other sources are not seen; what stands in a header is wherever it is included. */
function isHidden(tree: GraphTree, file: number, place: SymbolPlace): boolean {
  if (place.file === file || tree.traits(file).family !== 'c') return false;
  return (
    /^(?:static|namespace\s*\{)/.test(tree.symbol(place).signature) &&
    !/\.(?:h|hh|hpp|hxx|inc|ipp)$/.test(tree.path(place.file))
  );
}

export function definitionsFirst(tree: GraphTree, places: readonly SymbolPlace[]): SymbolPlace[] {
  const defined = places.filter((place) => !/;\s*$/.test(tree.symbol(place).signature));
  return defined.length > 0 ? defined : [...places];
}

/** Tests of a Go package are a second package beside it; files for other systems are alternatives. */
function isForOther(tree: GraphTree, file: number, place: SymbolPlace): boolean {
  return tree.path(place.file).endsWith('_test.go') && !tree.path(file).endsWith('_test.go');
}

/** Macros are seen in their whole crate, in the order of the text. */
function macros(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const folder = tree.imports.rust.crateFolder(file);
  return tree
    .named(name, (each) => tree.language(each) === 'rust' && tree.path(each).startsWith(`${folder}/`))
    .filter((place) => tree.symbol(place).kind === 'macro');
}
