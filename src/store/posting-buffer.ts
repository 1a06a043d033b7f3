/**
 * Postings of one space while they are collected: per term a chain of slices in one arena, already encoded as they will be stored, so
 * that an append costs a few nanoseconds and a rare term a few bytes. Docs of a term must arrive in ascending order.
 *
 * A posting is varint(delta * 2 + (value is 1)) and, for other values, varint(value). The first delta counts from 0.
 */
import type { ByteSink } from './byte-sink.ts';

const FIRST_SLICE = 8;
const LARGEST_SLICE = 4096;
/** What a new term costs beside its slices: entry in the map, string, six numbers. */
const TERM_BYTES = 110;

export class PostingBuffer {
  readonly #ordinals = new Map<string, number>();
  #terms: string[] = [];
  #arena = new Uint8Array(1 << 16);
  #view = new DataView(this.#arena.buffer);
  #used = 0;
  #head = new Int32Array(1024);
  #write = new Int32Array(1024);
  /** Where the current slice's payload ends; the four bytes after it point to the next one. */
  #end = new Int32Array(1024);
  #size = new Int32Array(1024);
  #last = new Int32Array(1024);
  #count = new Int32Array(1024);

  get termCount(): number {
    return this.#terms.length;
  }

  /** Memory held, roughly. */
  get byteSize(): number {
    return this.#used + this.#terms.length * TERM_BYTES;
  }

  append(term: string, docs: Uint32Array, values: Uint16Array, from: number, to: number, base: number): void {
    let ordinal = this.#ordinals.get(term);
    if (ordinal === undefined) ordinal = this.#open(term);
    let last = this.#last[ordinal]!;
    for (let i = from; i < to; i++) {
      const doc = docs[i]! + base;
      const value = values[i]!;
      const head = (doc - last) * 2;
      last = doc;
      if (value === 1) this.#put(ordinal, head + 1);
      else {
        this.#put(ordinal, head);
        this.#put(ordinal, value);
      }
    }
    this.#last[ordinal] = last;
    this.#count[ordinal]! += to - from;
  }

  /** Terms in UTF-16 order. */
  sortedTerms(): string[] {
    return this.#terms.slice().sort();
  }

  /** Writes count and postings of the term. */
  writeList(term: string, sink: ByteSink): void {
    const ordinal = this.#ordinals.get(term)!;
    sink.varint(this.#count[ordinal]!);
    const stop = this.#write[ordinal]!;
    let start = this.#head[ordinal]!;
    let size = FIRST_SLICE;
    for (;;) {
      const end = start + size - 4;
      if (stop >= start && stop <= end) {
        sink.append(this.#arena.subarray(start, stop));
        return;
      }
      sink.append(this.#arena.subarray(start, end));
      start = this.#view.getInt32(end, true);
      size = Math.min(size * 2, LARGEST_SLICE);
    }
  }

  clear(): void {
    this.#ordinals.clear();
    this.#terms = [];
    this.#used = 0;
  }

  #put(ordinal: number, value: number): void {
    let rest = value;
    let at = this.#write[ordinal]!;
    let end = this.#end[ordinal]!;
    for (;;) {
      if (at === end) {
        at = this.#extend(ordinal, end);
        end = this.#end[ordinal]!;
      }
      if (rest < 0x80) break;
      this.#arena[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#arena[at++] = rest;
    this.#write[ordinal] = at;
  }

  #open(term: string): number {
    const ordinal = this.#terms.length;
    this.#terms.push(term);
    this.#ordinals.set(term, ordinal);
    if (ordinal === this.#head.length) this.#growTerms();
    const start = this.#allocate(FIRST_SLICE);
    this.#head[ordinal] = start;
    this.#write[ordinal] = start;
    this.#end[ordinal] = start + FIRST_SLICE - 4;
    this.#size[ordinal] = FIRST_SLICE;
    this.#last[ordinal] = 0;
    this.#count[ordinal] = 0;
    return ordinal;
  }

  #extend(ordinal: number, end: number): number {
    const size = Math.min(this.#size[ordinal]! * 2, LARGEST_SLICE);
    const start = this.#allocate(size);
    this.#view.setInt32(end, start, true);
    this.#size[ordinal] = size;
    this.#end[ordinal] = start + size - 4;
    return start;
  }

  #allocate(size: number): number {
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.#arena.length) {
      const grown = new Uint8Array(this.#arena.length * 2);
      grown.set(this.#arena);
      this.#arena = grown;
      this.#view = new DataView(grown.buffer);
    }
    return start;
  }

  #growTerms(): void {
    const grow = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    this.#head = grow(this.#head);
    this.#write = grow(this.#write);
    this.#end = grow(this.#end);
    this.#size = grow(this.#size);
    this.#last = grow(this.#last);
    this.#count = grow(this.#count);
  }
}
