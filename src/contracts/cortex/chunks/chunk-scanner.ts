/**
 * Reads a chunk file piece by piece: a list of chunks, alone or below a header with `_metadata`. The scanner passes on
 * one entry at a time, so a file of any size needs the memory of one entry. It parses the numbers of an embedding from
 * the bytes and leaves the rest to JSON.parse.
 */
import { isRecord } from '../../../model/runtime/is-record.ts';
import { readNumbers } from './read-numbers.ts';
import { ValueEnd } from './value-end.ts';

const OPEN = [0x5b, 0x7b];
const CLOSE = [0x5d, 0x7d];
const COMMA = 0x2c;
const COLON = 0x3a;
const MAX_ENTRY_BYTES = 16 << 20;
const EMBEDDING = Buffer.from('"embedding"');
const NO_NUMBERS = Buffer.from('[]');
const NONE = Buffer.alloc(0);
/** Bytes of a new piece that are first appended to the rest of the previous one: an entry seldom needs more. */
const SEAM_BYTES = 16 << 10;

export interface ScannedEntry {
  /** The parsed entry. An embedding that is a plain list of numbers is in `embedding`, valid until the next entry. */
  readonly value: unknown;
  readonly embedding: Float32Array | null;
  /**
   * The entry as JSON, with an empty list in place of an embedding that the scanner has read. Valid until the next
   * entry.
   */
  readonly parts: readonly Uint8Array[];
}

type Place = 'start' | 'members' | 'colon' | 'member' | 'list' | 'end';

export class ChunkScanner {
  readonly #onEntry: (entry: ScannedEntry) => void;
  #rest: Buffer = NONE;
  #at = 0;
  #place: Place = 'start';
  #isAlone = false;
  #hasList = false;
  /** A value was just read: a comma or the closing bracket must follow. */
  #needsComma = false;
  readonly #valueEnd = new ValueEnd();
  /** Name of the member that is being read. */
  #name: unknown = null;
  /** The text of `_metadata` read so far. */
  header: Readonly<Record<string, unknown>> = {};

  constructor(onEntry: (entry: ScannedEntry) => void) {
    this.#onEntry = onEntry;
  }

  /** Throws if the bytes are not a chunk file. */
  push(piece: Buffer): void {
    let left = piece;
    for (let seam = Math.max(SEAM_BYTES, this.#rest.length); this.#rest.length > 0; seam *= 2) {
      const before = this.#rest.length;
      this.#read(Buffer.concat([this.#rest, left.subarray(0, seam)]));
      if (seam >= left.length) {
        this.#keepRest();
        return;
      }
      const isPast = this.#at >= before;
      if (isPast) left = left.subarray(this.#at - before);
      this.#rest = isPast ? NONE : this.#rest.subarray(this.#at, before);
    }
    this.#read(left);
    this.#keepRest();
  }

  #read(bytes: Buffer): void {
    this.#rest = bytes;
    this.#at = 0;
    while (this.#step());
  }

  /** Copied, because the caller reuses its buffer. */
  #keepRest(): void {
    this.#rest = Buffer.from(this.#rest.subarray(this.#at));
    this.#at = 0;
    if (this.#rest.length > MAX_ENTRY_BYTES) throw new Error('one of its entries is too large');
  }

  finish(): void {
    // A final space ends a number that might otherwise continue.
    this.push(Buffer.from(' '));
    if (this.#place !== 'end' || this.#rest.length > 0) throw new Error('it is not valid JSON: it ends too early');
    if (!this.#hasList) throw new Error('it holds no list of chunks');
  }

  /** Takes the next part of the file; returns false if it needs more bytes. */
  #step(): boolean {
    this.#skipBlanks();
    if (this.#at >= this.#rest.length) return false;
    if (this.#place === 'start') return this.#start();
    if (this.#place === 'list') return this.#listItem();
    if (this.#place === 'members') return this.#memberName();
    if (this.#place === 'colon') return this.#colon();
    if (this.#place === 'member') return this.#memberValue();
    throw new Error('it is not valid JSON: something follows its end');
  }

  #start(): boolean {
    const first = this.#rest[this.#at]!;
    if (first !== OPEN[0] && first !== OPEN[1]) {
      throw new Error('it holds no list of chunks');
    }
    this.#isAlone = first === OPEN[0];
    this.#hasList = this.#isAlone;
    this.#place = this.#isAlone ? 'list' : 'members';
    this.#at++;
    return true;
  }

  #listItem(): boolean {
    if (this.#takeSeparator(CLOSE[0]!, this.#isAlone ? 'end' : 'members')) return true;
    const end = this.#valueEnd.find(this.#rest, this.#at);
    if (end < 0) return false;
    this.#onEntry(readEntry(this.#rest.subarray(this.#at, end)));
    this.#at = end;
    this.#needsComma = true;
    return true;
  }

  /** The name of a member, a comma, or the end of the object. */
  #memberName(): boolean {
    if (this.#takeSeparator(CLOSE[1]!, 'end')) return true;
    const end = this.#valueEnd.find(this.#rest, this.#at);
    if (end < 0) return false;
    this.#name = JSON.parse(this.#rest.toString('utf8', this.#at, end));
    this.#at = end;
    this.#place = 'colon';
    return true;
  }

  #colon(): boolean {
    if (this.#rest[this.#at++] !== COLON) throw new Error('it is not valid JSON');
    this.#place = 'member';
    return true;
  }

  #memberValue(): boolean {
    if (this.#name === 'chunks' && this.#rest[this.#at] === OPEN[0]) {
      this.#hasList = true;
      this.#place = 'list';
      this.#at++;
      this.#needsComma = false;
      return true;
    }
    const end = this.#valueEnd.find(this.#rest, this.#at);
    if (end < 0) return false;
    const value = JSON.parse(this.#rest.toString('utf8', this.#at, end)) as unknown;
    if (this.#name === '_metadata' && isRecord(value)) this.header = value;
    this.#at = end;
    this.#place = 'members';
    this.#needsComma = true;
    return true;
  }

  /** Takes a comma between two values, or the bracket that ends them. */
  #takeSeparator(close: number, after: Place): boolean {
    const byte = this.#rest[this.#at]!;
    if (byte !== close && (byte === COMMA) !== this.#needsComma) throw new Error('it is not valid JSON');
    if (byte !== close && byte !== COMMA) return false;
    this.#at++;
    this.#needsComma = byte === close;
    if (byte === close) this.#place = after;
    return true;
  }

  #skipBlanks(): void {
    this.#at = skipBlanks(this.#rest, this.#at);
  }
}

/** Skips JSON white space and a byte order mark. */
function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  if (at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
  while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09))
    at++;
  return at;
}

function readEntry(bytes: Buffer): ScannedEntry {
  const key = bytes.indexOf(EMBEDDING);
  const colon = key < 0 ? -1 : skipBlanks(bytes, key + EMBEDDING.length);
  const open = bytes[colon] === COLON ? skipBlanks(bytes, colon + 1) : -1;
  const numbers = bytes[open] === OPEN[0] ? readNumbers(bytes, open) : null;
  if (!numbers) return readWhole(bytes);
  const text = `${bytes.toString('utf8', 0, open)}[]${bytes.toString('utf8', numbers.end)}`;
  const value = JSON.parse(text) as unknown;
  // The same key may occur inside another value: then JSON.parse reads the whole entry.
  const isOwn = isRecord(value) && Array.isArray(value.embedding) && value.embedding.length === 0;
  if (!isOwn || bytes.indexOf(EMBEDDING, numbers.end) >= 0) return readWhole(bytes);
  return {
    value,
    embedding: numbers.values,
    parts: [bytes.subarray(0, open), NO_NUMBERS, bytes.subarray(numbers.end)],
  };
}

function readWhole(bytes: Buffer): ScannedEntry {
  return { value: JSON.parse(bytes.toString('utf8')), embedding: null, parts: [bytes] };
}
