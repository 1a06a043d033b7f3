/** The best of many by a number, without sorting them all. */

/** The files with the highest sums above zero, of equal ones the first. In a large tree, sorting all files took most of a question's time. */
export function highest(files: ArrayLike<number>, columns: readonly Float32Array[], count: number): number[] {
  const values = new Float32Array(files.length);
  for (const column of columns) for (let i = 0; i < values.length; i++) values[i]! += column[files[i]!]!;
  return highestBy(files, values, count);
}

/** The same by a value each. */
export function highestBy(files: ArrayLike<number>, values: Float32Array, count: number): number[] {
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

/** The smallest of the `count` highest values, through a heap of that size with its smallest on top. */
export function nthHighest(values: Float32Array, count: number): number {
  if (values.length < count) return 0;
  const heap = values.slice(0, count).sort();
  for (let i = count; i < values.length; i++) {
    const value = values[i]!;
    if (value <= heap[0]!) continue;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  }
  return heap[0]!;
}
