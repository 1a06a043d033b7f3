/**
 * The inner loops of the vector scan, compiled from vector-kernel.as, and the same loops in JavaScript for machines
 * without SIMD. Rows are int8, the query is int16, sums are int32: `i32x4.dot_i16x8_s` multiplies and adds eight pairs
 * at once. Four rows are processed together, so that each part of the query is loaded once for all of them.
 *
 *  - scan(query, rows, scales, out, count, dims, factor): out[i] = dot(query, rows[i]) * scales[i] * factor
 *  - norms(rows, scales, count, dims): scales[i] = 1 / |rows[i]|, 0 for a zero row
 *  - quantise(values, row, dims): scales float32 values to int8, so that the largest becomes MAX_INT8
 *  - pick(query, rows, scales, list, count, dims, factor): scan() for the rows in the list; each entry of the list is
 *    overwritten by its result
 *  - signs(rows, out, count, dims, stride): the sign bits of each row, `stride` bytes per row
 *  - differ(query, signs, out, count, stride, histogram): out[i] = number of bits that differ between the signs of the
 *    query and of row i; histogram[out[i]]++
 *  - gather(results, list, count, max): writes the indexes of the results up to `max` into the list; returns their
 *    number
 *
 * Pointers are byte offsets into the memory; dims is a multiple of 16, count a multiple of 4 (the memory is padded with
 * zero rows), stride a multiple of SIGN_BYTES.
 */
import { createMemory, loadKernel, type WasmMemory } from '../../model/runtime/load-wasm.ts';

export const ROWS_PER_STEP = 4;
export const MAX_INT8 = 127;
/** A vector with a smaller largest value counts as zero: dividing by it would exceed the range of float32. */
const MIN_LARGEST = 1e-36;
/** The kernel compares the signs of 256 dimensions per step, as four numbers of 64 bits. */
export const SIGN_BYTES = 32;

export interface VectorKernel {
  readonly memory: WasmMemory;
  scan(query: number, rows: number, scales: number, out: number, count: number, dims: number, factor: number): void;
  pick(query: number, rows: number, scales: number, list: number, count: number, dims: number, factor: number): void;
  norms(rows: number, scales: number, count: number, dims: number): void;
  quantise(values: number, row: number, dims: number): void;
  signs(rows: number, out: number, count: number, dims: number, stride: number): void;
  differ(query: number, signs: number, out: number, count: number, stride: number, histogram: number): void;
  gather(results: number, list: number, count: number, max: number): number;
}

/** Creates a kernel with its own memory. */
export function createKernel(options: { readonly simd?: boolean } = {}): VectorKernel {
  const memory = createMemory(1);
  const functions = options.simd === false ? null : loadKernel<Omit<VectorKernel, 'memory'>>('vectors', memory);
  return functions ? { memory, ...functions } : plainKernel(memory);
}

function plainKernel(memory: WasmMemory): VectorKernel {
  return {
    memory,
    scan(query, rows, scales, out, count, dims, factor) {
      const q = new Int16Array(memory.buffer, query, dims);
      const scale = new Float32Array(memory.buffer, scales, count);
      const result = new Float32Array(memory.buffer, out, count);
      const row = new Int8Array(memory.buffer, rows, count * dims);
      for (let i = 0, at = 0; i < count; i++) {
        let sum = 0;
        for (let d = 0; d < dims; d++) sum += q[d]! * row[at++]!;
        result[i] = Math.fround(Math.fround(sum * scale[i]!) * factor);
      }
    },
    pick(query, rows, scales, list, count, dims, factor) {
      const q = new Int16Array(memory.buffer, query, dims);
      const wanted = new Int32Array(memory.buffer, list, count);
      const result = new Float32Array(memory.buffer, list, count);
      for (let i = 0; i < count; i++) {
        const row = new Int8Array(memory.buffer, rows + wanted[i]! * dims, dims);
        const [scale] = new Float32Array(memory.buffer, scales + wanted[i]! * 4, 1);
        let sum = 0;
        for (let d = 0; d < dims; d++) sum += q[d]! * row[d]!;
        result[i] = Math.fround(Math.fround(sum * scale!) * factor);
      }
    },
    norms(rows, scales, count, dims) {
      const scale = new Float32Array(memory.buffer, scales, count);
      const row = new Int8Array(memory.buffer, rows, count * dims);
      for (let i = 0, at = 0; i < count; i++) {
        let sum = 0;
        for (let d = 0; d < dims; d++, at++) sum += row[at]! * row[at]!;
        scale[i] = sum > 0 ? 1 / Math.sqrt(sum) : 0;
      }
    },
    quantise(values, row, dims) {
      const from = new Float32Array(memory.buffer, values, dims);
      const out = new Int8Array(memory.buffer, row, dims);
      let largest = 0;
      for (let d = 0; d < dims; d++) largest = Math.max(largest, Math.abs(from[d]!));
      const factor = largest > MIN_LARGEST ? Math.fround(MAX_INT8 / largest) : 0;
      for (let d = 0; d < dims; d++) out[d] = Math.floor(Math.fround(Math.fround(from[d]! * factor) + 0.5));
    },
    signs(rows, out, count, dims, stride) {
      const row = new Int8Array(memory.buffer, rows, count * dims);
      const bits = new Uint8Array(memory.buffer, out, count * stride);
      for (let i = 0, at = 0; i < count; i++) {
        bits.fill(0, i * stride, i * stride + dims / 8);
        for (let d = 0; d < dims; d++, at++) if (row[at]! < 0) bits[i * stride + (d >> 3)]! |= 1 << (d & 7);
      }
    },
    differ(query, signs, out, count, stride, histogram) {
      const q = new Uint32Array(memory.buffer, query, stride / 4);
      const bits = new Uint32Array(memory.buffer, signs, (count * stride) / 4);
      const result = new Int32Array(memory.buffer, out, count);
      const buckets = new Int32Array(memory.buffer, histogram, stride * 8 + 1);
      for (let i = 0, at = 0; i < count; i++) {
        let sum = 0;
        for (let w = 0; w < q.length; w++) sum += bitCount(q[w]! ^ bits[at++]!);
        result[i] = sum;
        buckets[sum]!++;
      }
    },
    gather(results, list, count, max) {
      const result = new Int32Array(memory.buffer, results, count);
      const numbers = new Int32Array(memory.buffer, list, count);
      let length = 0;
      for (let i = 0; i < count; i++) if (result[i]! <= max) numbers[length++] = i;
      return length;
    },
  };
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
