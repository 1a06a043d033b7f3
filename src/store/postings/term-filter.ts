/**
 * Whether a segment may have a term, at two bytes a term: no for nearly all that it does not have, never for one that
 * it has. Of many stores that are asked together few have a word, and a lookup that finds nothing costs as much as any.
 */
import { ByteSource } from '../text/byte-sink.ts';

const BITS_PER_TERM = 12;
const PROBES = 4;
const START = 0x811c9dc5;
const PRIME = 0x01000193;
const STEP = 0x9e3779b1;

export class TermFilter {
  readonly #bits: Uint32Array;
  readonly #mask: number;

  /** `blocks`: posting blocks, of which the terms are read and nothing else. */
  constructor(blocks: Iterable<Uint8Array>) {
    const parts = Array.from(blocks, hashesOf);
    const terms = parts.reduce((sum, { length }) => sum + length, 0);
    let bits = 1024;
    while (bits < terms * BITS_PER_TERM) bits *= 2;
    this.#bits = new Uint32Array(bits / 32);
    this.#mask = bits - 1;
    for (const hashes of parts)
      for (let i = 0; i < hashes.length; i++)
        for (let probe = 0, at = hashes[i]!; probe < PROBES; probe++, at = next(at)) {
          const bit = at & this.#mask;
          this.#bits[bit >>> 5]! |= 1 << (bit & 31);
        }
  }

  /** `hash`: termHash() of the term. */
  mayHave(hash: number): boolean {
    for (let probe = 0, at = hash; probe < PROBES; probe++, at = next(at)) {
      const bit = at & this.#mask;
      if ((this.#bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

export function termHash(term: string): number {
  let state = START;
  for (let i = 0; i < term.length; i++) state = add(state, term.charCodeAt(i));
  return next(state);
}

function add(state: number, unit: number): number {
  return Math.imul(state ^ unit, PRIME);
}

function next(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), STEP);
  return mixed ^ (mixed >>> 13);
}

/** The terms of a block share beginnings, and so do the sums of their units. */
function hashesOf(block: Uint8Array): Int32Array {
  const source = new ByteSource(block);
  const hashes = new Int32Array(source.count());
  const states = [START];
  for (let i = 0; i < hashes.length; i++) {
    const shared = source.varint();
    const header = source.varint();
    const wide = header & 1;
    let length = shared;
    for (let left = header >>> 1; left > 0; left--) {
      let unit = block[source.position++]!;
      if (wide) unit |= block[source.position++]! << 8;
      states[length + 1] = add(states[length]!, unit);
      length++;
    }
    hashes[i] = next(states[length]!);
    source.varint();
  }
  return hashes;
}
