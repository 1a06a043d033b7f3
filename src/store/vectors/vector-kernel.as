// The SIMD loops of vector-kernel.ts, in AssemblyScript; the build compiles them. The plain twins and the meaning of each function stand there.

/** Adds up the lanes of four int32 sums. */
// @ts-ignore: decorator
@inline
function total(sum: v128): i32 {
  return (
    i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)
  );
}

/** The sum with the products of 16 int8 of a row and 16 int16 of the query. */
// @ts-ignore: decorator
@inline
function addProducts(sum: v128, row: usize, queryLow: v128, queryHigh: v128): v128 {
  const part = v128.load(row);
  const low = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(part), queryLow));
  return i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(part), queryHigh));
}

/** Four rows side by side, so that each part of the query is loaded once for all of them. */
// @ts-ignore: decorator
@inline
function scoreFour(
  query: usize, dims: i32, row0: usize, row1: usize, row2: usize, row3: usize,
  scale0: f32, scale1: f32, scale2: f32, scale3: f32, factor: f32, out: usize,
): void {
  let sum0 = i32x4.splat(0);
  let sum1 = i32x4.splat(0);
  let sum2 = i32x4.splat(0);
  let sum3 = i32x4.splat(0);
  for (let d = 0; d < dims; d += 16) {
    const at = <usize>d;
    const queryLow = v128.load(query + (at << 1));
    const queryHigh = v128.load(query + (at << 1), 16);
    sum0 = addProducts(sum0, row0 + at, queryLow, queryHigh);
    sum1 = addProducts(sum1, row1 + at, queryLow, queryHigh);
    sum2 = addProducts(sum2, row2 + at, queryLow, queryHigh);
    sum3 = addProducts(sum3, row3 + at, queryLow, queryHigh);
  }
  store<f32>(out, <f32>total(sum0) * scale0 * factor);
  store<f32>(out, <f32>total(sum1) * scale1 * factor, 4);
  store<f32>(out, <f32>total(sum2) * scale2 * factor, 8);
  store<f32>(out, <f32>total(sum3) * scale3 * factor, 12);
}

export function scan(query: usize, rows: usize, scales: usize, out: usize, count: i32, dims: i32, factor: f32): void {
  const stride = <usize>dims;
  for (let i = 0; i < count; i += 4) {
    const at = <usize>i << 2;
    const row = rows + <usize>i * stride;
    scoreFour(
      query, dims, row, row + stride, row + 2 * stride, row + 3 * stride,
      load<f32>(scales + at), load<f32>(scales + at, 4), load<f32>(scales + at, 8), load<f32>(scales + at, 12),
      factor, out + at,
    );
  }
}

export function pick(query: usize, rows: usize, scales: usize, list: usize, count: i32, dims: i32, factor: f32): void {
  const stride = <usize>dims;
  for (let i = 0; i < count; i += 4) {
    const at = list + (<usize>i << 2);
    const n0 = <usize>load<u32>(at);
    const n1 = <usize>load<u32>(at, 4);
    const n2 = <usize>load<u32>(at, 8);
    const n3 = <usize>load<u32>(at, 12);
    scoreFour(
      query, dims, rows + n0 * stride, rows + n1 * stride, rows + n2 * stride, rows + n3 * stride,
      load<f32>(scales + (n0 << 2)), load<f32>(scales + (n1 << 2)), load<f32>(scales + (n2 << 2)),
      load<f32>(scales + (n3 << 2)), factor, at,
    );
  }
}

export function norms(rows: usize, scales: usize, count: i32, dims: i32): void {
  for (let i = 0; i < count; i++) {
    let sum = i32x4.splat(0);
    for (let d = 0; d < dims; d += 16) {
      const part = v128.load(rows);
      const low = i16x8.extend_low_i8x16_s(part);
      const high = i16x8.extend_high_i8x16_s(part);
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(low, low));
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(high, high));
      rows += 16;
    }
    const length = <f32>total(sum);
    store<f32>(scales + (<usize>i << 2), length > 0 ? <f32>1 / sqrt<f32>(length) : 0);
  }
}

/** Four float32 values as int32, rounded. */
// @ts-ignore: decorator
@inline
function rounded(values: usize, factor: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.add(f32x4.mul(v128.load(values), factor), f32x4.splat(0.5))));
}

export function quantise(values: usize, row: usize, dims: i32): void {
  let sizes = f32x4.splat(0);
  for (let d = 0; d < dims; d += 4) sizes = f32x4.pmax(sizes, f32x4.abs(v128.load(values + (<usize>d << 2))));
  const low = max<f32>(f32x4.extract_lane(sizes, 0), f32x4.extract_lane(sizes, 1));
  const largest = max<f32>(low, max<f32>(f32x4.extract_lane(sizes, 2), f32x4.extract_lane(sizes, 3)));
  const factor = f32x4.splat(largest > 1e-36 ? <f32>127 / largest : 0);
  for (let d = 0; d < dims; d += 16) {
    const first = i16x8.narrow_i32x4_s(rounded(values, factor), rounded(values + 16, factor));
    const second = i16x8.narrow_i32x4_s(rounded(values + 32, factor), rounded(values + 48, factor));
    v128.store(row, i8x16.narrow_i16x8_s(first, second));
    values += 64;
    row += 16;
  }
}

export function signs(rows: usize, out: usize, count: i32, dims: i32, stride: i32): void {
  for (let i = 0; i < count; i++) {
    const to = out + <usize>i * <usize>stride;
    for (let d = 0; d < dims; d += 16) {
      store<u16>(to + (<usize>d >> 3), <u16>i8x16.bitmask(v128.load(rows)));
      rows += 16;
    }
  }
}

// @ts-ignore: decorator
@inline
function count(differing: i32, i: i32, out: usize, histogram: usize): void {
  store<i32>(out + (<usize>i << 2), differing);
  const bucket = histogram + (<usize>differing << 2);
  store<i32>(bucket, load<i32>(bucket) + 1);
}

export function differ(query: usize, signs: usize, out: usize, rows: i32, stride: i32, histogram: usize): void {
  if (stride == 32) {
    // As many signs as most models have: the query's are read once, and a row needs no loop.
    const q0 = load<u64>(query);
    const q1 = load<u64>(query, 8);
    const q2 = load<u64>(query, 16);
    const q3 = load<u64>(query, 24);
    for (let i = 0; i < rows; i++) {
      const low = popcnt(q0 ^ load<u64>(signs)) + popcnt(q1 ^ load<u64>(signs, 8));
      const high = popcnt(q2 ^ load<u64>(signs, 16)) + popcnt(q3 ^ load<u64>(signs, 24));
      count(<i32>(low + high), i, out, histogram);
      signs += 32;
    }
    return;
  }
  for (let i = 0; i < rows; i++) {
    let sum: u64 = 0;
    for (let at = 0; at < stride; at += 8) {
      sum += popcnt(load<u64>(query + <usize>at) ^ load<u64>(signs));
      signs += 8;
    }
    count(<i32>sum, i, out, histogram);
  }
}

/** Each result is written behind the list, which grows by those that fit: no branch for each of four. */
export function gather(results: usize, list: usize, rows: i32, most: i32): i32 {
  const four = i32x4.splat(most);
  let length = 0;
  for (let i = 0; i < rows; i += 4) {
    if (v128.any_true(i32x4.le_s(v128.load(results), four))) {
      for (let r = 0; r < 4; r++) {
        store<i32>(list + (<usize>length << 2), i + r);
        length += i32(load<i32>(results + (<usize>r << 2)) <= most);
      }
    }
    results += 16;
  }
  return length;
}
