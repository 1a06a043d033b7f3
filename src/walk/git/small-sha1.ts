/**
 * SHA-1 as a WebAssembly module that is assembled here from its instructions, quick from the first call: a command that hashes one changed file is
 * done before the system's own would be loaded, and plain code would take as long as parsing it. For ids of contents, as git makes them; not for
 * anything that has to withstand somebody.
 *
 * Memory: the 80 words of a block | the state | blocks, their words turned into the processor's order.
 */
import { assembled, type WasmMemory, wasm } from '../../model/runtime/load-wasm.ts';
import {
  advance,
  bodyOf,
  type Code,
  exported,
  get,
  I32,
  I32_ADD,
  I32_AND,
  I32_OR,
  I32_ROTL,
  I32_XOR,
  i32Load,
  i32Store,
  int,
  moduleOf,
  section,
  seq,
  set,
  taking,
  text,
  until,
} from '../../model/runtime/wasm-code.ts';

const STATE_AT = 80 * 4;
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
const BLOCKS_AT = 384;
const BLOCK = 64;
/** Blocks at a time, so that two pages of memory do. */
const MOST_WORDS = (BLOCK * 2000) >> 2;

interface Hasher {
  readonly memory: WasmMemory;
  /** Takes the blocks from one place to the other into the state. */
  take(at: number, end: number): void;
}

let hasher: Hasher | undefined;

export function smallSha1(...parts: readonly Uint8Array[]): string {
  hasher ??= makeHasher();
  const words = padded(parts);
  const memory = new Int32Array(hasher.memory.buffer);
  memory.set(START, STATE_AT >> 2);
  for (let from = 0; from < words.length; from += MOST_WORDS) {
    const some = words.subarray(from, from + MOST_WORDS);
    memory.set(some, BLOCKS_AT >> 2);
    hasher.take(BLOCKS_AT, BLOCKS_AT + some.byteLength);
  }
  const state = memory.subarray(STATE_AT >> 2, (STATE_AT >> 2) + START.length);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The bytes, a bit, zeros and the length in bits, as numbers of 32 bits. */
function padded(parts: readonly Uint8Array[]): Int32Array {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const bytes = Buffer.alloc((((length + 8) >> 6) + 1) << 6);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  bytes[length] = 0x80;
  bytes.writeUInt32BE(length * 8, bytes.length - 4);
  bytes.swap32();
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function makeHasher(): Hasher {
  const memory = new wasm.Memory({ initial: 2 });
  const module = new wasm.Module(assembled('sha1', assembleSha1));
  const { exports } = new wasm.Instance(module, { m: { m: memory } });
  return { memory, ...(exports as Pick<Hasher, 'take'>) };
}

const [AT, END, A, B, C, D, E, I, X] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const STATE = [A, B, C, D, E];
const rotated = (value: Code, by: number): Code => seq(value, int(by), I32_ROTL);
const word = (offset: number): Code => seq(get(I), i32Load(offset));
/** With I from one place in the words to the other. */
const forWords = (from: number, to: number, body: Code): Code =>
  seq(int(from), set(I), until(I, int(to), seq(body, advance(I, int(4)))));

const copy: Code = seq(get(I), get(AT), get(I), I32_ADD, i32Load(0), i32Store(0));
const mixed: Code = rotated(seq(word(52), word(32), I32_XOR, word(8), I32_XOR, word(0), I32_XOR), 1);

function rounds(quarter: number, choice: Code, constant: number): Code {
  const terms = seq(rotated(get(A), 5), choice, I32_ADD, get(E), I32_ADD, int(constant | 0), I32_ADD, word(0), I32_ADD);
  const moved = seq(get(D), set(E), get(C), set(D), rotated(get(B), 30), set(C), get(A), set(B), get(X), set(A));
  return forWords(quarter * 80, (quarter + 1) * 80, seq(terms, set(X), moved));
}

const either: Code = seq(get(D), get(B), get(C), get(D), I32_XOR, I32_AND, I32_XOR);
const odd: Code = seq(get(B), get(C), I32_XOR, get(D), I32_XOR);
const most: Code = seq(get(B), get(C), I32_AND, get(D), get(B), get(C), I32_OR, I32_AND, I32_OR);

export function assembleSha1(): Uint8Array<ArrayBuffer> {
  const stateOf = (k: number): Code => seq(int(0), i32Load(STATE_AT + k * 4));
  const block = seq(
    ...STATE.map((local, k) => seq(stateOf(k), set(local))),
    forWords(0, 64, copy),
    forWords(0, 256, seq(get(I), mixed, i32Store(64))),
    rounds(0, either, 0x5a827999),
    rounds(1, odd, 0x6ed9eba1),
    rounds(2, most, 0x8f1bbcdc),
    rounds(3, odd, 0xca62c1d6),
    ...STATE.map((local, k) => seq(int(0), stateOf(k), get(local), I32_ADD, i32Store(STATE_AT + k * 4))),
    advance(AT, int(BLOCK)),
  );
  // There is at least one block: what is hashed has an end.
  return moduleOf(
    section(1, taking(I32, I32)),
    section(2, [...text('m'), ...text('m'), 2, 0, 0]),
    section(3, [0]),
    section(7, exported('take', 0)),
    section(10, bodyOf([[7, I32]], until(AT, get(END), block))),
  );
}
