/**
 * The lines of a file as this process read them. ripgrep opens files by name, and a link out of the project may replace
 * a name at any moment, so grep shows a line of ripgrep's output only if this process read the same line.
 */
import { readRepositoryFile } from '../../model/runtime/repository-file.ts';
import { decodeUtf16 } from '../../walk/index.ts';

const LINE_FEED = 10;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

export class CheckedLines {
  readonly bytes: Buffer;
  readonly #text: Buffer;
  #line = 1;
  #start = 0;

  /** Throws if the file no longer exists, is not a regular file of the project, or is too large. */
  constructor(root: string, path: string, maxBytes: number) {
    this.bytes = readRepositoryFile(root, path, { maxBytes }).bytes;
    const utf16 = decodeUtf16(this.bytes);
    const text = utf16 === null ? this.bytes : Buffer.from(utf16);
    const hasMark = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    this.#text = hasMark ? text.subarray(BYTE_ORDER_MARK.length) : text;
  }

  /** The text without a byte order mark. */
  get text(): string {
    return this.#text.toString('utf8');
  }

  /** Whether the file has this line. Call it in ascending order of lines. */
  isLine(number: number, line: Buffer): boolean {
    while (this.#line < number) {
      const end = this.#text.indexOf(LINE_FEED, this.#start);
      if (end < 0) return false;
      this.#start = end + 1;
      this.#line++;
    }
    if (this.#line !== number) return false;
    const end = this.#text.indexOf(LINE_FEED, this.#start);
    return this.#text.subarray(this.#start, end < 0 ? undefined : end + 1).equals(line);
  }
}
