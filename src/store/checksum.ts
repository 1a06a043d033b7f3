/**
 * A checksum for every stored blob. SQLite's own check looks at the structure of its pages, not at what lies in them: a flipped bit in a
 * posting or a vector would go unnoticed and change answers. Word by word, each step reversible: a change within one word always shows,
 * a larger one with all but one chance in four billion. Half a millisecond for the vectors of 200,000 lines.
 */
import { Damaged } from './database.ts';

const SEED = 0x5e87_a9d1;
const STEP = 0x9e37_79b1;

/** Of the parts in their order, as a number of 32 bits. */
export function checksum(...parts: readonly Uint8Array[]): number {
  let sum = SEED;
  for (const bytes of parts) {
    const words = bytes.byteLength >> 2;
    // Not slice(): that of a Buffer is a view of the same, unaligned bytes.
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
    const view = new Int32Array(aligned.buffer, aligned.byteOffset, words);
    for (let i = 0; i < words; i++) {
      sum = Math.imul(sum ^ view[i]!, STEP);
      sum ^= sum >>> 15;
    }
    for (let i = words * 4; i < bytes.byteLength; i++) sum = Math.imul(sum ^ bytes[i]!, STEP);
    sum = Math.imul(sum ^ bytes.byteLength, STEP);
  }
  return sum >>> 0;
}

/** The bytes, which must be what was written. Throws Damaged. */
export function requireSum(what: string, sum: unknown, ...parts: readonly Uint8Array[]): void {
  if (sum !== checksum(...parts)) throw new Damaged(`${what} does not match its checksum`);
}
