/** The checksum of stores up to schema 4. A blob keeps it until it is written again. */
const SEED = 0x5e87_a9d1;
const STEP = 0x9e37_79b1;

export function legacyChecksum(...parts: readonly Uint8Array[]): number {
  let sum = SEED;
  for (const bytes of parts) {
    const { byteLength } = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, byteLength);
    const whole = byteLength & ~3;
    for (let at = 0; at < whole; at += 4) {
      sum = Math.imul(sum ^ view.getInt32(at, true), STEP);
      sum ^= sum >>> 15;
    }
    for (let at = whole; at < byteLength; at++) sum = Math.imul(sum ^ bytes[at]!, STEP);
    sum = Math.imul(sum ^ byteLength, STEP);
  }
  return sum >>> 0;
}
