/**
 * Divides a repository into modules with the names that people use:
 *  - each package of a workspace is a module under its own name;
 *  - a repository of one package, and a package much larger than the others, is divided by folders: below the source
 *    root, past layers (`server`, `core`) and chains of single folders (`com/acme/shop`);
 *  - tests belong to the module whose folders they mirror.
 */

import { FileFlag } from '../../model/records/source-file.ts';
import { folderOf, nameOf } from '../../model/text/path-text.ts';
import { createPathJudge } from '../rules/path-flags.ts';
import { manifestRank, parseManifest } from './manifests.ts';

export interface Modules {
  /** The names of all modules, sorted. */
  readonly names: readonly string[];
  /** The module of a path, which need not be listed. '' for the root of a repository without a name. */
  moduleOf(path: string): string;
}

export type ReadText = (path: string) => string | null | Promise<string | null>;

type FlagsOf = (path: string) => number;

interface Package {
  readonly folder: string;
  readonly name: string;
}

/** A package that holds more than this share of the files is divided further, when it has enough of them. */
const DOMINANT_SHARE = 0.4;
const DOMINANT_FILES = 60;
const MIN_FILES = 2;
const MAX_MANIFESTS = 2000;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Folders above the modules of a package, which are no modules themselves. */
const SOURCE_ROOTS = words(
  'src lib libs app source sources main java kotlin scala groovy php python ruby pkg internal cmd include ' +
    'packages crates apps modules plugins projects common shared jvm js native',
);
/** Each folder directly in one of these is a module, even if it has the name of a layer. */
const COLLECTIONS = words('packages crates apps libs modules plugins projects features domains');
const LANGUAGE_ROOTS = words('java kotlin scala groovy');
const DOMAIN_ROOTS = words('com org net io dev de me');
const TEST_ROOTS = words('test tests spec specs __tests__ unit integration functional e2e testing unittest');
const LAYERS = words(
  'server client backend frontend web api core shared domain domains features services components controllers ' +
    'views models ui internal',
);

/** `projectName` names the files outside of all modules, unless the root's manifest has a name. */
export async function deriveModules(paths: readonly string[], readText: ReadText, projectName = ''): Promise<Modules> {
  const judge = createPathJudge();
  const flags = new Map(paths.map((path) => [path, judge(path).flags]));
  const flagsOf: FlagsOf = (path) => flags.get(path) ?? judge(path).flags;
  // Tests and documents do not count toward the size of a package.
  const isProductCode = (path: string) => (flagsOf(path) & (FileFlag.Test | FileFlag.Documentation)) === 0;
  const packages = await findPackages(paths, readText, flagsOf);
  const root = { folder: '', name: packages.get('')?.name || projectName };
  packages.set('', root);
  const packageOf = (path: string): Package => nearest(packages, folderOf(path)) ?? root;

  const filesOf = new Map<Package, string[]>();
  for (const path of paths) {
    const owner = packageOf(path);
    const files = filesOf.get(owner) ?? [];
    files.push(path);
    filesOf.set(owner, files);
  }
  const members = [...filesOf].filter(([owner, files]) => owner.folder !== '' && files.length >= MIN_FILES);

  const productFiles = paths.filter(isProductCode).length;
  const divisions = new Map<Package, Division>();
  for (const [owner, files] of filesOf) {
    const ownFiles = files.filter(isProductCode).length;
    const isDominant = ownFiles > DOMINANT_FILES && ownFiles > DOMINANT_SHARE * productFiles;
    const isRoot = owner.folder === '';
    if (!isRoot && !isDominant) continue;
    // The root's shape includes the packages, so that one folder beside packages does not look like the only folder.
    const shape = (isRoot ? paths : files).filter((path) => (flagsOf(path) & FileFlag.Test) === 0);
    const isQualified = !isRoot && members.length > 1;
    divisions.set(
      owner,
      divide(owner, files, { shape, isQualified, isPlainRoot: isRoot && members.length > 0, flagsOf }),
    );
  }

  const moduleOf = (path: string): string => {
    const owner = packageOf(path);
    return divisions.get(owner)?.nameOf(path) ?? owner.name;
  };
  return { names: [...new Set(paths.map(moduleOf))].sort(), moduleOf };
}

/**
 * Whether a request for a module matches: by its whole name, by the package that it is a part of, or by its last part.
 * Case does not matter.
 */
export function matchesModule(module: string, requested: string): boolean {
  const name = module.toLowerCase();
  const wanted = asModule(requested);
  return name === wanted || name.startsWith(`${wanted}/`) || name.endsWith(`/${wanted}`);
}

/** Whether a file lies in a folder that a request for a module names, by consecutive folders of its path. */
export function liesInModule(path: string, requested: string): boolean {
  return `/${path.toLowerCase()}`.includes(`/${asModule(requested)}/`);
}

/** Normalizes a requested module: the scoped package "@acme/auth" is the module "auth". */
function asModule(requested: string): string {
  return requested.toLowerCase().replace(/^(?:@[^/]+\/|(?:\.?\/)+)|\/+$/g, '');
}

async function findPackages(
  paths: readonly string[],
  readText: ReadText,
  flagsOf: FlagsOf,
): Promise<Map<string, Package>> {
  const manifests = paths
    .filter(
      (path) =>
        manifestRank(nameOf(path)) >= 0 &&
        (flagsOf(path) & IGNORED_FLAGS) === 0 &&
        !/(?:^|\/)(?:fixtures?|templates?)\//.test(path),
    )
    .sort((a, b) => manifestRank(nameOf(a)) - manifestRank(nameOf(b)))
    .slice(0, MAX_MANIFESTS);
  const packages = new Map<string, Package>();
  const declared = new Set<string>();
  for (const path of manifests) {
    const folder = folderOf(path);
    // The first manifest of a folder that has a name wins.
    if (declared.has(folder)) continue;
    const manifest = parseManifest(nameOf(path), (await readText(path)) ?? '');
    if (manifest === null || (manifest.isWorkspace && folder !== '')) continue;
    if (manifest.name !== null) declared.add(folder);
    packages.set(folder, { folder, name: manifest.name ? shortName(manifest.name) : nameOf(folder) });
  }
  return packages;
}

/** Manifests of these files define no module of the repository. */
const IGNORED_FLAGS = FileFlag.Test | FileFlag.Vendored | FileFlag.Example | FileFlag.Generated;

/** "@scope/name" → "name", "github.com/acme/shop/v2" → "shop", "acme/shop" → "shop". */
function shortName(name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && !/^v\d+$/.test(part));
  return parts.at(-1) ?? name;
}

interface Division {
  nameOf(path: string): string;
}

interface DivideOptions {
  /** The paths whose folders decide how the package is divided. */
  readonly shape: readonly string[];
  readonly flagsOf: FlagsOf;
  /** The names of the modules begin with that of the package. */
  readonly isQualified: boolean;
  /** The package is the root of a workspace: files beside the packages are named for their folder. */
  readonly isPlainRoot: boolean;
}

/** Divides a package by folders. If two folders have the same name, that of a folder above is put before it. */
function divide(
  owner: Package,
  files: readonly string[],
  { shape, flagsOf, isQualified, isPlainRoot }: DivideOptions,
): Division {
  const prefixLength = owner.folder === '' ? 0 : owner.folder.length + 1;
  const foldersOf = (path: string) => folderOf(path.slice(prefixLength)).split('/').filter(Boolean);
  const tree = buildTree(shape.map(foldersOf));
  const ownNames = new Set([plain(owner.name)]);

  /** The folders from the package's root to the module that holds a file; null if the file is in no module. */
  function partOf(folders: readonly string[], node: FolderNode): string[] | null {
    let at = 0;
    let here: FolderNode | undefined = node;
    while (at < folders.length && here !== undefined) {
      const name = folders[at]!;
      const next: FolderNode | undefined = here.children.get(name);
      if (next === undefined) break;
      const above = folders[at - 1]?.toLowerCase() ?? '';
      const isPassage = !COLLECTIONS.has(above) && leadsOn(name, above, here, next);
      if (!isPassage) return next.total >= MIN_FILES ? folders.slice(0, at + 1) : null;
      here = next;
      at++;
    }
    // The file is directly in a passage folder. A layer is a module; a source root belongs to the package itself.
    const last = folders[at - 1];
    return last !== undefined && LAYERS.has(last.toLowerCase()) ? folders.slice(0, at) : null;
  }

  function leadsOn(name: string, above: string, here: FolderNode, next: FolderNode): boolean {
    const lower = name.toLowerCase();
    if (SOURCE_ROOTS.has(lower) || ownNames.has(plain(name))) return true;
    if (LANGUAGE_ROOTS.has(above) && DOMAIN_ROOTS.has(lower)) return true;
    if (here.own === 0 && here.children.size === 1) return true;
    return LAYERS.has(lower) && next.own < next.total / 2;
  }

  const parts = new Map<string, string>();
  const remember = (folders: readonly string[]) => {
    const part = partOf(folders, tree);
    if (part) parts.set(part.join('/'), '');
  };
  for (const path of files) if ((flagsOf(path) & FileFlag.Test) === 0) remember(foldersOf(path));
  for (const [part, name] of nameParts([...parts.keys()]))
    parts.set(part, isQualified ? `${owner.name}/${name}` : name);
  const byLastName = new Map([...parts].map(([part, name]) => [plain(nameOf(part)), name]));

  return {
    nameOf(path) {
      const folders = foldersOf(path);
      const part = partOf(folders, tree)?.join('/');
      const direct = part === undefined ? undefined : parts.get(part);
      if (direct !== undefined) return direct;
      if (folders.some((folder) => TEST_ROOTS.has(folder.toLowerCase()))) {
        for (const folder of [
          ...folders,
          nameOf(path)
            .replace(/\..*$/, '')
            .replace(/^test_|_(?:test|spec)$/g, ''),
        ]) {
          const mirrored = byLastName.get(plain(folder));
          if (mirrored !== undefined) return mirrored;
        }
      }
      return (
        (isPlainRoot ? folders.find((folder) => !SOURCE_ROOTS.has(folder.toLowerCase())) : undefined) ?? owner.name
      );
    },
  };
}

interface FolderNode {
  readonly children: Map<string, FolderNode>;
  /** Files directly in the folder. */
  own: number;
  /** Files in the folder and below it. */
  total: number;
}

function buildTree(paths: readonly (readonly string[])[]): FolderNode {
  const root: FolderNode = { children: new Map(), own: 0, total: 0 };
  for (const folders of paths) {
    let node = root;
    node.total++;
    for (const folder of folders) {
      let next = node.children.get(folder);
      if (next === undefined) {
        next = { children: new Map(), own: 0, total: 0 };
        node.children.set(folder, next);
      }
      node = next;
      node.total++;
    }
    node.own++;
  }
  return root;
}

/**
 * Names each folder by its last part. If several have the same last part, the nearest folder above that is no source
 * root is put before it; folders without one share a module.
 */
function nameParts(parts: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(nameOf(part), (counts.get(nameOf(part)) ?? 0) + 1);
  const qualify = (part: string) => {
    const above = folderOf(part)
      .split('/')
      .findLast((folder) => folder !== '' && !SOURCE_ROOTS.has(folder.toLowerCase()));
    return above === undefined ? nameOf(part) : `${above}/${nameOf(part)}`;
  };
  return new Map(parts.map((part) => [part, counts.get(nameOf(part)) === 1 ? nameOf(part) : qualify(part)]));
}

function nearest<T>(entries: ReadonlyMap<string, T>, folder: string): T | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    const found = entries.get(at);
    if (found !== undefined || at === '') return found;
  }
}

/** Removes the marks that may differ between the names of a package and its folder: "active_record", "activerecord". */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.]/g, '');
}
