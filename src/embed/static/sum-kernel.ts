/**
 * Weighted sums of rows, the inner loops of the built-in model, as a WebAssembly module that is assembled here from its instructions, and the
 * same in plain JavaScript where SIMD is missing. Products and sums are those of doubles, two at a time, in the order of the JavaScript below,
 * so that both give the same vectors to the last bit.
 *
 *   addFour(sum, a, b, c, d, fa, fb, fc, fd, dims): sum[i] += a[i] * fa + b[i] * fb + c[i] * fc + d[i] * fd
 *   addRow(sum, row, factor, dims), addFloats(sum, row, factor, dims): sum[i] += row[i] * factor
 * Pointers are byte offsets into the memory; sums and the rows of addFloats are floats, all others int8. With SIMD, dims is a multiple of SIMD_DIMS.
 */
import { assembled, wasm } from '../../model/runtime/load-wasm.ts';
import {
  advance,
  bodyOf,
  type Code,
  exported,
  F64,
  get,
  I32,
  int,
  moduleOf,
  repeat,
  section,
  set,
  simd,
  taking,
  text,
  V128,
  v128Load,
} from '../../model/runtime/wasm-code.ts';

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

/** A kernel with so much memory of its own; nothing is assembled and compiled where `simd` is false. */
export function makeSumKernel(bytes: number, simd: boolean): SumKernel {
  try {
    return (simd && simdKernel(bytes)) || plainKernel(bytes);
  } catch {
    // No room among this process's addresses for memory of that kind.
    return plainKernel(bytes);
  }
}

function simdKernel(bytes: number): SumKernel | null {
  const module = assembled('sums', assembleSums);
  if (!wasm.validate(module)) return null;
  const memory = new wasm.Memory({ initial: Math.ceil(bytes / PAGE) });
  const { exports } = new wasm.Instance(new wasm.Module(module), { m: { m: memory } });
  const { addFour, addRow, addFloats } = exports as SumKernel;
  return { buffer: memory.buffer, addFour, addRow, addFloats };
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

const PAGE = 65_536;
/** Dimensions at once: others have to be added up without SIMD. */
export const SIMD_DIMS = 8;
const add = (local: number, by: number): Code => advance(local, int(by));
const LOAD: Code = v128Load(0);
const LOAD_8_AS_16: Code = simd(1, 0, 0); // v128.load8x8_s
const STORE: Code = simd(11, 0, 0);
const SPLAT: Code = simd(20); // f64x2.splat
const TO_FLOATS: Code = simd(94); // f32x4.demote_f64x2_zero
const TO_DOUBLES: Code = simd(95); // f64x2.promote_low_f32x4
const EXTEND_LOW: Code = simd(167); // i32x4.extend_low_i16x8_s
const EXTEND_HIGH: Code = simd(168);
const ADD: Code = simd(240); // f64x2.add
const MULTIPLY: Code = simd(242);
const AS_DOUBLES: Code = simd(254); // f64x2.convert_low_i32x4_s
const eight = (from: number): Code => Array.from({ length: 8 }, (_, i) => from + i);
/** The upper half of a vector, twice. */
const upper = (local: number): Code => [...get(local), ...get(local), ...simd(13, ...eight(8), ...eight(8))];
/** The lower halves of the two on the stack. */
const JOIN: Code = simd(13, ...eight(0), ...eight(16));

/** Two floats of the sum, of which `from` gives the doubles, and two more: both with what is added to them, as floats again. */
const added = (floats: number, [low, high]: readonly [Code, Code]): Code => [
  ...[...get(floats), ...TO_DOUBLES, ...low, ...ADD, ...TO_FLOATS],
  ...[...upper(floats), ...TO_DOUBLES, ...high, ...ADD, ...TO_FLOATS],
  ...JOIN,
];

/** sum[i] += Σ row[i] * factor for rows of int8: `rows` and `factors` are parameters, the locals after `dims` are free. */
function bytesBody(rows: readonly number[], factors: readonly number[], dims: number): Code {
  const sum = 0;
  const splats = factors.map((_, r) => dims + 1 + r);
  const totals = [0, 1, 2, 3].map((k) => dims + 1 + rows.length + k);
  const [part, floats] = [dims + rows.length + 5, dims + rows.length + 6];
  const eightOf = (row: number, r: number): Code =>
    totals.flatMap((total, k) => [
      // Of the eight, those of a quarter as doubles.
      ...(k === 0 ? [...get(row), ...LOAD_8_AS_16, ...EXTEND_LOW, ...set(part)] : []),
      ...(k === 2 ? [...get(row), ...LOAD_8_AS_16, ...EXTEND_HIGH, ...set(part)] : []),
      ...(r > 0 ? get(total) : []),
      ...(k % 2 === 0 ? get(part) : upper(part)),
      ...[...AS_DOUBLES, ...get(splats[r]!), ...MULTIPLY],
      ...(r > 0 ? ADD : []),
      ...set(total),
    ]);
  const fourFloats = (low: number, high: number): Code => [
    ...[...get(sum), ...LOAD, ...set(floats)],
    ...[...get(sum), ...added(floats, [get(low), get(high)]), ...STORE],
    ...add(sum, 16),
  ];
  const code = [
    ...factors.flatMap((factor, r) => [...get(factor), ...SPLAT, ...set(splats[r]!)]),
    ...repeat(dims, SIMD_DIMS, [
      ...rows.flatMap(eightOf),
      ...fourFloats(totals[0]!, totals[1]!),
      ...fourFloats(totals[2]!, totals[3]!),
      ...rows.flatMap((row) => add(row, 8)),
    ]),
  ];
  return bodyOf([[rows.length + 6, V128]], code);
}

function floatsBody(): Code {
  const [sum, row, factor, dims, splat, floats, part] = [0, 1, 2, 3, 4, 5, 6];
  const product = (doubles: Code): Code => [...doubles, ...TO_DOUBLES, ...get(splat), ...MULTIPLY];
  return bodyOf(
    [[3, V128]],
    [
      ...[...get(factor), ...SPLAT, ...set(splat)],
      ...repeat(dims, 4, [
        ...[...get(sum), ...LOAD, ...set(floats), ...get(row), ...LOAD, ...set(part)],
        ...[...get(sum), ...added(floats, [product(get(part)), product(upper(part))]), ...STORE],
        ...[...add(sum, 16), ...add(row, 16)],
      ]),
    ],
  );
}

export const assembleSums = (): Uint8Array =>
  moduleOf(
    section(1, taking(...Array(5).fill(I32), ...Array(4).fill(F64), I32), taking(I32, I32, F64, I32)),
    section(2, [...text('m'), ...text('m'), 2, 0, 0]),
    section(3, [0], [1], [1]),
    section(7, exported('addFour', 0), exported('addRow', 1), exported('addFloats', 2)),
    section(10, bytesBody([1, 2, 3, 4], [5, 6, 7, 8], 9), bytesBody([1], [2], 3), floatsBody()),
  );
