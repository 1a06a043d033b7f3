/**
 * The part of a tree that resolving imports needs: its paths, the text of manifests, and the files that declare a
 * package or a name.
 */
import type { ImportRecord } from '../../../model/records/symbol.ts';
import type { PathIndex } from './path-index.ts';

export interface SourceTree {
  /** Sorted by path. */
  readonly files: readonly { readonly path: string; readonly language: string }[];
  text(file: number): string;
  /** Files whose content declares exactly this package, in path order. */
  inPackage(name: string): readonly number[];
  /** Files that define a symbol of this name, in path order. */
  defining(name: string): readonly number[];
  /** Files that define a module of this qualified name. */
  modulesNamed(name: string): readonly number[];
}

/** The import rules of a language. */
export interface ImportRules {
  /** Manifests that affect imports: if one changes, all imports are resolved again. */
  readonly manifests?: readonly (string | RegExp)[];
  /** An import means the files that declare a package or a name, so any change of a file may change it. */
  readonly byName?: boolean;
  readonly over: (tree: SourceTree, paths: PathIndex) => LanguageImports;
}

/** Import rules over one tree. */
export interface LanguageImports {
  readonly resolve: ResolveImport;
  /** Names of the packages that contain a file, as importers write them. */
  readonly packageNames?: (file: number) => readonly string[];
  /** The folder of a file's build target. */
  readonly unit?: (file: number) => string;
  /** The file of a module inside of the module that a file is, -1 for none. */
  readonly submodule?: (file: number, name: string) => number;
  /** The folder of the child modules of a file. */
  readonly childFolder?: (file: number) => string;
  /** The file that a module path leads to, and the segments that remain inside of the file. */
  readonly follow?: (file: number, segments: readonly string[]) => ModulePath | null;
}

export interface ModulePath {
  readonly file: number;
  readonly rest: readonly string[];
}

/** The files of the tree that an import means. */
export interface Resolved {
  /** The files of the source itself. */
  readonly files: readonly number[];
  /** Imported names that are modules themselves, with their files. */
  readonly modules?: ReadonlyMap<string, readonly number[]>;
}

/** Null: the import is external. */
export type ResolveImport = (file: number, record: ImportRecord) => Resolved | null;

export const OUTSIDE = null;

export function found(files: readonly number[]): Resolved | null {
  return files.length > 0 ? { files } : OUTSIDE;
}
