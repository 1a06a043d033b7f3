/**
 * Finds symbols of other files that are visible without an import: those of the same folder, package or build target,
 * of included headers, or all top-level symbols, by the rules of the language.
 */
import type { GraphTree, SymbolPlace } from '../../graph-tree.ts';
import { isWanted, type WantedKind } from '../kinds.ts';

export interface ImplicitlyVisible {
  readonly places: readonly SymbolPlace[];
  /** C: no included header declares the symbols, so only their names suggest that they are meant. */
  readonly unproved?: boolean;
}

export function findImplicitlyVisible(
  tree: GraphTree,
  file: number,
  name: string,
  want: WantedKind,
): ImplicitlyVisible {
  const rules = tree.rules(file);
  const isRelated = tree.related(file);
  const isTop = (place: SymbolPlace) =>
    tree.table(place.file).owners[place.ordinal] === '' && isWanted(tree.symbol(place).kind, want);
  switch (rules.visible) {
    case 'folder':
      return { places: inFolder(tree, file, name).filter(isTop) };
    case 'package':
      return { places: inPackages(tree, file, name).filter(isTop) };
    case 'unit':
      return { places: inUnit(tree, file, name).filter(isTop) };
    case 'linked': {
      const namespaces = namespacesOf(tree, file);
      const found = tree.named(name, isRelated).filter((place) => {
        const { kind } = tree.symbol(place);
        const isInScope = kind === 'macro' || namespaces.has(tree.table(place.file).owners[place.ordinal]!);
        return isWanted(kind, want) && isInScope;
      });
      return selectLinked(tree, file, found);
    }
    case 'global':
      return { places: tree.named(name, isRelated).filter(isTop) };
    default:
      return { places: rules.unitMacros && want !== 'type' ? unitMacros(tree, file, name) : [] };
  }
}

/** Go: files of one folder and package see each other, except that only tests see the symbols of tests. */
function inFolder(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const { testFile } = tree.rules(file);
  const isRelated = tree.related(file);
  const folder = tree.folder(file);
  const packageName = tree.table(file).package;
  const isTest = (each: number) => testFile?.test(tree.path(each)) ?? false;
  return tree
    .named(name, (each) => isRelated(each) && tree.folder(each) === folder)
    .filter((place) => tree.table(place.file).package === packageName && (isTest(file) || !isTest(place.file)));
}

/** Swift: files of one build target see each other, except for private symbols. */
function inUnit(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const { unit } = tree.imports.of(file);
  const isRelated = tree.related(file);
  const ownUnit = unit?.(file);
  return tree
    .named(name, (each) => isRelated(each) && unit?.(each) === ownUnit)
    .filter((place) => place.file === file || tree.symbol(place).visibility !== 'private');
}

/** Symbols of the file's package and, where the language looks outwards (C#), of the packages that enclose it. */
function inPackages(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const { outwardPackages: outward, packageSeparator: separator, globalFallback } = tree.rules(file);
  const ownPackage = tree.table(file).package;
  for (let enclosing = ownPackage; ; enclosing = enclosing.slice(0, Math.max(0, enclosing.lastIndexOf(separator)))) {
    const places = membersOf(tree, file, enclosing, name);
    if (places.length > 0) return places;
    if (enclosing !== '' && outward) continue;
    // PHP falls back to functions and constants of the global namespace.
    return globalFallback.length > 0 && ownPackage !== ''
      ? membersOf(tree, file, '', name).filter((place) => globalFallback.includes(tree.symbol(place).kind))
      : [];
  }
}

function membersOf(tree: GraphTree, file: number, packageName: string, name: string): SymbolPlace[] {
  const isRelated = tree.related(file);
  if (packageName === '') return tree.named(name, isRelated).filter((place) => tree.table(place.file).package === '');
  const members = new Set(tree.inPackage(packageName));
  return [...tree.named(name, (each) => members.has(each) && isRelated(each))];
}

const NAMESPACES = new WeakMap<GraphTree, Map<number, ReadonlySet<string>>>();

/** C++: the namespaces that a file opens or uses, and those that enclose them; '' is the global one. */
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
 * C: a name that an included header declares means the one source that defines it; where several sources do (one for
 * each operating system), it means the declaration. A name that no included header declares is unproved, and a macro of
 * another source is never visible.
 */
function selectLinked(tree: GraphTree, file: number, found: readonly SymbolPlace[]): ImplicitlyVisible {
  const included = tree.included(file);
  const isSource = ({ file: other }: SymbolPlace) => !tree.rules(other).header?.test(tree.path(other));
  const isDefined = (place: SymbolPlace) => !/;\s*$/.test(tree.symbol(place).signature);
  const inHeaders = found.filter((place) => included.has(place.file));
  const inSources = found.filter((place) => {
    if (!isSource(place) || included.has(place.file) || !isDefined(place)) return false;
    const { kind, signature } = tree.symbol(place);
    return kind !== 'macro' && !/^static\b/.test(signature);
  });
  if (inHeaders.length > 0) {
    const defined = inHeaders.filter(isDefined);
    if (defined.length > 0) return { places: defined };
    // A source usually lies beside the header that declares its functions.
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

/** The definitions with a body, or all places where none has one: a declaration without a body ends with `;`. */
export function definitionsFirst(tree: GraphTree, places: readonly SymbolPlace[]): SymbolPlace[] {
  const defined = places.filter((place) => !/;\s*$/.test(tree.symbol(place).signature));
  return defined.length > 0 ? defined : [...places];
}

/** Rust: `macro_rules!` macros are visible in the whole crate. */
function unitMacros(tree: GraphTree, file: number, name: string): SymbolPlace[] {
  const folder = tree.imports.of(file).unit?.(file) ?? '';
  const isRelated = tree.related(file);
  return tree
    .named(name, (each) => isRelated(each) && tree.path(each).startsWith(`${folder}/`))
    .filter((place) => tree.symbol(place).kind === 'macro');
}
