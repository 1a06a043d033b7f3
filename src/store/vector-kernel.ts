/**
 * The inner loops of the vector scan as a WebAssembly module, assembled here by hand from its instructions (no binary in the repository),
 * and the same in plain JavaScript where SIMD is missing. Rows are int8, the query int16, sums int32: `i32x4.dot_i16x8_s` multiplies and
 * adds eight pairs at once. Four rows go side by side so that each part of the query is loaded once for all of them.
 *
 *   scan(query, rows, scales, out, count, dims, factor): out[i] = dot(query, rows[i]) * scales[i] * factor
 *   norms(rows, scales, count, dims): scales[i] = 1 / |rows[i]|, 0 for a zero row
 *   pick(query, rows, scales, list, count, dims, factor): the same for the rows that the list names; each gives way to its result
 *   signs(rows, out, count, dims, stride): the sign bits of each row, side by side, `stride` bytes a row
 *   differ(query, signs, out, count, stride, histogram): out[i] = in how many bits the query's signs and the row's differ; histogram[out[i]]++
 *   gather(results, list, count, most): the numbers of the results that are at most so much, in order, into the list; returns how many
 * Pointers are byte offsets into the memory; dims is a multiple of 16, count a multiple of 4 (the memory is padded with zero rows), stride a
 * multiple of SIGN_BYTES.
 */
import { assembled, type WasmMemory, wasm } from '../model/wasm.ts';

export interface VectorKernel {
  readonly memory: WasmMemory;
  scan(query: number, rows: number, scales: number, out: number, count: number, dims: number, factor: number): void;
  pick(query: number, rows: number, scales: number, list: number, count: number, dims: number, factor: number): void;
  norms(rows: number, scales: number, count: number, dims: number): void;
  signs(rows: number, out: number, count: number, dims: number, stride: number): void;
  differ(query: number, signs: number, out: number, count: number, stride: number, histogram: number): void;
  gather(results: number, list: number, count: number, most: number): number;
}

export const ROWS_AT_ONCE = 4;
/** Four numbers of 64 bits at once: the signs of 256 dimensions. */
export const SIGN_BYTES = 32;
const I32 = 0x7f;
const I64 = 0x7e;
const F32 = 0x7d;
const V128 = 0x7b;

type Code = readonly number[];

export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const byte = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest ? byte | 0x80 : byte);
  } while (rest);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && !(byte & 0x40)) || (rest === -1 && byte & 0x40)) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

const seq = (...parts: readonly Code[]): Code => parts.flat();
const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number): Code => [0x21, ...unsigned(local)];
const int = (value: number): Code => [0x41, ...signed(value)];
const I32_ADD: Code = [0x6a];
const I32_SUB: Code = [0x6b];
const I32_MUL: Code = [0x6c];
const I32_SHL: Code = [0x74];
const i32Load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
const I32_EQZ: Code = [0x45];
const I32_EQ: Code = [0x46];
const I32_LE: Code = [0x4c]; // signed
const F32_CONVERT_I32: Code = [0xb2];
const F32_MUL: Code = [0x94];
const F32_DIV: Code = [0x95];
const F32_SQRT: Code = [0x91];
const F32_GT: Code = [0x5e];
const f32 = (value: number): Code => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)];
const f32Load = (offset: number): Code => [0x2a, 2, ...unsigned(offset)];
const f32Store = (offset: number): Code => [0x38, 2, ...unsigned(offset)];
const SELECT: Code = [0x1b];
const I32_STORE: Code = [0x36, 2, 0];
const I32_STORE16: Code = [0x3b, 0, 0];
const I64_ZERO: Code = [0x42, 0];
const i64Load = (offset: number): Code => [0x29, 3, ...unsigned(offset)];
const I64_XOR: Code = [0x85];
const I64_POPCNT: Code = [0x7b];
const I64_ADD: Code = [0x7c];
const I32_WRAP_I64: Code = [0xa7];
const simd = (opcode: number, ...rest: number[]): Code => [0xfd, ...unsigned(opcode), ...rest];
const v128Load = (offset: number): Code => simd(0, 0, ...unsigned(offset));
const V128_ZERO: Code = simd(12, ...new Array<number>(16).fill(0));
const EXTEND_LOW: Code = simd(135); // i16x8.extend_low_i8x16_s
const EXTEND_HIGH: Code = simd(136);
const DOT: Code = simd(186); // i32x4.dot_i16x8_s
const V_ADD: Code = simd(174); // i32x4.add
const BITMASK: Code = simd(100); // i8x16.bitmask
const V_LE: Code = simd(61); // i32x4.le_s
const V_SPLAT: Code = simd(17); // i32x4.splat
const ANY_TRUE: Code = simd(83); // v128.any_true
const lane = (index: number): Code => simd(27, index); // i32x4.extract_lane
const advance = (local: number, by: Code): Code => seq(get(local), by, I32_ADD, set(local));
/** Runs the body while the counter, lowered by `step` at its end, is not zero; not at all when it is zero at the start. */
const repeat = (counter: number, step: number, body: Code): Code =>
  seq(
    [0x02, 0x40], // block
    get(counter),
    I32_EQZ,
    [0x0d, 0], // br_if: leave
    [0x03, 0x40], // loop
    body,
    get(counter),
    int(step),
    I32_SUB,
    [0x22, ...unsigned(counter)], // local.tee
    [0x0d, 0], // br_if: again
    [0x0b, 0x0b],
  );
const sumLanes = (vector: number): Code =>
  seq(
    get(vector),
    lane(0),
    get(vector),
    lane(1),
    I32_ADD,
    get(vector),
    lane(2),
    I32_ADD,
    get(vector),
    lane(3),
    I32_ADD,
  );

function section(id: number, ...items: readonly Code[]): Code {
  const body = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(body.length), ...body];
}

function bodyOf(locals: readonly (readonly [count: number, type: number])[], code: Code): Code {
  const body = [...unsigned(locals.length), ...locals.flatMap(([n, type]) => [...unsigned(n), type]), ...code, 0x0b];
  return [...unsigned(body.length), ...body];
}

const text = (value: string): Code => [value.length, ...Buffer.from(value)];

/** The product of the query with four rows, of which `pointers` are set. */
function fourRows(query: number, dims: number, [row, q, left]: Pointers, [sums, part, qLow, qHigh]: Registers): Code {
  const inner = seq(
    get(q),
    v128Load(0),
    set(qLow),
    get(q),
    v128Load(16),
    set(qHigh),
    ...row.map((pointer, r) =>
      seq(
        get(pointer),
        v128Load(0),
        set(part),
        get(sums[r]!),
        get(part),
        EXTEND_LOW,
        get(qLow),
        DOT,
        V_ADD,
        get(part),
        EXTEND_HIGH,
        get(qHigh),
        DOT,
        V_ADD,
        set(sums[r]!),
        advance(pointer, int(16)),
      ),
    ),
    advance(q, int(32)),
  );
  return seq(
    ...sums.map((sum) => seq(V128_ZERO, set(sum))),
    get(query),
    set(q),
    get(dims),
    set(left),
    repeat(left, 16, inner),
  );
}
type Pointers = readonly [rows: readonly number[], query: number, left: number];
type Registers = readonly [sums: readonly number[], part: number, queryLow: number, queryHigh: number];

/** Four rows at a time: where they are, what each result is multiplied with and written to, and how to get to the next four. */
function rowsBody(
  begin: (row: readonly number[]) => Code,
  scaleOf: (r: number) => Code,
  out: number,
  next: Code,
): Code {
  const [query, count, dims, factor] = [0, 4, 5, 6];
  const row = [7, 8, 9, 10];
  const sums = [13, 14, 15, 16];
  const outer = seq(
    begin(row),
    fourRows(query!, dims!, [row, 11, 12], [sums, 17, 18, 19]),
    ...sums.map((sum, r) =>
      seq(get(out), sumLanes(sum), F32_CONVERT_I32, scaleOf(r), F32_MUL, get(factor!), F32_MUL, f32Store(r * 4)),
    ),
    next,
  );
  return bodyOf(
    [
      [6, I32],
      [7, V128],
    ],
    repeat(count!, ROWS_AT_ONCE, outer),
  );
}

function scanBody(): Code {
  const [rows, scales, out, dims] = [1, 2, 3, 5];
  const begin = (row: readonly number[]) =>
    seq(
      get(rows!),
      set(row[0]!),
      ...[1, 2, 3].map((r) => seq(get(row[r - 1]!), get(dims!), I32_ADD, set(row[r]!))),
      seq(get(row[3]!), get(dims!), I32_ADD, set(rows!)),
    );
  const next = seq(advance(out!, int(16)), advance(scales!, int(16)));
  return rowsBody(begin, (r) => seq(get(scales!), f32Load(r * 4)), out!, next);
}

function pickBody(): Code {
  const [rows, scales, list, dims] = [1, 2, 3, 5];
  const numberOf = (r: number) => seq(get(list!), i32Load(r * 4));
  const begin = (row: readonly number[]) =>
    seq(...row.map((pointer, r) => seq(get(rows!), numberOf(r), get(dims!), I32_MUL, I32_ADD, set(pointer))));
  const scaleOf = (r: number) => seq(get(scales!), numberOf(r), int(2), I32_SHL, I32_ADD, f32Load(0));
  return rowsBody(begin, scaleOf, list!, advance(list!, int(16)));
}

function normsBody(): Code {
  const [rows, scales, count, dims, left, sum, part, low] = [0, 1, 2, 3, 4, 5, 6, 7];
  const square = (extend: Code): Code =>
    seq(get(part!), extend, set(low!), get(sum!), get(low!), get(low!), DOT, V_ADD, set(sum!));
  const inner = seq(
    get(rows!),
    v128Load(0),
    set(part!),
    square(EXTEND_LOW),
    square(EXTEND_HIGH),
    advance(rows!, int(16)),
  );
  const outer = seq(
    V128_ZERO,
    set(sum!),
    get(dims!),
    set(left!),
    repeat(left!, 16, inner),
    get(scales!),
    f32(1),
    sumLanes(sum!),
    F32_CONVERT_I32,
    F32_SQRT,
    F32_DIV,
    f32(0),
    sumLanes(sum!),
    F32_CONVERT_I32,
    f32(0),
    F32_GT,
    SELECT,
    f32Store(0),
    advance(scales!, int(4)),
  );
  return bodyOf(
    [
      [1, I32],
      [3, V128],
    ],
    repeat(count!, 1, outer),
  );
}

function signsBody(): Code {
  const [rows, out, count, dims, stride, left, at] = [0, 1, 2, 3, 4, 5, 6];
  const inner = seq(
    get(at!),
    get(rows!),
    v128Load(0),
    BITMASK,
    I32_STORE16,
    advance(rows!, int(16)),
    advance(at!, int(2)),
  );
  const outer = seq(get(out!), set(at!), get(dims!), set(left!), repeat(left!, 16, inner), advance(out!, get(stride!)));
  return bodyOf([[2, I32]], repeat(count!, 1, outer));
}

function differBody(): Code {
  const [query, signs, out, count, stride, histogram, q, left, bucket, differing, sum] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  const words = [0, 8, 16, 24];
  const wordsOfQuery = [11, 12, 13, 14];
  const differingIn = (offset: number, ofQuery: Code): Code =>
    seq(ofQuery, get(signs!), i64Load(offset), I64_XOR, I64_POPCNT);
  const note = seq(
    seq(get(out!), get(differing!), I32_STORE),
    seq(get(histogram!), get(differing!), int(2), I32_SHL, I32_ADD, set(bucket!)),
    seq(get(bucket!), get(bucket!), i32Load(0), int(1), I32_ADD, I32_STORE),
    advance(out!, int(4)),
  );
  // As many signs as most models have: the query's are read once, and a row needs no loop of its own.
  const short = seq(
    ...words.map((offset, i) => seq(get(query!), i64Load(offset), set(wordsOfQuery[i]!))),
    repeat(
      count!,
      1,
      seq(
        ...words.map((offset, i) => seq(differingIn(offset, get(wordsOfQuery[i]!)), i === 0 ? [] : I64_ADD)),
        seq(I32_WRAP_I64, set(differing!)),
        advance(signs!, int(SIGN_BYTES)),
        note,
      ),
    ),
  );
  const inner = seq(
    get(sum!),
    ...words.map((offset) => seq(differingIn(offset, seq(get(q!), i64Load(offset))), I64_ADD)),
    set(sum!),
    advance(q!, int(SIGN_BYTES)),
    advance(signs!, int(SIGN_BYTES)),
  );
  const long = repeat(
    count!,
    1,
    seq(
      seq(I64_ZERO, set(sum!)),
      seq(get(query!), set(q!), get(stride!), set(left!)),
      repeat(left!, SIGN_BYTES, inner),
      seq(get(sum!), I32_WRAP_I64, set(differing!)),
      note,
    ),
  );
  return bodyOf(
    [
      [4, I32],
      [5, I64],
    ],
    seq(get(stride!), int(SIGN_BYTES), I32_EQ, [0x04, 0x40], short, [0x05], long, [0x0b]),
  );
}

/** Four results are compared at once; where one of them fits, each is written behind the list, which grows by those that do. */
function gatherBody(): Code {
  const [results, list, count, most, row, length, four] = [0, 1, 2, 3, 4, 5, 6];
  const each = (r: number) =>
    seq(
      seq(get(list!), get(length!), int(2), I32_SHL, I32_ADD, get(row!), int(r), I32_ADD, I32_STORE),
      seq(get(length!), get(results!), i32Load(r * 4), get(most!), I32_LE, I32_ADD, set(length!)),
    );
  const outer = seq(
    seq(get(results!), v128Load(0), get(four!), V_LE, ANY_TRUE),
    [0x04, 0x40], // if
    ...[0, 1, 2, 3].map(each),
    [0x0b],
    advance(results!, int(16)),
    advance(row!, int(4)),
  );
  return bodyOf(
    [
      [2, I32],
      [1, V128],
    ],
    seq(get(most!), V_SPLAT, set(four!), repeat(count!, ROWS_AT_ONCE, outer), get(length!)),
  );
}

export function assembleKernel(): Uint8Array<ArrayBuffer> {
  const ints = (count: number): Code => [0x60, count, ...new Array<number>(count).fill(I32), 0];
  const types = section(1, [0x60, 7, I32, I32, I32, I32, I32, I32, F32, 0], ints(4), ints(5), ints(6), [
    0x60,
    4,
    I32,
    I32,
    I32,
    I32,
    1,
    I32,
  ]);
  const imports = section(2, [...text('env'), ...text('memory'), 0x02, 0x00, 0x01]);
  const functions = section(3, [0], [0], [1], [2], [3], [4]);
  const names = ['scan', 'pick', 'norms', 'signs', 'differ', 'gather'];
  const exports = section(7, ...names.map((name, i) => [...text(name), 0, i]));
  const code = section(10, scanBody(), pickBody(), normsBody(), signsBody(), differBody(), gatherBody());
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...imports, ...functions, ...exports, ...code]);
}

let compiled: object | null | undefined;

/** A kernel with a memory of its own. */
export function createKernel(options: { readonly simd?: boolean } = {}): VectorKernel {
  const memory = new wasm.Memory({ initial: 1 });
  if (options.simd === false) return plainKernel(memory);
  if (compiled === undefined) {
    const bytes = assembled('vectors', assembleKernel);
    compiled = wasm.validate(bytes) ? new wasm.Module(bytes) : null;
  }
  if (!compiled) return plainKernel(memory);
  return { memory, ...(new wasm.Instance(compiled, { env: { memory } }).exports as Omit<VectorKernel, 'memory'>) };
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
    gather(results, list, count, most) {
      const result = new Int32Array(memory.buffer, results, count);
      const numbers = new Int32Array(memory.buffer, list, count);
      let length = 0;
      for (let i = 0; i < count; i++) if (result[i]! <= most) numbers[length++] = i;
      return length;
    },
  };
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
