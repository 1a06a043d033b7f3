/**
 * Finds the end of a JSON value whose bytes arrive in pieces. Each byte is scanned once: the next call continues where
 * the bytes ended. Values are not validated; JSON.parse does that.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class ValueEnd {
  /** Number of scanned bytes of the value; the fields below hold the scanner's state there. */
  #read = 0;
  #depth = 0;
  #isInString = false;

  /**
   * Returns the end of the value that begins at `from`, or -1 if the bytes end first. The next call then needs the same
   * value with more bytes.
   */
  find(bytes: Buffer, from: number): number {
    const end = this.#find(bytes, from);
    if (end >= 0) {
      this.#read = 0;
      this.#depth = 0;
      this.#isInString = false;
    }
    return end;
  }

  #find(bytes: Buffer, from: number): number {
    // The next closing bracket: searched for once, however many lists are open.
    let close = from;
    for (let at = from + this.#read; at < bytes.length; this.#read = at - from) {
      const byte = bytes[at]!;
      if (this.#isInString || byte === QUOTE) {
        at = endOfString(bytes, this.#isInString ? at : at + 1);
        this.#isInString = at < 0;
        if (at < 0) {
          this.#read = bytes.length - from;
          return -1;
        }
        if (this.#depth === 0) return at;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#depth++;
        at++;
        if (byte === OPEN_LIST && isNumber(bytes[at]!)) {
          if (close < at) close = bytes.indexOf(CLOSE_LIST, at);
          if (close < 0) close = bytes.length;
          if (close < bytes.length && !holdsMore(bytes.subarray(at, close))) at = close;
        }
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.#depth === 0) return at;
        at++;
        if (--this.#depth === 0) return at;
      } else if (this.#depth === 0 && (byte === COMMA || byte === COLON || byte <= 0x20)) return at;
      else at++;
    }
    return -1;
  }
}

/**
 * Whether a list that begins with a number also holds other values: then its first closing bracket may not be its own.
 */
function holdsMore(inside: Buffer): boolean {
  return inside.includes(OPEN_LIST) || inside.includes(OPEN_OBJECT) || inside.includes(QUOTE);
}

/** The offset after the closing quote; `from` is inside the string. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return -1;
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}

function isNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
}
