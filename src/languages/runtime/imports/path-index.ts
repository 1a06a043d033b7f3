/**
 * Finds paths of a tree: by exact path, by folder, by ending. Tables are built on first use and live as long as the
 * list of paths.
 */

import { dirname, join, normalize } from 'node:path/posix';
import { folderOf, nameOf, stemOf } from '../../../model/text/path-text.ts';

export class PathIndex {
  readonly #files: readonly { readonly path: string }[];
  #byFolder: Map<string, number[]> | null = null;
  #byName: Map<string, number[]> | null = null;
  #byStem: Map<string, number[]> | null = null;

  constructor(files: readonly { readonly path: string }[]) {
    this.#files = files;
  }

  pathOf(file: number): string {
    return this.#files[file]!.path;
  }

  /** The index of a path, -1 for none. */
  at(path: string): number {
    const index = this.#lowerBound(path);
    return this.#files[index]?.path === path ? index : -1;
  }

  /** The index of the first of several paths that exists. */
  firstOf(paths: Iterable<string>): number {
    for (const path of paths) {
      const file = this.at(path);
      if (file >= 0) return file;
    }
    return -1;
  }

  /** Files directly in a folder. */
  inFolder(folder: string): readonly number[] {
    this.#byFolder ??= this.#group((path) => folderOf(path));
    return this.#byFolder.get(folder) ?? [];
  }

  /** All files below a folder; '' is the root. */
  below(folder: string): number[] {
    if (folder === '') return this.#files.map((_, index) => index);
    const files: number[] = [];
    const prefix = `${folder}/`;
    for (let i = this.#lowerBound(prefix); this.#files[i]?.path.startsWith(prefix); i++) files.push(i);
    return files;
  }

  hasFolder(folder: string): boolean {
    if (folder === '') return true;
    const prefix = `${folder}/`;
    return this.#files[this.#lowerBound(prefix)]?.path.startsWith(prefix) ?? false;
  }

  /** Files whose path is this one or ends with it after a slash. */
  endingWith(ending: string): number[] {
    return this.named(nameOf(ending)).filter((index) => endsWithPath(this.#files[index]!.path, ending));
  }

  /** Files of this name, with extension. */
  named(name: string): readonly number[] {
    this.#byName ??= this.#group(nameOf);
    return this.#byName.get(name) ?? [];
  }

  /** Files of this name, with any extension. */
  stemmed(stem: string): readonly number[] {
    this.#byStem ??= this.#group((path) => stemOf(nameOf(path)));
    return this.#byStem.get(stem) ?? [];
  }

  /** Of several files, the one that shares most folders with the given one; the first by path where two do. */
  nearest(file: number, files: readonly number[]): number {
    const from = this.#files[file]!.path.split('/');
    let best = files[0]!;
    let maxShared = -1;
    for (const index of files) {
      const to = this.#files[index]!.path.split('/');
      let shared = 0;
      while (shared < from.length - 1 && from[shared] === to[shared]) shared++;
      if (shared > maxShared) {
        maxShared = shared;
        best = index;
      }
    }
    return best;
  }

  #group(keyOf: (path: string) => string): Map<string, number[]> {
    const groups = new Map<string, number[]>();
    this.#files.forEach(({ path }, index) => {
      const key = keyOf(path);
      const group = groups.get(key);
      if (group) group.push(index);
      else groups.set(key, [index]);
    });
    return groups;
  }

  #lowerBound(path: string): number {
    let low = 0;
    let high = this.#files.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#files[middle]!.path < path) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The joined and normalised path, '' for the root; null if it leads out of the tree. */
export function joinPath(...parts: readonly string[]): string | null {
  const path = normalize(join(...parts)).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../') || path.startsWith('/')) return null;
  return path === '.' ? '' : path;
}

/** The enclosing folders, from the nearest to the root. */
export function* ancestors(path: string): Generator<string> {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    yield folder;
    if (folder === '') return;
  }
}

export function under(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

export function endsWithPath(path: string, ending: string): boolean {
  return path.endsWith(ending) && (path.length === ending.length || path[path.length - ending.length - 1] === '/');
}

export function parentOf(folder: string): string {
  const parent = dirname(folder);
  return parent === '.' ? '' : parent;
}
