// The loop of read-numbers.ts in AssemblyScript; the build compiles it. The plain twin and the meaning stand there.

// @ts-ignore: decorator
@inline
function skip(from: usize): usize {
  let at = from;
  let byte: u32 = load<u8>(at);
  while (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09) byte = load<u8>(++at);
  return at;
}

// @ts-ignore: decorator
@inline
function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

/** Eight digits, the first in the lowest byte, as a number: pairs, then fours, then all. */
// @ts-ignore: decorator
@inline
function eight(digits: u64): i64 {
  const ones = digits - 0x3030303030303030;
  const pairs = (ones * 10 + (ones >> 8)) & 0x00ff00ff00ff00ff;
  const fours = (pairs * 100 + (pairs >> 16)) & 0x0000ffff0000ffff;
  return <i64>((fours * 10000 + (fours >> 32)) & 0xffffffff);
}

// @ts-ignore: decorator
@inline
function areDigits(bytes: u64): bool {
  return (((bytes + 0x4646464646464646) | (bytes - 0x3030303030303030)) & 0x8080808080808080) == 0;
}

export function read(list: usize, out: usize, most: i32, powers: usize, powerCount: i32, end: usize): i32 {
  let at = skip(list + 1);
  for (let count = 0; count < most; count++) {
    const negative = load<u8>(at) == 0x2d;
    if (negative) at++;
    const first = at;
    let digits = 0;
    let whole: i64 = 0;
    let behind = 0;
    let byte: u32 = load<u8>(at);
    for (; isDigit(byte); byte = load<u8>(++at)) {
      if (digits < 15) {
        whole = whole * 10 + (byte - 0x30);
        digits++;
      } else behind--;
    }
    if (at == first || (load<u8>(first) == 0x30 && at > first + 1)) return -1;
    if (byte == 0x2e) {
      const point = at;
      byte = load<u8>(++at);
      // Most have one whole digit and eight or more behind the point; zeros in front do not count as digits.
      if (digits <= 7 && (whole > 0 || byte != 0x30) && areDigits(load<u64>(at))) {
        whole = whole * 100000000 + eight(load<u64>(at));
        digits += 8;
        behind += 8;
        at += 8;
        byte = load<u8>(at);
      }
      for (; isDigit(byte); byte = load<u8>(++at)) {
        if (digits < 15) {
          whole = whole * 10 + (byte - 0x30);
          digits += whole > 0 ? 1 : 0;
          behind++;
        }
      }
      if (at == point + 1) return -1;
    }
    if (byte == 0x65 || byte == 0x45) {
      at++;
      const minus = load<u8>(at) == 0x2d;
      if (minus || load<u8>(at) == 0x2b) at++;
      const start = at;
      let exponent = 0;
      for (; isDigit(load<u8>(at)) && at < start + 4; at++) exponent = exponent * 10 + (load<u8>(at) - 0x30);
      if (at == start) return -1;
      behind -= minus ? -exponent : exponent;
    }
    if (behind < 0 || behind >= powerCount) return -1;
    store<f32>(
      out + (<usize>count << 2),
      <f32>((negative ? -(<f64>whole) : <f64>whole) / load<f64>(powers + (<usize>behind << 3))),
    );
    at = skip(at);
    byte = load<u8>(at);
    if (byte == 0x5d) {
      store<u32>(end, <u32>(at + 1 - list));
      return count + 1;
    }
    if (byte != 0x2c) return -1;
    at = skip(at + 1);
  }
  return -1;
}
