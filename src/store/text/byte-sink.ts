/** A growing byte buffer for the room's two primitive encodings: unsigned varints below 2^32, and UTF-16 strings. */
export class ByteSink {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 4096) {
    this.bytes = new Uint8Array(capacity);
  }

  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  varint(value: number): void {
    this.reserve(5);
    const bytes = this.bytes;
    let rest = value;
    while (rest > 0x7f) {
      bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[this.length++] = rest;
  }

  copy(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    const bytes = this.bytes;
    // Creating a view for set() costs more than copying a few bytes.
    if (to - from < 48) for (let i = from; i < to; i++) bytes[this.length++] = source[i]!;
    else {
      bytes.set(source.subarray(from, to), this.length);
      this.length += to - from;
    }
  }

  /**
   * Writes the UTF-16 units of the text from `from` on: one byte per unit if all are below 256, else two. Every
   * JavaScript string comes back unchanged.
   */
  units(text: string, from: number): void {
    const count = text.length - from;
    let wide = 0;
    for (let i = from; i < text.length; i++) if (text.charCodeAt(i) > 0xff) wide = 1;
    this.varint(count * 2 + wide);
    this.reserve(count * 2);
    const bytes = this.bytes;
    for (let i = from; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      bytes[this.length++] = unit;
      if (wide) bytes[this.length++] = unit >> 8;
    }
  }

  /** Returns a copy of the bytes, and clears the sink. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

const LATIN1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** Reads the encodings of ByteSink. */
export class ByteSource {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  varint(): number {
    const bytes = this.bytes;
    let byte = bytes[this.position++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let shift = 7;
    do {
      byte = bytes[this.position++]!;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte > 0x7f);
    return value >>> 0;
  }

  /** Reads a number of items of at least one byte each. Throws if there cannot be so many, as after damage. */
  count(): number {
    const count = this.varint();
    if (count > this.bytes.length) throw new RangeError(`a count of ${count} in ${this.bytes.length} bytes`);
    return count;
  }

  units(): string {
    const header = this.varint();
    const count = header >>> 1;
    const size = count << (header & 1);
    const start = this.position;
    this.position += size;
    if (header & 1) return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, size).toString('utf16le');
    // For short texts, which are the rule, a call into the runtime costs more than the loop below.
    if (size > 24) return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, size).toString('latin1');
    let text = '';
    for (let i = start; i < start + size; i++) text += LATIN1[this.bytes[i]!];
    return text;
  }
}
