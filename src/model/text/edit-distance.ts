/** The number of edits between two words: insertions, deletions, replacements, swaps of neighbours. */

/** The three rows of the table, reused between calls: a search compares one word with every name of an index. */
let rows = [new Uint16Array(64), new Uint16Array(64), new Uint16Array(64)];

/** The optimal string alignment distance; `limit + 1` if it is greater. Computes only cells near the diagonal. */
export function editDistance(a: string, b: string, limit: number): number {
  const [n, m] = [a.length, b.length];
  const beyond = limit + 1;
  if (Math.abs(n - m) > limit) return beyond;
  if (m + 2 > rows[0]!.length) rows = rows.map(() => new Uint16Array(2 * m + 2));
  let [before, previous, current] = rows as [Uint16Array, Uint16Array, Uint16Array];
  for (let j = 0; j <= m; j++) previous[j] = j <= limit ? j : beyond;
  for (let i = 1; i <= n; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(m, i + limit);
    current[from - 1] = from === 1 && i <= limit ? i : beyond;
    current[to + 1] = beyond;
    let least = current[from - 1]!;
    const unit = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      let value = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (unit === other ? 0 : 1));
      if (i > 1 && j > 1 && unit === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other)
        value = Math.min(value, before[j - 2]! + 1);
      current[j] = value;
      if (value < least) least = value;
    }
    if (least > limit) return beyond;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[m]!, beyond);
}
