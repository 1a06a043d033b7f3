/** The directory of a vector blob: VECTOR_ENTRY numbers per content. */

/** Content row, first chunk, chunk count. */
export const VECTOR_ENTRY = 3;

export function readVectorEntries(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
