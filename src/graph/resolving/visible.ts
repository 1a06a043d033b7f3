/** What a file sees of other files without importing them: its folder, its package, its target, or everything at the top. */
import type { GraphTree, SymbolPlace } from '../graph-tree.ts';
import { isWanted, type Want } from './kinds.ts';

export interface Visible {
  readonly places: readonly SymbolPlace[];
  /** Nothing proves that they are seen: no header that declares them is included. */
  readonly unproved?: boolean;
}

export function visibleFrom(tree: GraphTree, file: number, name: string, want: Want): Visible {
  const traits = tree.traits(file);
  const isTop = (place: SymbolPlace) =>
    tree.table(place.file).owners[place.ordinal] === '' && isWanted(tree.symbol(place).kind, want);
  switch (traits.visible) {
    case 'folder': {
      const folder = tree.folder(file);
      const own = tree.table(file).package;
      const places = tree
        .named(name, (each) => tree.language(each) === 'go' && tree.folder(each) === folder)
        .filter((place) => isTop(place) && tree.table(place.file).package === own && !isForOther(tree, file, place));
      return { places };
    }
    case 'package':
      return { places: inPackages(tree, file, name).filter(isTop) };
    case 'target': {
      const target = tree.imports.swift.around(file);
      const places = tree
        .named(name, (each) => tree.language(each) === 'swift' && tree.imports.swift.around(each) === target)
        .filter((place) => isTop(place) && !(tree.symbol(place).visibility === 'private' && place.file !== file));
      return { places };
    }
    case 'global': {
      const spaces = traits.family === 'c' ? namespacesOf(tree, file) : null;
      const isSeen = (place: SymbolPlace) =>
        spaces
          ? isWanted(tree.symbol(place).kind, want) &&
            (tree.symbol(place).kind === 'macro' || spaces.has(tree.table(place.file).owners[place.ordinal]!))
          : isTop(place);
      const found = tree.named(name, (each) => tree.traits(each).family === traits.family).filter(isSeen);
      return traits.family === 'c' ? linked(tree, file, found) : { places: found };
    }
    default:
      return { places: tree.language(file) === 'rust' && want !== 'type' ? macros(tree, file, name) : [] };
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

const NAMESPACES = new WeakMap<GraphTree, Map<number, ReadonlySet<string>>>();

/** C++: the namespaces that a file's code stands in or uses, and those around them; '' is the global one. */
function namespacesOf(tree: GraphTree, file: number): ReadonlySet<string> {
  let known = NAMESPACES.get(tree);
  if (!known) {
    known = new Map();
    NAMESPACES.set(tree, known);
  }
  let spaces = known.get(file);
  if (!spaces) {
    const { symbols, imports } = tree.table(file);
    const found = new Set(['']);
    const add = (name: string) => {
      const parts = name.split('::').filter(Boolean);
      for (let length = 1; length <= parts.length; length++) found.add(parts.slice(0, length).join('::'));
    };
    for (const { kind, qualifiedName } of symbols) if (kind === 'module') add(qualifiedName);
    for (const { source, names } of imports) if (names.some(({ name }) => name === '*')) add(source);
    spaces = found;
    known.set(file, spaces);
  }
  return spaces;
}

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inc|ipp|inl|tcc|def)$/;

/**
 * C: what an included header declares or defines is proved to be seen, and stands for its one definition. Where several sources define it (one
 * a system), the declaration is meant. A macro of another source is never seen, and what no header declares is only likely.
 */
function linked(tree: GraphTree, file: number, found: readonly SymbolPlace[]): Visible {
  const seen = tree.included(file);
  const isSource = ({ file: other }: SymbolPlace) => !HEADER.test(tree.path(other));
  const isDefined = (place: SymbolPlace) => !/;\s*$/.test(tree.symbol(place).signature);
  const inHeaders = found.filter((place) => seen.has(place.file));
  const inSources = found.filter((place) => {
    const { kind, signature } = tree.symbol(place);
    return (
      isSource(place) && !seen.has(place.file) && kind !== 'macro' && !/^static\b/.test(signature) && isDefined(place)
    );
  });
  if (inHeaders.length > 0) {
    const defined = inHeaders.filter(isDefined);
    if (defined.length > 0) return { places: defined };
    return { places: inSources.length === 1 ? inSources : inHeaders };
  }
  const others = found.filter((place) => !isSource(place));
  return { places: inSources.length > 0 ? inSources : others, unproved: true };
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
