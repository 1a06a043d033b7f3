/** Maximum length of a chunk in lines, about a screenful. */
export const MAX_LINES = 60;

/**
 * Splits lines into ranges of at most MAX_LINES, as late as possible: at one of the borders, else at a blank line, else
 * at the least indented line.
 */
export function splitLines(
  lines: readonly string[],
  start: number,
  end: number,
  borders: readonly number[],
): [number, number][] {
  const ranges: [number, number][] = [];
  let from = start;
  while (end - from + 1 > MAX_LINES) {
    const latest = from + MAX_LINES;
    const earliest = from + Math.floor(MAX_LINES / 3);
    const cut =
      lastBorder(borders, earliest, latest) ??
      lastBlank(lines, earliest, latest) ??
      leastIndented(lines, earliest, latest);
    ranges.push([from, cut - 1]);
    from = cut;
  }
  ranges.push([from, end]);
  return ranges;
}

function lastBorder(borders: readonly number[], earliest: number, latest: number): number | undefined {
  let found: number | undefined;
  for (const line of borders) if (line >= earliest && line <= latest) found = line;
  return found;
}

function lastBlank(lines: readonly string[], earliest: number, latest: number): number | undefined {
  for (let line = latest; line > earliest; line--) if (isBlank(lines, line - 1) && !isBlank(lines, line)) return line;
  return undefined;
}

function leastIndented(lines: readonly string[], earliest: number, latest: number): number {
  let best = latest;
  let smallest = Number.POSITIVE_INFINITY;
  for (let line = earliest + 1; line <= latest; line++) {
    const indent = lines[line - 1]?.search(/\S/) ?? -1;
    if (indent >= 0 && indent <= smallest) {
      smallest = indent;
      best = line;
    }
  }
  return best;
}

export function isBlank(lines: readonly string[], line: number): boolean {
  return (lines[line - 1] ?? '').trim() === '';
}
