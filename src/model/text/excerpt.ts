/** The lines of a text that answer a question best, for a place too small for the whole text. */
import { matchRanges } from './query-matches.ts';

/** A line that does not end is cut: a minified file has nothing to quote. */
const LINE_CHARS = 200;
/** Fewer lines than this are shown rather than counted. */
const SMALL_GAP = 2;

export interface ExcerptOptions {
  readonly terms: ReadonlySet<string>;
  readonly maxLines: number;
  /** Name of what the text defines: the line that declares it is kept whatever matches elsewhere. */
  readonly name?: string;
}

/**
 * At most `maxLines` lines of the text and a line for each gap. The text itself where little more would be left out
 * than gaps say.
 */
export function excerpt(text: string, { terms, maxLines, name }: ExcerptOptions): string {
  const lines = text.split('\n');
  if (lines.length <= maxLines + SMALL_GAP) return lines.map(cutLine).join('\n');
  const declared = name === undefined ? 0 : declarationLine(lines, name);
  const from = bestWindow(lines, terms, maxLines);
  if (maxLines < 2 || (declared >= from && declared < from + maxLines))
    return withGaps(lines, [[from, from + maxLines]]);
  const rest = bestWindow(lines, terms, maxLines - 1);
  const window = [rest, rest + maxLines - 1] as const;
  const declaration = [declared, declared + 1] as const;
  if (declared >= window[0] && declared < window[1]) return withGaps(lines, [window]);
  return withGaps(lines, declared < rest ? [declaration, window] : [window, declaration]);
}

function withGaps(lines: readonly string[], ranges: readonly (readonly [number, number])[]): string {
  const shown: string[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from - at > SMALL_GAP) shown.push(gap(from - at));
    else shown.push(...lines.slice(at, from).map(cutLine));
    shown.push(...lines.slice(from, to).map(cutLine));
    at = to;
  }
  if (lines.length - at > SMALL_GAP) shown.push(`… ${lines.length - at} more lines`);
  else shown.push(...lines.slice(at).map(cutLine));
  return shown.join('\n');
}

const gap = (count: number) => `… ${count} lines`;

/** The first line that has the last part of the name as a word; the beginning where none has. */
function declarationLine(lines: readonly string[], name: string): number {
  const last = /[\p{L}\p{N}_$]+[?!]?$/u.exec(name)?.[0] ?? name;
  const word = (line: string, at: number) =>
    !/[\p{L}\p{N}_$]/u.test(line[at - 1] ?? '') && !/[\p{L}\p{N}_$]/u.test(line[at + last.length] ?? '');
  const found = lines.findIndex((line) => {
    const at = line.indexOf(last);
    return at >= 0 && word(line, at) && !/^\s*(?:\/\/|\/?\*|#|--)/.test(line);
  });
  return Math.max(0, found);
}

function cutLine(line: string): string {
  if (line.length <= LINE_CHARS) return line;
  // Not through the middle of a character of two code units.
  const end = /[\ud800-\udbff]/.test(line[LINE_CHARS - 1]!) ? LINE_CHARS - 1 : LINE_CHARS;
  return `${line.slice(0, end)}… ${line.length - end} more characters`;
}

/**
 * First line of the window: the beginning where it has most of the matches, since signatures stand there, else the
 * densest place.
 */
export function bestWindow(lines: readonly string[], terms: ReadonlySet<string>, size: number): number {
  if (lines.length <= size) return 0;
  const weight = lines.map((line) => Math.min(3, matchRanges(line, terms).length));
  let sum = weight.slice(0, size).reduce((a, b) => a + b, 0);
  let best = 0;
  let bestSum = sum + 1;
  for (let i = 1; i + size <= lines.length; i++) {
    sum += weight[i + size - 1]! - weight[i - 1]!;
    if (sum > bestSum) {
      best = i;
      bestSum = sum;
    }
  }
  return best;
}
