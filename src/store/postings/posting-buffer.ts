/**
 * Collects the postings of one space. Each term has a chain of slices in one arena, encoded as they will be stored, so
 * that an append takes a few nanoseconds and a rare term a few bytes. Docs of a term must arrive in ascending order.
 *
 * A posting is varint(delta * 2 + (value is 1)) and, for other values, varint(value). The first delta counts from 0.
 */
import type { ByteSink } from '../text/byte-sink.ts';

const FIRST_SLICE = 8;
const MAX_SLICE_BYTES = 4096;
/** Approximate memory of a new term besides its slices: map entry, string, numbers. */
const TERM_BYTES = 110;
/**
 * Numbers per term. They lie side by side, so that an append to a term that was not used for a while loads one cache
 * line, not six.
 */
const STRIDE = 8;
const HEAD = 0;
const WRITE = 1;
/** The end of the current slice's payload; the four bytes after it point to the next slice. */
const END = 2;
const SIZE = 3;
const LAST = 4;
const COUNT = 5;

export class PostingBuffer {
  readonly #ordinals = new Map<string, number>();
  #terms: string[] = [];
  #arena = new Uint8Array(1 << 16);
  #used = 0;
  #state = new Int32Array(STRIDE * 1024);

  get termCount(): number {
    return this.#terms.length;
  }

  /** Approximate memory. */
  get byteSize(): number {
    return this.#used + this.#terms.length * TERM_BYTES;
  }

  append(term: string, docs: Uint32Array, values: Uint16Array, from: number, to: number, base: number): void {
    let ordinal = this.#ordinals.get(term);
    if (ordinal === undefined) ordinal = this.#open(term);
    const state = this.#state;
    const s = ordinal * STRIDE;
    let arena = this.#arena;
    let last = state[s + LAST]!;
    let at = state[s + WRITE]!;
    let end = state[s + END]!;
    for (let i = from; i < to; i++) {
      const doc = docs[i]! + base;
      const value = values[i]!;
      // Write byte by byte, since a slice may end within a varint: the delta, then the value unless it is 1.
      let rest = (doc - last) * 2 + (value === 1 ? 1 : 0);
      last = doc;
      for (let part = value === 1 ? 1 : 0; part < 2; part++) {
        for (;;) {
          if (at === end) {
            at = this.#extend(s);
            arena = this.#arena;
            end = state[s + END]!;
          }
          if (rest < 0x80) break;
          arena[at++] = (rest & 0x7f) | 0x80;
          rest >>>= 7;
        }
        arena[at++] = rest;
        rest = value;
      }
    }
    state[s + LAST] = last;
    state[s + WRITE] = at;
    state[s + COUNT]! += to - from;
  }

  /** The terms in UTF-16 order. */
  sortedTerms(): string[] {
    return this.#terms.slice().sort();
  }

  /** Writes the number of postings and the postings of the term. */
  writeList(term: string, sink: ByteSink): void {
    const s = this.#ordinals.get(term)! * STRIDE;
    sink.varint(this.#state[s + COUNT]!);
    const stop = this.#state[s + WRITE]!;
    let start = this.#state[s + HEAD]!;
    let size = FIRST_SLICE;
    for (;;) {
      const end = start + size - 4;
      if (stop >= start && stop <= end) {
        sink.copy(this.#arena, start, stop);
        return;
      }
      sink.copy(this.#arena, start, end);
      start = readPointer(this.#arena, end);
      size = Math.min(size * 2, MAX_SLICE_BYTES);
    }
  }

  clear(): void {
    this.#ordinals.clear();
    this.#terms = [];
    this.#used = 0;
  }

  #open(term: string): number {
    const ordinal = this.#terms.length;
    this.#terms.push(term);
    this.#ordinals.set(term, ordinal);
    const s = ordinal * STRIDE;
    if (s === this.#state.length) {
      const grown = new Int32Array(s * 2);
      grown.set(this.#state);
      this.#state = grown;
    }
    const start = this.#allocate(FIRST_SLICE);
    this.#state[s + HEAD] = start;
    this.#state[s + WRITE] = start;
    this.#state[s + END] = start + FIRST_SLICE - 4;
    this.#state[s + SIZE] = FIRST_SLICE;
    this.#state[s + LAST] = 0;
    this.#state[s + COUNT] = 0;
    return ordinal;
  }

  /** Adds a slice for the term whose numbers are at `s`, and returns the start of the slice. */
  #extend(s: number): number {
    const size = Math.min(this.#state[s + SIZE]! * 2, MAX_SLICE_BYTES);
    const start = this.#allocate(size);
    writePointer(this.#arena, this.#state[s + END]!, start);
    this.#state[s + SIZE] = size;
    this.#state[s + END] = start + size - 4;
    return start;
  }

  #allocate(size: number): number {
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.#arena.length) {
      const grown = new Uint8Array(this.#arena.length * 2);
      grown.set(this.#arena);
      this.#arena = grown;
    }
    return start;
  }
}

function readPointer(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function writePointer(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >> 8;
  bytes[at + 2] = value >> 16;
  bytes[at + 3] = value >> 24;
}
