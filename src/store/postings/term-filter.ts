/**
 * A Bloom filter over the terms of a segment, at two bytes per term: it rules out nearly all terms that the segment
 * does not have, and none that it has. When many stores are searched together, few have a given word, and a lookup that
 * finds nothing costs as much as any other.
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

  /** Reads only the terms of the posting blocks. */
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

  /** `hash` is termHash() of the term. */
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

/** The hashes of a block's terms. Terms with a common prefix share the hash state of that prefix. */
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
