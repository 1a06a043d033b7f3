/** A content's bytes and text, with the start of each line in both. */
export class LinedText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly byteStarts: Int32Array;
  #textStarts: Int32Array | null = null;

  constructor(text: string, bytes: Uint8Array) {
    this.text = text;
    this.bytes = bytes;
    this.byteStarts = startsInBytes(bytes);
  }

  get textStarts(): Int32Array {
    // If bytes and characters are equally many, every character is one byte, and the starts are the same.
    this.#textStarts ??= this.text.length === this.bytes.length ? this.byteStarts : findLineStarts(this.text);
    return this.#textStarts;
  }
}

let found = new Int32Array(4096);

function startsInBytes(bytes: Uint8Array): Int32Array {
  let lines = 1;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== 10) continue;
    if (lines === found.length) {
      const more = new Int32Array(lines * 2);
      more.set(found);
      found = more;
    }
    found[lines++] = i + 1;
  }
  return found.slice(0, lines);
}

/**
 * Index of the first character of each line; one entry more than there are lines is never needed, slice() takes
 * undefined as the end.
 */
export function findLineStarts(text: string): Int32Array {
  const starts: number[] = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}
