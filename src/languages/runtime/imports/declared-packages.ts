/** Resolves imports of languages whose files declare a package or namespace: the index knows the files of a package. */
import { endsWithPath, type PathIndex } from './path-index.ts';
import type { SourceTree } from './source-tree.ts';

/** Files of a package that define a name. */
export function definers(tree: SourceTree, packageName: string, name: string): readonly number[] {
  const members = new Set(tree.inPackage(packageName));
  return members.size === 0 ? [] : tree.defining(name).filter((file) => members.has(file));
}

/** `a.b.C.D` is D in class C of package a.b: the longest prefix that is a package, then the name after it. */
export function throughPackages(tree: SourceTree, segments: readonly string[]): readonly number[] {
  for (let length = segments.length - 1; length >= 1; length--) {
    const files = definers(tree, segments.slice(0, length).join('.'), segments[length]!);
    if (files.length > 0) return files;
  }
  return [];
}

/**
 * Without declared packages, files whose paths mirror the segments: `com/acme/Text.java`, in at least the last `least`
 * segments.
 */
export function mirrored(
  paths: PathIndex,
  tree: SourceTree,
  segments: readonly string[],
  languages: RegExp,
  file: number,
  least = segments.length,
): readonly number[] {
  const named = paths.stemmed(segments.at(-1)!).filter((index) => languages.test(tree.files[index]!.language));
  for (let length = segments.length; length >= Math.max(2, least); length--) {
    const ending = segments.slice(-length).join('/');
    const files = named.filter((index) => endsWithPath(paths.pathOf(index).replace(/\.\w+$/, ''), ending));
    if (files.length > 0) return [paths.nearest(file, files)];
  }
  return [];
}
