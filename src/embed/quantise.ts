/** Writes a unit vector as int8, the largest component at ±127, and returns the scale that brings it back (component = int8 * scale). */
export function quantise(vector: Float32Array, out: Int8Array, offset: number): number {
  let largest = 0;
  for (let d = 0; d < vector.length; d++) largest = Math.max(largest, Math.abs(vector[d]!));
  if (largest === 0) {
    out.fill(0, offset, offset + vector.length);
    return 0;
  }
  const factor = 127 / largest;
  for (let d = 0; d < vector.length; d++) out[offset + d] = Math.round(vector[d]! * factor);
  return largest / 127;
}
