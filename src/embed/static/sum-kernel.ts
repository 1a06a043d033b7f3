/**
 * Weighted sums of rows, the inner loops of the built-in model: compiled from sum-kernel.as, and the same in plain
 * JavaScript where SIMD is missing. Products and sums are those of doubles, two at a time, in the order of the
 * JavaScript below, so that both give the same vectors to the last bit.
 *
 *   addFour(sum, a, b, c, d, fa, fb, fc, fd, dims): sum[i] += a[i] * fa + b[i] * fb + c[i] * fc + d[i] * fd
 *   addRow(sum, row, factor, dims), addFloats(sum, row, factor, dims): sum[i] += row[i] * factor
 * Pointers are byte offsets into the memory; sums and the rows of addFloats are floats, all others int8. With SIMD,
 * dims is a multiple of SIMD_DIMS.
 */
import { createMemory, loadKernel } from '../../model/runtime/load-wasm.ts';

const PAGE = 65_536;
/** Dimensions at once: others have to be added up without SIMD. */
export const SIMD_DIMS = 8;

export interface SumKernel {
  /** Zero at first; memory that is not touched is not taken. */
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

/** A kernel with this much memory of its own; if `simd` is false, nothing is compiled. */
export function makeSumKernel(bytes: number, simd: boolean): SumKernel {
  try {
    return (simd && simdKernel(bytes)) || plainKernel(bytes);
  } catch {
    // No room among this process's addresses for memory of that kind.
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
