/**
 * A cache of text parts that recent answers showed. Consecutive questions find the same files, and unpacking their
 * texts takes a fifth of an answer's time.
 */
import { ChunkedText } from './packed-text.ts';

/** Characters over all texts. */
const MAX_CACHED_CHARS = 4_000_000;

/** Evicts the least recently used text first. A row never changes, so entries are never stale. */
export class TextCache {
  readonly #texts = new Map<number, ChunkedText>();
  #length = 0;

  /** linesOf() the content's text. `read` returns the packed text; it is called only if the lines are not cached. */
  lines(contentRow: number, startLine: number, endLine: number, read: () => Uint8Array): string {
    let bytes: Uint8Array | undefined;
    const readOnce = () => {
      bytes ??= read();
      return bytes;
    };
    const known = this.#texts.get(contentRow);
    const text = known ?? new ChunkedText(readOnce());
    const before = known?.length ?? 0;
    const lines = text.lines(startLine, endLine, readOnce);
    this.#texts.delete(contentRow);
    this.#texts.set(contentRow, text);
    this.#length += text.length - before;
    for (const row of this.#texts.keys()) {
      if (this.#length <= MAX_CACHED_CHARS || row === contentRow) break;
      this.forget(row);
    }
    return lines;
  }

  forget(contentRow: number): void {
    this.#length -= this.#texts.get(contentRow)?.length ?? 0;
    this.#texts.delete(contentRow);
  }
}
