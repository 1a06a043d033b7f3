/** Splits a stream of bytes into lines. A line that is too long to buffer passes in parts. */

/** Limit of a buffered line: no message that an engine accepts is longer, and answers are far shorter. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

export interface LineListener {
  /** A line without its newline. */
  onLine(line: Buffer): void;
  /** Bytes of a line beyond the limit, its newline included. */
  onLongPart(bytes: Buffer): void;
}

export function splitLines({ onLine, onLongPart }: LineListener): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let isLong = false;
  const take = (part: Buffer, ends: boolean) => {
    length += part.length;
    if (!isLong && length <= MAX_LINE_BYTES) {
      parts.push(part);
      if (ends) onLine(Buffer.concat(parts));
    } else {
      for (const bytes of [...parts, part]) onLongPart(bytes);
      if (ends) onLongPart(Buffer.from('\n'));
      parts = [];
      isLong = true;
    }
    if (!ends) return;
    parts = [];
    length = 0;
    isLong = false;
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end), true);
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start), false);
  };
}
