/**
 * Parses a JSON list of plain numbers from its bytes, three times as fast as through strings and doubles: in
 * WebAssembly (number-kernel.as) for lists of common lengths, otherwise with the same loop in TypeScript.
 */
import { createMemory, loadKernel } from '../../../model/runtime/load-wasm.ts';

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CLOSE = 0x5d;
const COMMA = 0x2c;
/** Numbers with at most this many digits fit into an exact integer. */
const MAX_DIGITS = 15;
const POWERS = Array.from({ length: 40 }, (_, i) => 10 ** i);

export interface ReadNumbers {
  /** Valid until the next list is read. */
  readonly values: Float32Array;
  /** The offset behind the closing bracket. */
  readonly end: number;
}

/**
 * Parses the list at `open`. Returns null if it holds anything but plain numbers or is not JSON: the caller then uses
 * JSON.parse.
 */
export function readNumbers(bytes: Uint8Array, open: number): ReadNumbers | null {
  return readFast(bytes, open) ?? readWithoutKernel(bytes, open);
}

interface NumberKernel {
  /**
   * Reads the list at `list` into floats at `out`. Returns their number and writes the length of the list to `end`.
   * Returns -1 if it is not a plain list of at most `most` numbers whose exponents are in the table of powers.
   */
  read(list: number, out: number, most: number, powers: number, powerCount: number, end: number): number;
}

const MAX_NUMBERS = 4096;
const MAX_LIST_BYTES = 96 << 10;
/** Offsets of the kernel's memory. */
const OUT = 1024;
const POWERS_AT = 512;
const LIST = OUT + MAX_NUMBERS * 4;
const memory = createMemory(Math.ceil((LIST + MAX_LIST_BYTES + 1) / 65536));
// The memory never grows, so its views stay valid.
const bytesOf = new Uint8Array(memory.buffer);
const lengthOf = new Uint32Array(memory.buffer, 0, 1);
let kernel: NumberKernel | null | undefined;

function readFast(bytes: Uint8Array, open: number): ReadNumbers | null {
  if (kernel === undefined) {
    kernel = loadKernel<NumberKernel>('numbers', memory);
    new Float64Array(memory.buffer, POWERS_AT, POWERS.length).set(POWERS);
  }
  const close = kernel ? bytes.indexOf(CLOSE, open) : -1;
  if (!kernel || close < 0 || close - open >= MAX_LIST_BYTES) return null;
  bytesOf.set(bytes.subarray(open, close + 1), LIST);
  const count = kernel.read(LIST, OUT, MAX_NUMBERS, POWERS_AT, POWERS.length, 0);
  if (count < 0) return null;
  return { values: new Float32Array(memory.buffer, OUT, count), end: open + lengthOf[0]! };
}

let held = new Float32Array(1024);

/** The plain twin of the kernel. */
export function readWithoutKernel(bytes: Uint8Array, open: number): ReadNumbers | null {
  let count = 0;
  let at = skip(bytes, open + 1);
  for (;;) {
    const negative = bytes[at] === MINUS;
    if (negative) at++;
    const first = at;
    let digits = 0;
    let whole = 0;
    let behind = 0;
    let byte = bytes[at]!;
    for (; byte >= ZERO && byte <= NINE; byte = bytes[++at]!)
      if (digits < MAX_DIGITS) {
        whole = whole * 10 + (byte - ZERO);
        digits++;
      } else behind--;
    if (at === first || (bytes[first] === ZERO && at > first + 1)) return null;
    if (byte === POINT) {
      const point = at;
      for (byte = bytes[++at]!; byte >= ZERO && byte <= NINE; byte = bytes[++at]!)
        if (digits < MAX_DIGITS) {
          whole = whole * 10 + (byte - ZERO);
          digits += whole > 0 ? 1 : 0;
          behind++;
        }
      if (at === point + 1) return null;
    }
    if (byte === 0x65 || byte === 0x45) {
      const exponent = readExponent(bytes, at + 1);
      if (!exponent) return null;
      behind -= exponent.value;
      at = exponent.end;
    }
    if (count === held.length) held = grown(held);
    held[count++] = scaled(negative ? -whole : whole, behind);
    at = skip(bytes, at);
    if (bytes[at] === CLOSE) return { values: held.subarray(0, count), end: at + 1 };
    if (bytes[at] !== COMMA) return null;
    at = skip(bytes, at + 1);
  }
}

function readExponent(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } | null {
  const negative = bytes[from] === MINUS;
  const start = negative || bytes[from] === 0x2b ? from + 1 : from;
  let at = start;
  let value = 0;
  for (; bytes[at]! >= ZERO && bytes[at]! <= NINE && at < start + 4; at++) value = value * 10 + (bytes[at]! - ZERO);
  return at === start ? null : { value: negative ? -value : value, end: at };
}

function scaled(whole: number, behind: number): number {
  if (behind === 0) return whole;
  if (behind > 0 && behind < POWERS.length) return whole / POWERS[behind]!;
  return whole * 10 ** -behind;
}

function skip(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

function grown(values: Float32Array): Float32Array<ArrayBuffer> {
  const more = new Float32Array(values.length * 2);
  more.set(values);
  return more;
}
