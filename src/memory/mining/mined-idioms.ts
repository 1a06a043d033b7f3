/**
 * Caches idioms beside the index. An edit hardly changes counts over a whole tree, so idioms are mined again only after
 * MAX_GENERATIONS publications or a change in the number of files.
 */
import type { StoreReader, TreeView } from '../../store/store.ts';
import { readDerived, writeDerived } from '../notebook/derived-file.ts';
import { type Idiom, mineIdioms } from './mine-idioms.ts';

/** Increment it when mining gives other idioms than before. */
const VERSION = 4;
/** Limits of a cached result: publications of the tree, and the share by which the number of files changed. */
const MAX_GENERATIONS = 50;
const MAX_CHANGED_SHARE = 0.02;

interface CachedIdioms {
  readonly version: number;
  readonly root: string;
  readonly generation: number;
  readonly files: number;
  readonly idioms: readonly Idiom[];
}

export class MinedIdioms {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  of(reader: StoreReader, view: TreeView): readonly Idiom[] {
    const { generation, root } = view.info;
    const files = view.files.length;
    const cached = this.#load();
    const isFresh =
      cached?.version === VERSION &&
      cached.root === root &&
      generation >= cached.generation &&
      generation - cached.generation < MAX_GENERATIONS &&
      Math.abs(files - cached.files) <= MAX_CHANGED_SHARE * cached.files;
    if (isFresh) return cached.idioms;
    const idioms = mineIdioms(reader, view);
    writeDerived(
      this.#file,
      JSON.stringify({ version: VERSION, root, generation, files, idioms } satisfies CachedIdioms),
    );
    return idioms;
  }

  #load(): CachedIdioms | null {
    try {
      const parsed = JSON.parse(String(readDerived(this.#file) ?? '{}')) as CachedIdioms;
      return Array.isArray(parsed.idioms) ? parsed : null;
    } catch {
      return null;
    }
  }
}
