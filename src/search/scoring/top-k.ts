/** The best of many by a number, without sorting them all. */

/**
 * The files with the highest sums above zero, of equal ones the first. In a large tree, sorting all files took most of
 * a question's time.
 */
export function topBySum(files: ArrayLike<number>, columns: readonly Float32Array[], count: number): number[] {
  const values = new Float32Array(files.length);
  for (const column of columns) for (let i = 0; i < values.length; i++) values[i]! += column[files[i]!]!;
  return topK(files, values, count);
}

/** The files with the highest values. */
export function topK(files: ArrayLike<number>, values: Float32Array, count: number): number[] {
  const least = Math.max(nthHighest(values, count), Number.MIN_VALUE);
  const above: number[] = [];
  const equal: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < least) continue;
    if (value > least) above.push(files[i]!);
    else equal.push(files[i]!);
  }
  equal.sort((a, b) => a - b);
  for (let i = 0; i < equal.length && above.length < count; i++) above.push(equal[i]!);
  return above;
}

const SHIFT = 20;
const counts = new Uint32Array(1 << (32 - SHIFT));

/**
 * The smallest of the `count` highest values: counted by their first bits, only those that share them with it are
 * sorted.
 */
export function nthHighest(values: Float32Array, count: number): number {
  if (values.length < count) return 0;
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  counts.fill(0);
  let bucket = 0;
  for (let i = 0; i < bits.length; i++) {
    const one = ordered(bits[i]!) >>> SHIFT;
    counts[one]!++;
    if (one > bucket) bucket = one;
  }
  let above = 0;
  while (above + counts[bucket]! < count) above += counts[bucket--]!;
  const equal = new Float32Array(counts[bucket]!);
  let found = 0;
  for (let i = 0; i < bits.length; i++) if (ordered(bits[i]!) >>> SHIFT === bucket) equal[found++] = values[i]!;
  return equal.sort()[found - (count - above)]!;
}

/** The bits of a float as a number that is the greater the greater the float is. */
function ordered(bits: number): number {
  return bits >>> 31 === 1 ? ~bits : bits | 0x80000000;
}
