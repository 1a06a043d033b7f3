/** What resolving an import needs of a tree: its paths, the text of its manifests, and who declares a package or a name. */
import type { ImportRecord } from '../../../model/records/symbol.ts';

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
