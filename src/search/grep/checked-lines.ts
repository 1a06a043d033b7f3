/**
 * The lines of a file as this process has read it, safely: what ripgrep says of a file is shown only where it is the
 * same. ripgrep opens files by name, and in that moment a name may lead out of the project.
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

  /** Throws where the file is gone, no regular file of the project, or too large. */
  constructor(root: string, path: string, maxBytes: number) {
    this.bytes = readRepositoryFile(root, path, { maxBytes }).bytes;
    const utf16 = decodeUtf16(this.bytes);
    const text = utf16 === null ? this.bytes : Buffer.from(utf16);
    const hasMark = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    this.#text = hasMark ? text.subarray(BYTE_ORDER_MARK.length) : text;
  }

  /** Without a byte order mark. */
  get text(): string {
    return this.#text.toString('utf8');
  }

  /** Whether the line is that one. Asked in the order of the lines. */
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
