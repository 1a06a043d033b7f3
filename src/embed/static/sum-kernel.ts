/**
 * Weighted sums of rows, the inner loops of the built-in model: compiled from sum-kernel.as, with a plain JavaScript
 * twin for machines without SIMD. Both compute in doubles in the same order, so that they give the same bits.
 *
 *   addFour(sum, a, b, c, d, fa, fb, fc, fd, dims): sum[i] += a[i] * fa + b[i] * fb + c[i] * fc + d[i] * fd
 *   addRow(sum, row, factor, dims), addFloats(sum, row, factor, dims): sum[i] += row[i] * factor
 * Pointers are byte offsets into the memory; sums and the rows of addFloats are floats, all others int8. With SIMD,
 * dims is a multiple of SIMD_DIMS.
 */
import { createMemory, loadKernel } from '../../model/runtime/load-wasm.ts';

const PAGE = 65_536;
/** The number of dimensions must be a multiple of this for the SIMD kernel. */
export const SIMD_DIMS = 8;

export interface SumKernel {
  /** Initially zero; untouched pages take no memory. */
  readonly buffer: ArrayBuffer;
  addFour(
    sum: number,
    a: number,
    b: number,
    c: number,
    d: number,
    fa: number,
    fb: number,
    fc: number,
    fd: number,
    dims: number,
  ): void;
  addRow(sum: number, row: number, factor: number, dims: number): void;
  addFloats(sum: number, row: number, factor: number, dims: number): void;
}

/** A kernel with its own memory; without `simd`, nothing is compiled. */
export function makeSumKernel(bytes: number, simd: boolean): SumKernel {
  try {
    return (simd && simdKernel(bytes)) || plainKernel(bytes);
  } catch {
    // The process has no address space left for WebAssembly memory.
    return plainKernel(bytes);
  }
}

function simdKernel(bytes: number): SumKernel | null {
  const memory = createMemory(Math.ceil(bytes / PAGE));
  const functions = loadKernel<Omit<SumKernel, 'buffer'>>('sums', memory);
  return functions && { buffer: memory.buffer, ...functions };
}

function plainKernel(size: number): SumKernel {
  const buffer = new ArrayBuffer(Math.ceil(size / PAGE) * PAGE);
  const floats = new Float32Array(buffer);
  const bytes = new Int8Array(buffer);
  return {
    buffer,
    addFour(sum, a, b, c, d, fa, fb, fc, fd, dims) {
      for (let i = 0; i < dims; i++)
        floats[(sum >> 2) + i]! += bytes[a + i]! * fa + bytes[b + i]! * fb + bytes[c + i]! * fc + bytes[d + i]! * fd;
    },
    addRow(sum, row, factor, dims) {
      for (let i = 0; i < dims; i++) floats[(sum >> 2) + i]! += bytes[row + i]! * factor;
    },
    addFloats(sum, row, factor, dims) {
      for (let i = 0; i < dims; i++) floats[(sum >> 2) + i]! += floats[(row >> 2) + i]! * factor;
    },
  };
}
