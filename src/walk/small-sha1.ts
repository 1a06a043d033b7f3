/**
 * SHA-1 in plain code, quick from the first call: a command that hashes one changed file is done before the system's own would be loaded. For ids
 * of contents, as git makes them; not for anything that has to withstand somebody.
 */
export function smallSha1(...parts: readonly Uint8Array[]): string {
  const words = padded(parts);
  const w = new Int32Array(80);
  let [h0, h1, h2, h3, h4] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  for (let at = 0; at < words.length; at += 16) {
    let [a, b, c, d, e] = [h0, h1, h2, h3, h4];
    for (let i = 0; i < 80; i++) {
      let x: number;
      if (i < 16) x = words[at + i]!;
      else {
        x = w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!;
        x = (x << 1) | (x >>> 31);
      }
      w[i] = x;
      if (i < 20) x += ((b & c) | (~b & d)) + 0x5a827999;
      else if (i < 40) x += (b ^ c ^ d) + 0x6ed9eba1;
      else if (i < 60) x += ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
      else x += (b ^ c ^ d) + 0xca62c1d6;
      x = (x + ((a << 5) | (a >>> 27)) + e) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = x;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
  }
  return [h0, h1, h2, h3, h4].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The bytes, a bit, zeros and the length in bits, as numbers of 32 bits. */
function padded(parts: readonly Uint8Array[]): Int32Array {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const bytes = Buffer.alloc((((length + 8) >> 6) + 1) << 6);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  bytes[length] = 0x80;
  bytes.writeUInt32BE(length * 8, bytes.length - 4);
  bytes.swap32();
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}
