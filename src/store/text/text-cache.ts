/**
 * Parts of texts that were shown last. Questions in a row find the same files, and unpacking their text is a fifth of
 * an answer's time.
 */
import { ChunkedText } from './packed-text.ts';

/** Characters in the cache, over all texts. */
const KEPT = 4_000_000;

/** Least recently used goes first. Rows never change their meaning, so nothing is ever stale. */
export class TextCache {
  readonly #texts = new Map<number, ChunkedText>();
  #length = 0;

  /** linesOf() the content's text; `read` gives it as packText() did, where it is needed. */
  lines(contentRow: number, startLine: number, endLine: number, read: () => Uint8Array): string {
    let bytes: Uint8Array | undefined;
    const once = () => {
      bytes ??= read();
      return bytes;
    };
    const known = this.#texts.get(contentRow);
    const text = known ?? new ChunkedText(once());
    const before = known?.length ?? 0;
    const lines = text.lines(startLine, endLine, once);
    this.#texts.delete(contentRow);
    this.#texts.set(contentRow, text);
    this.#length += text.length - before;
    for (const row of this.#texts.keys()) {
      if (this.#length <= KEPT || row === contentRow) break;
      this.forget(row);
    }
    return lines;
  }

  forget(contentRow: number): void {
    this.#length -= this.#texts.get(contentRow)?.length ?? 0;
    this.#texts.delete(contentRow);
  }
}
