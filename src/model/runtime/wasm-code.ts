/** Instructions of WebAssembly as our own modules are put together from, so that no binary lies in the repository. */

export type Code = readonly number[];

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;
export const V128 = 0x7b;

function unsigned(value: number): number[] {
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

export const seq = (...parts: readonly Code[]): Code => parts.flat();
export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const int = (value: number): Code => [0x41, ...signed(value)];
export const I32_ADD: Code = [0x6a];
export const I32_SUB: Code = [0x6b];
export const I32_MUL: Code = [0x6c];
export const I32_AND: Code = [0x71];
export const I32_OR: Code = [0x72];
export const I32_XOR: Code = [0x73];
export const I32_SHL: Code = [0x74];
export const I32_ROTL: Code = [0x77];
export const i32Load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
export const I32_EQZ: Code = [0x45];
export const I32_EQ: Code = [0x46];
export const I32_LE: Code = [0x4c]; // signed
export const F32_CONVERT_I32: Code = [0xb2];
export const F32_MUL: Code = [0x94];
export const F32_DIV: Code = [0x95];
export const F32_SQRT: Code = [0x91];
export const F32_GT: Code = [0x5e];
export const f32 = (value: number): Code => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)];
export const f32Load = (offset: number): Code => [0x2a, 2, ...unsigned(offset)];
export const f32Store = (offset: number): Code => [0x38, 2, ...unsigned(offset)];
export const SELECT: Code = [0x1b];
export const i32Store = (offset: number): Code => [0x36, 2, ...unsigned(offset)];
export const I32_STORE16: Code = [0x3b, 0, 0];
export const I64_ZERO: Code = [0x42, 0];
export const i64Load = (offset: number): Code => [0x29, 3, ...unsigned(offset)];
export const I64_XOR: Code = [0x85];
export const I64_POPCNT: Code = [0x7b];
export const I64_ADD: Code = [0x7c];
export const I32_WRAP_I64: Code = [0xa7];
export const simd = (opcode: number, ...rest: number[]): Code => [0xfd, ...unsigned(opcode), ...rest];
export const v128Load = (offset: number): Code => simd(0, 0, ...unsigned(offset));
export const V128_ZERO: Code = simd(12, ...new Array<number>(16).fill(0));
export const EXTEND_LOW: Code = simd(135); // i16x8.extend_low_i8x16_s
export const EXTEND_HIGH: Code = simd(136);
export const DOT: Code = simd(186); // i32x4.dot_i16x8_s
export const V_ADD: Code = simd(174); // i32x4.add
export const BITMASK: Code = simd(100); // i8x16.bitmask
export const V_LE: Code = simd(61); // i32x4.le_s
export const V_SPLAT: Code = simd(17); // i32x4.splat
export const ANY_TRUE: Code = simd(83); // v128.any_true
export const lane = (index: number): Code => simd(27, index); // i32x4.extract_lane
export const advance = (local: number, by: Code): Code => seq(get(local), by, I32_ADD, set(local));
/** Runs the body while the counter, lowered by `step` at its end, is not zero; not at all when it is zero at the start. */
export const repeat = (counter: number, step: number, body: Code): Code =>
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

/** Runs the body once, and again until the local, which it raises, is what is given. */
export const until = (local: number, end: Code, body: Code): Code =>
  seq([0x03, 0x40], body, get(local), end, [0x47], [0x0d, 0], [0x0b]); // loop, i32.ne, br_if: again

/** What stands behind the number of its items. */
export function section(id: number, ...items: readonly Code[]): Code {
  const body = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(body.length), ...body];
}

export function bodyOf(locals: readonly (readonly [count: number, type: number])[], code: Code): Code {
  const body = [...unsigned(locals.length), ...locals.flatMap(([n, type]) => [...unsigned(n), type]), ...code, 0x0b];
  return [...unsigned(body.length), ...body];
}

/** A function without results. */
export const taking = (...types: readonly number[]): Code => [0x60, types.length, ...types, 0];
export const text = (value: string): Code => [value.length, ...Buffer.from(value)];
export const exported = (name: string, index: number): Code => [...text(name), 0, index];

export function moduleOf(...sections: readonly Code[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]);
}
