// The SIMD loops of sum-kernel.ts, in AssemblyScript; the build compiles them. The plain twins and the meaning of each function stand there.

// @ts-ignore: decorator
@inline
function upperHalf(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
}

/** Four floats at `sum` with four doubles added. */
// @ts-ignore: decorator
@inline
function addToFloats(sum: usize, low: v128, high: v128): void {
  const floats = v128.load(sum);
  const first = f32x4.demote_f64x2_zero(f64x2.add(f64x2.promote_low_f32x4(floats), low));
  const second = f32x4.demote_f64x2_zero(f64x2.add(f64x2.promote_low_f32x4(upperHalf(floats)), high));
  v128.store(sum, i8x16.shuffle(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23));
}

/** Two of the four int32, as doubles, times the factor. */
// @ts-ignore: decorator
@inline
function product(ints: v128, factor: v128): v128 {
  return f64x2.mul(f64x2.convert_low_i32x4_s(ints), factor);
}

export function addRow(sum: usize, row: usize, factor: f64, dims: i32): void {
  const f = f64x2.splat(factor);
  for (let d = 0; d < dims; d += 8) {
    const eight = v128.load8x8_s(row);
    const low = i32x4.extend_low_i16x8_s(eight);
    const high = i32x4.extend_high_i16x8_s(eight);
    addToFloats(sum, product(low, f), product(upperHalf(low), f));
    addToFloats(sum + 16, product(high, f), product(upperHalf(high), f));
    sum += 32;
    row += 8;
  }
}

/** In the order of the plain twin, so that both give the same bits: a·fa + b·fb + c·fc + d·fd. */
// @ts-ignore: decorator
@inline
function fourProducts(a: v128, b: v128, c: v128, d: v128, fa: v128, fb: v128, fc: v128, fd: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.add(product(a, fa), product(b, fb)), product(c, fc)), product(d, fd));
}

export function addFour(
  sum: usize, a: usize, b: usize, c: usize, d: usize, fa: f64, fb: f64, fc: f64, fd: f64, dims: i32,
): void {
  const va = f64x2.splat(fa);
  const vb = f64x2.splat(fb);
  const vc = f64x2.splat(fc);
  const vd = f64x2.splat(fd);
  for (let i = 0; i < dims; i += 8) {
    const at = <usize>i;
    const ea = v128.load8x8_s(a + at);
    const eb = v128.load8x8_s(b + at);
    const ec = v128.load8x8_s(c + at);
    const ed = v128.load8x8_s(d + at);
    let pa = i32x4.extend_low_i16x8_s(ea);
    let pb = i32x4.extend_low_i16x8_s(eb);
    let pc = i32x4.extend_low_i16x8_s(ec);
    let pd = i32x4.extend_low_i16x8_s(ed);
    const first = fourProducts(pa, pb, pc, pd, va, vb, vc, vd);
    addToFloats(
      sum, first,
      fourProducts(upperHalf(pa), upperHalf(pb), upperHalf(pc), upperHalf(pd), va, vb, vc, vd),
    );
    pa = i32x4.extend_high_i16x8_s(ea);
    pb = i32x4.extend_high_i16x8_s(eb);
    pc = i32x4.extend_high_i16x8_s(ec);
    pd = i32x4.extend_high_i16x8_s(ed);
    const third = fourProducts(pa, pb, pc, pd, va, vb, vc, vd);
    addToFloats(
      sum + 16, third,
      fourProducts(upperHalf(pa), upperHalf(pb), upperHalf(pc), upperHalf(pd), va, vb, vc, vd),
    );
    sum += 32;
  }
}

export function addFloats(sum: usize, row: usize, factor: f64, dims: i32): void {
  const f = f64x2.splat(factor);
  for (let i = 0; i < dims; i += 4) {
    const floats = v128.load(row);
    const low = f64x2.mul(f64x2.promote_low_f32x4(floats), f);
    addToFloats(sum, low, f64x2.mul(f64x2.promote_low_f32x4(upperHalf(floats)), f));
    sum += 16;
    row += 16;
  }
}
