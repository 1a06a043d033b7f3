/** Selects the k best values without sorting all: in a large tree, sorting took most of a question's time. */

/** The files with the highest sums of their columns above zero, unordered; of equal files the first. */
export function topBySum(files: ArrayLike<number>, columns: readonly Float32Array[], count: number): number[] {
  const values = new Float32Array(files.length);
  for (const column of columns) for (let i = 0; i < values.length; i++) values[i]! += column[files[i]!]!;
  return topK(files, values, count);
}

/** The files with the highest values above zero, unordered; `values` is parallel to `files`. */
export function topK(files: ArrayLike<number>, values: Float32Array, count: number): number[] {
  const threshold = Math.max(nthHighest(values, count), Number.MIN_VALUE);
  const above: number[] = [];
  const equal: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < threshold) continue;
    if (value > threshold) above.push(files[i]!);
    else equal.push(files[i]!);
  }
  equal.sort((a, b) => a - b);
  for (let i = 0; i < equal.length && above.length < count; i++) above.push(equal[i]!);
  return above;
}

/** Values are counted in buckets by their highest bits; these bits are ignored. */
const IGNORED_BITS = 20;
const counts = new Uint32Array(1 << (32 - IGNORED_BITS));

/** The smallest of the `count` highest values. Only the values in its bucket are sorted. */
export function nthHighest(values: Float32Array, count: number): number {
  if (values.length < count) return 0;
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  counts.fill(0);
  let bucket = 0;
  for (let i = 0; i < bits.length; i++) {
    const next = sortableBits(bits[i]!) >>> IGNORED_BITS;
    counts[next]!++;
    if (next > bucket) bucket = next;
  }
  let above = 0;
  while (above + counts[bucket]! < count) above += counts[bucket--]!;
  const inBucket = new Float32Array(counts[bucket]!);
  let found = 0;
  for (let i = 0; i < bits.length; i++)
    if (sortableBits(bits[i]!) >>> IGNORED_BITS === bucket) inBucket[found++] = values[i]!;
  return inBucket.sort()[found - (count - above)]!;
}

/** Maps the bits of a float to an integer of the same order. */
function sortableBits(bits: number): number {
  return bits >>> 31 === 1 ? ~bits : bits | 0x80000000;
}
