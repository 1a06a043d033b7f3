/**
 * What a file sees of other files without importing them: its folder, its package, its target, or everything at the
 * top.
 */
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { isWanted, type Want } from '../kinds.ts';

export interface ImplicitlyVisible {
  readonly places: readonly SymbolPlace[];
  /** Nothing proves that they are seen: no header that declares them is included. */
  readonly unproved?: boolean;
}

export function findImplicitlyVisible(tree: GraphTree, file: number, name: string, want: Want): ImplicitlyVisible {
  const rules = tree.rules(file);
  const isRelated = tree.related(file);
  const isTop = (place: SymbolPlace) =>
    tree.table(place.file).owners[place.ordinal] === '' && isWanted(tree.symbol(place).kind, want);
  switch (rules.visible) {
    case 'folder': {
      const folder = tree.folder(file);
      const own = tree.table(file).package;
      const isTest = (each: number) => rules.testFile?.test(tree.path(each)) ?? false;
      const places = tree
        .named(name, (each) => isRelated(each) && tree.folder(each) === folder)
        .filter(
          (place) => isTop(place) && tree.table(place.file).package === own && !(isTest(place.file) && !isTest(file)),
        );
      return { places };
    }
    case 'package':
      return { places: inPackages(tree, file, name).filter(isTop) };
    case 'unit': {
      const { unit } = tree.imports.of(file);
      const own = unit?.(file);
      const places = tree
        .named(name, (each) => isRelated(each) && unit?.(each) === own)
        .filter((place) => isTop(place) && !(tree.symbol(place).visibility === 'private' && place.file !== file));
      return { places };
    }
    case 'linked': {
      const spaces = namespacesOf(tree, file);
      const found = tree.named(name, isRelated).filter((place) => {
        const { kind } = tree.symbol(place);
        return isWanted(kind, want) && (kind === 'macro' || spaces.has(tree.table(place.file).owners[place.ordinal]!));
      });
      return linked(tree, file, found);
    }
    case 'global':
      return { places: tree.named(name, isRelated).filter(isTop) };
    default:
      return { places: rules.unitMacros && want !== 'type' ? macros(tree, file, name) : [] };
  }
}

/** The own package and, where the language looks outwards, the packages around it. */
function inPackages(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const { outwardPackages: outward, packageSeparator: separator, globalFallback } = tree.rules(file);
  const own = tree.table(file).package;
  for (let around = own; ; around = around.slice(0, Math.max(0, around.lastIndexOf(separator)))) {
    const places = membersOf(tree, file, around, name);
    if (places.length > 0 || around === '' || !outward) {
      if (places.length === 0 && globalFallback.length > 0 && own !== '')
        return membersOf(tree, file, '', name).filter((place) => globalFallback.includes(tree.symbol(place).kind));
      return places;
    }
  }
}

function membersOf(tree: GraphTree, file: number, packageName: string, name: string): SymbolPlace[] {
  const isRelated = tree.related(file);
  if (packageName === '') return tree.named(name, isRelated).filter((place) => tree.table(place.file).package === '');
  const members = new Set(tree.inPackage(packageName));
  return [...tree.named(name, (each) => members.has(each) && isRelated(each))];
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

/**
 * C: what an included header declares or defines is proved to be seen, and stands for its one definition. Where several
 * sources define it (one a system), the declaration is meant. A macro of another source is never seen, and what no
 * header declares is only likely.
 */
function linked(tree: GraphTree, file: number, found: readonly SymbolPlace[]): ImplicitlyVisible {
  const seen = tree.included(file);
  const isSource = ({ file: other }: SymbolPlace) => !tree.rules(other).header?.test(tree.path(other));
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
    // Of several, the one beside the header that declares it.
    const beside = inSources.filter(({ file: source }) =>
      inHeaders.some((each) => tree.folder(each.file) === tree.folder(source)),
    );
    return { places: inSources.length === 1 ? inSources : beside.length === 1 ? beside : inHeaders };
  }
  const others = found.filter((place) => !isSource(place));
  const near = inSources.filter((place) => tree.folder(place.file) === tree.folder(file));
  const sources = near.length === 1 ? near : inSources;
  return { places: sources.length > 0 ? sources : others, unproved: true };
}

export function definitionsFirst(tree: GraphTree, places: readonly SymbolPlace[]): SymbolPlace[] {
  const defined = places.filter((place) => !/;\s*$/.test(tree.symbol(place).signature));
  return defined.length > 0 ? defined : [...places];
}

/** Macros are seen in the whole unit of the build, in the order of the text. */
function macros(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const folder = tree.imports.of(file).unit?.(file) ?? '';
  const isRelated = tree.related(file);
  return tree
    .named(name, (each) => isRelated(each) && tree.path(each).startsWith(`${folder}/`))
    .filter((place) => tree.symbol(place).kind === 'macro');
}
