/**
 * Idioms, kept beside the index: counts over a whole tree change little with an edit, so they are made again after
 * many, or when files came or went.
 */
import type { StoreReader, TreeView } from '../../store/store.ts';
import { readDerived, writeDerived } from '../notebook/derived-file.ts';
import { type Idiom, mineIdioms } from './mine-idioms.ts';

/** Raised when counting gives something else than before. */
const VERSION = 4;
/** Publications of trees, and the share of files that came or went, after which it is worth counting again. */
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
