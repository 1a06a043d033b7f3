/**
 * What resolving an import needs of a tree: its paths, the text of its manifests, and who declares a package or a name.
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
  /** Files that define a module of this whole name. */
  modulesNamed(name: string): readonly number[];
}

/** A language's rules for imports. */
export interface ImportRules {
  /** Manifests that decide: where one of them changes, imports are resolved anew. */
  readonly manifests?: readonly (string | RegExp)[];
  /** An import means the files that declare a package or a name, and every change may move those. */
  readonly byName?: boolean;
  readonly over: (tree: SourceTree, paths: PathIndex) => LanguageImports;
}

/** The rules over one tree. */
export interface LanguageImports {
  readonly resolve: ResolveImport;
  /** Names of the packages around a file, as importers write them. */
  readonly packageNames?: (file: number) => readonly string[];
  /** The folder of the files that are built together with a file. */
  readonly unit?: (file: number) => string;
  /** The file of a module inside of the module that a file is, -1 where there is none. */
  readonly submodule?: (file: number, name: string) => number;
  /** The folder in which the modules below a file lie. */
  readonly childFolder?: (file: number) => string;
  /** The file that a path of modules leads into, and the segments that lead on inside of it. */
  readonly follow?: (file: number, segments: readonly string[]) => ModulePath | null;
}

export interface ModulePath {
  readonly file: number;
  readonly rest: readonly string[];
}

/** An import, led to files of the tree. */
export interface Resolved {
  /** The files that the source itself means. */
  readonly files: readonly number[];
  /** Imported names that are modules themselves, with their files. */
  readonly modules?: ReadonlyMap<string, readonly number[]>;
}

/** Null: leads outside of the tree. */
export type ResolveImport = (file: number, record: ImportRecord) => Resolved | null;

export const OUTSIDE = null;

export function found(files: readonly number[]): Resolved | null {
  return files.length > 0 ? { files } : OUTSIDE;
}
