/**
 * Sums that tell whether bytes are the same, not whether somebody wants them to seem so. Word by word, each step reversible: a change within one
 * word always shows, a larger one with all but one chance in four billion. Half a millisecond for the vectors of 200,000 lines.
 */
import { type WasmMemory, wasm } from './load-wasm.ts';

const SEED = 0x5e87_a9d1;
const STEP = 0x9e37_79b1;

/** Of the parts in their order, as a number of 32 bits. */
export function checksum(...parts: readonly Uint8Array[]): number {
  return sumOf(parts, SEED);
}

/** Two sums, as 16 hex digits: for names, where one of 32 bits would be too few. Loading the system's own hashes takes a command longer. */
export function digest(...parts: readonly Uint8Array[]): string {
  return [SEED, STEP].map((seed) => sumOf(parts, seed).toString(16).padStart(8, '0')).join('');
}

function sumOf(parts: readonly Uint8Array[], seed: number): number {
  let sum = seed;
  for (const bytes of parts) {
    const words = bytes.byteLength >> 2;
    // Not slice(): that of a Buffer is a view of the same, unaligned bytes.
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
    const view = new Int32Array(aligned.buffer, aligned.byteOffset, words);
    sum = words < MANY_WORDS ? addWords(sum, view) : addManyWords(sum, view);
    for (let i = words * 4; i < bytes.byteLength; i++) sum = Math.imul(sum ^ bytes[i]!, STEP);
    sum = Math.imul(sum ^ bytes.byteLength, STEP);
  }
  return sum >>> 0;
}

function addWords(start: number, words: Int32Array): number {
  let sum = start;
  for (let i = 0; i < words.length; i++) {
    sum = Math.imul(sum ^ words[i]!, STEP);
    sum ^= sum >>> 15;
  }
  return sum;
}

/** A command runs this loop before the compiler has seen it: 20 ms for the index of a middling project, a tenth of its time. WebAssembly is quick from the start. */
const MANY_WORDS = 4096;
const PAGE_WORDS = 16_384;
/** Words copied at a time: the memory stays small. */
const STRIDE = 4 * PAGE_WORDS;

interface Adder {
  readonly memory: WasmMemory;
  add(start: number, words: number): number;
}
let adder: Adder | null | undefined;

function addManyWords(start: number, words: Int32Array): number {
  adder ??= makeAdder();
  if (adder === null) return addWords(start, words);
  const inside = new Int32Array(adder.memory.buffer);
  let sum = start;
  for (let from = 0; from < words.length; from += STRIDE) {
    const part = words.subarray(from, from + STRIDE);
    inside.set(part);
    sum = adder.add(sum, part.length);
  }
  return sum;
}

/** addWords() over the first words of the memory, by its instructions. */
// biome-ignore format: one instruction a line
const CODE = [
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, // type: (sum, words) -> sum
  2, 8, 1, 1, 0x65, 1, 0x6d, 2, 0, STRIDE / PAGE_WORDS, // import: e.m, the memory
  3, 2, 1, 0, // one function of that type
  7, 7, 1, 3, 0x61, 0x64, 0x64, 0, 0, // exported as add
  10, 52, 1, 50,
  1, 1, 0x7f, // one more local: the place in the memory
  0x03, 0x40, // loop
  0x20, 0, // sum
  0x20, 2, 0x28, 2, 0, // the word there
  0x73, // xor
  0x41, 0xb1, 0xf3, 0xdd, 0xf1, 0x79, // STEP
  0x6c, // times
  0x22, 0, // the new sum
  0x20, 0, 0x41, 15, 0x76, 0x73, 0x21, 0, // sum ^= sum >>> 15
  0x20, 2, 0x41, 4, 0x6a, 0x21, 2, // the next place
  0x20, 1, 0x41, 1, 0x6b, 0x22, 1, 0x0d, 0, // again while words are left
  0x0b,
  0x20, 0, // the sum
  0x0b,
];

function makeAdder(): Adder | null {
  const memory = new wasm.Memory({ initial: STRIDE / PAGE_WORDS });
  const bytes = Uint8Array.from(CODE);
  if (!wasm.validate(bytes)) return null;
  const { exports } = new wasm.Instance(new wasm.Module(bytes), { e: { m: memory } });
  return { memory, ...(exports as Pick<Adder, 'add'>) };
}
