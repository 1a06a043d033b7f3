/**
 * A cache of the contents that recent answers showed, unpacked. A row never changes, so entries are never stale. An
 * entry is dropped once its tree no longer has the content.
 */
import type { StoredDetail, TreeView } from '../store.ts';
import { TextCache } from './text-cache.ts';

/** Contents repeat in answers, and unpacking one costs as much as finding it. */
const MAX_CACHED_DETAILS = 512;

export class RecentContents {
  readonly #details = new Map<number, StoredDetail>();
  readonly #texts = new TextCache();
  /** The content rows of each tree when it was last opened. */
  readonly #trees = new Map<string, Int32Array>();

  detail(contentRow: number, read: () => StoredDetail): StoredDetail {
    const known = this.#details.get(contentRow);
    if (known) return known;
    const detail = read();
    if (this.#details.size >= MAX_CACHED_DETAILS) this.#details.delete(this.#details.keys().next().value!);
    this.#details.set(contentRow, detail);
    return detail;
  }

  /** linesOf() the content's text. `read` returns the packed text; it is called only if the lines are not cached. */
  lines(contentRow: number, startLine: number, endLine: number, read: () => Uint8Array): string {
    return this.#texts.lines(contentRow, startLine, endLine, read);
  }

  /** Drops the contents that the newly opened tree no longer has. */
  dropReplaced({ info: { root, ref }, contentOf }: TreeView): void {
    const name = `${ref}\0${root}`;
    const before = this.#trees.get(name);
    if (before === contentOf) return;
    this.#trees.set(name, contentOf);
    if (!before) return;
    const now = new Set(contentOf);
    for (const row of before) {
      if (now.has(row)) continue;
      this.#details.delete(row);
      this.#texts.forget(row);
    }
  }
}
