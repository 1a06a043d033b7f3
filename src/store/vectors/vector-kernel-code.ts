/** The loops of vector-kernel.ts by their instructions. */
import {
  ANY_TRUE,
  advance,
  BITMASK,
  bodyOf,
  type Code,
  DOT,
  EXTEND_HIGH,
  EXTEND_LOW,
  exported,
  F32,
  F32_CONVERT_I32,
  F32_DIV,
  F32_GT,
  F32_MUL,
  F32_SQRT,
  f32,
  f32Load,
  f32Store,
  get,
  I32,
  I32_ADD,
  I32_EQ,
  I32_LE,
  I32_MUL,
  I32_SHL,
  I32_STORE16,
  I32_WRAP_I64,
  I64,
  I64_ADD,
  I64_POPCNT,
  I64_XOR,
  I64_ZERO,
  i32Load,
  i32Store,
  i64Load,
  int,
  lane,
  moduleOf,
  repeat,
  SELECT,
  section,
  seq,
  set,
  taking,
  text,
  V_ADD,
  V_LE,
  V_SPLAT,
  V128,
  V128_ZERO,
  v128Load,
} from '../../model/runtime/wasm-code.ts';

export const ROWS_AT_ONCE = 4;
/** Four numbers of 64 bits at once: the signs of 256 dimensions. */
export const SIGN_BYTES = 32;

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
    fourRows(query, dims, [row, 11, 12], [sums, 17, 18, 19]),
    ...sums.map((sum, r) =>
      seq(get(out), sumLanes(sum), F32_CONVERT_I32, scaleOf(r), F32_MUL, get(factor), F32_MUL, f32Store(r * 4)),
    ),
    next,
  );
  return bodyOf(
    [
      [6, I32],
      [7, V128],
    ],
    repeat(count, ROWS_AT_ONCE, outer),
  );
}

function scanBody(): Code {
  const [rows, scales, out, dims] = [1, 2, 3, 5];
  const begin = (row: readonly number[]) =>
    seq(
      get(rows),
      set(row[0]!),
      ...[1, 2, 3].map((r) => seq(get(row[r - 1]!), get(dims), I32_ADD, set(row[r]!))),
      seq(get(row[3]!), get(dims), I32_ADD, set(rows)),
    );
  const next = seq(advance(out, int(16)), advance(scales, int(16)));
  return rowsBody(begin, (r) => seq(get(scales), f32Load(r * 4)), out, next);
}

function pickBody(): Code {
  const [rows, scales, list, dims] = [1, 2, 3, 5];
  const numberOf = (r: number) => seq(get(list), i32Load(r * 4));
  const begin = (row: readonly number[]) =>
    seq(...row.map((pointer, r) => seq(get(rows), numberOf(r), get(dims), I32_MUL, I32_ADD, set(pointer))));
  const scaleOf = (r: number) => seq(get(scales), numberOf(r), int(2), I32_SHL, I32_ADD, f32Load(0));
  return rowsBody(begin, scaleOf, list, advance(list, int(16)));
}

function normsBody(): Code {
  const [rows, scales, count, dims, left, sum, part, low] = [0, 1, 2, 3, 4, 5, 6, 7];
  const square = (extend: Code): Code =>
    seq(get(part), extend, set(low), get(sum), get(low), get(low), DOT, V_ADD, set(sum));
  const inner = seq(get(rows), v128Load(0), set(part), square(EXTEND_LOW), square(EXTEND_HIGH), advance(rows, int(16)));
  const outer = seq(
    V128_ZERO,
    set(sum),
    get(dims),
    set(left),
    repeat(left, 16, inner),
    get(scales),
    f32(1),
    sumLanes(sum),
    F32_CONVERT_I32,
    F32_SQRT,
    F32_DIV,
    f32(0),
    sumLanes(sum),
    F32_CONVERT_I32,
    f32(0),
    F32_GT,
    SELECT,
    f32Store(0),
    advance(scales, int(4)),
  );
  return bodyOf(
    [
      [1, I32],
      [3, V128],
    ],
    repeat(count, 1, outer),
  );
}

function signsBody(): Code {
  const [rows, out, count, dims, stride, left, at] = [0, 1, 2, 3, 4, 5, 6];
  const inner = seq(get(at), get(rows), v128Load(0), BITMASK, I32_STORE16, advance(rows, int(16)), advance(at, int(2)));
  const outer = seq(get(out), set(at), get(dims), set(left), repeat(left, 16, inner), advance(out, get(stride)));
  return bodyOf([[2, I32]], repeat(count, 1, outer));
}

function differBody(): Code {
  const [query, signs, out, count, stride, histogram, q, left, bucket, differing, sum] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  const words = [0, 8, 16, 24];
  const wordsOfQuery = [11, 12, 13, 14];
  const differingIn = (offset: number, ofQuery: Code): Code =>
    seq(ofQuery, get(signs), i64Load(offset), I64_XOR, I64_POPCNT);
  const note = seq(
    seq(get(out), get(differing), i32Store(0)),
    seq(get(histogram), get(differing), int(2), I32_SHL, I32_ADD, set(bucket)),
    seq(get(bucket), get(bucket), i32Load(0), int(1), I32_ADD, i32Store(0)),
    advance(out, int(4)),
  );
  // As many signs as most models have: the query's are read once, and a row needs no loop of its own.
  const short = seq(
    ...words.map((offset, i) => seq(get(query), i64Load(offset), set(wordsOfQuery[i]!))),
    repeat(
      count,
      1,
      seq(
        ...words.map((offset, i) => seq(differingIn(offset, get(wordsOfQuery[i]!)), i === 0 ? [] : I64_ADD)),
        seq(I32_WRAP_I64, set(differing)),
        advance(signs, int(SIGN_BYTES)),
        note,
      ),
    ),
  );
  const inner = seq(
    get(sum),
    ...words.map((offset) => seq(differingIn(offset, seq(get(q), i64Load(offset))), I64_ADD)),
    set(sum),
    advance(q, int(SIGN_BYTES)),
    advance(signs, int(SIGN_BYTES)),
  );
  const long = repeat(
    count,
    1,
    seq(
      seq(I64_ZERO, set(sum)),
      seq(get(query), set(q), get(stride), set(left)),
      repeat(left, SIGN_BYTES, inner),
      seq(get(sum), I32_WRAP_I64, set(differing)),
      note,
    ),
  );
  return bodyOf(
    [
      [4, I32],
      [5, I64],
    ],
    seq(get(stride), int(SIGN_BYTES), I32_EQ, [0x04, 0x40], short, [0x05], long, [0x0b]),
  );
}

/** Four results are compared at once; where one of them fits, each is written behind the list, which grows by those that do. */
function gatherBody(): Code {
  const [results, list, count, most, row, length, four] = [0, 1, 2, 3, 4, 5, 6];
  const each = (r: number) =>
    seq(
      seq(get(list), get(length), int(2), I32_SHL, I32_ADD, get(row), int(r), I32_ADD, i32Store(0)),
      seq(get(length), get(results), i32Load(r * 4), get(most), I32_LE, I32_ADD, set(length)),
    );
  const outer = seq(
    seq(get(results), v128Load(0), get(four), V_LE, ANY_TRUE),
    [0x04, 0x40], // if
    ...[0, 1, 2, 3].map(each),
    [0x0b],
    advance(results, int(16)),
    advance(row, int(4)),
  );
  return bodyOf(
    [
      [2, I32],
      [1, V128],
    ],
    seq(get(most), V_SPLAT, set(four), repeat(count, ROWS_AT_ONCE, outer), get(length)),
  );
}

export function assembleKernel(): Uint8Array<ArrayBuffer> {
  const ints = (count: number): number[] => new Array<number>(count).fill(I32);
  const names = ['scan', 'pick', 'norms', 'signs', 'differ', 'gather'];
  return moduleOf(
    section(1, taking(...ints(6), F32), taking(...ints(4)), taking(...ints(5)), taking(...ints(6)), [
      0x60,
      4,
      ...ints(4),
      1,
      I32,
    ]),
    section(2, [...text('env'), ...text('memory'), 0x02, 0x00, 0x01]),
    section(3, [0], [0], [1], [2], [3], [4]),
    section(7, ...names.map(exported)),
    section(10, scanBody(), pickBody(), normsBody(), signsBody(), differBody(), gatherBody()),
  );
}
