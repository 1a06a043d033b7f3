/** Writes the vector at unit length; zero stays zero. */
export function normaliseInto(vector: ArrayLike<number>, out: Float32Array): void {
  let square = 0;
  for (let d = 0; d < vector.length; d++) square += vector[d]! * vector[d]!;
  const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let d = 0; d < vector.length; d++) out[d] = vector[d]! * factor;
}
