/**
 * Limits the structure of a message, counted in its bytes before it is parsed: a message of 4 MB with 300,000 keys
 * takes a second to parse and check, in which no other client is answered. No tool takes more than a few hundred
 * values.
 */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 200;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Describes the limit that the JSON text exceeds, or returns null. Does not check whether it is JSON. */
export function jsonExcess(bytes: Buffer): string | null {
  let values = 0;
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfString(bytes, i);
    else if (byte === COMMA || byte === COLON) values++;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    if (values > MAX_VALUES) return `more than ${MAX_VALUES} keys and values`;
    if (depth > MAX_DEPTH) return `nested more than ${MAX_DEPTH} levels deep`;
  }
  return null;
}

/** Position of the quote that ends the string, or the length of the text without one. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
