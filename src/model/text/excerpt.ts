/** Chooses the lines of a text that match a question best, where the whole text is too long. */
import { matchRanges } from './query-matches.ts';

/** Longer lines are cut: a minified file has nothing to quote. */
const MAX_LINE_CHARS = 200;
/** A gap of up to this many lines is shown instead of counted. */
const MAX_SHOWN_GAP = 2;

export interface ExcerptOptions {
  readonly terms: ReadonlySet<string>;
  readonly maxLines: number;
  /** The name that the text defines. The excerpt always has the line that declares it. */
  readonly name?: string;
}

/** At most `maxLines` lines of the text, and one line for each gap. A text that is hardly longer is returned whole. */
export function excerpt(text: string, { terms, maxLines, name }: ExcerptOptions): string {
  const lines = text.split('\n');
  if (lines.length <= maxLines + MAX_SHOWN_GAP) return lines.map(cutLine).join('\n');
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
    if (from - at > MAX_SHOWN_GAP) shown.push(gap(from - at));
    else shown.push(...lines.slice(at, from).map(cutLine));
    shown.push(...lines.slice(from, to).map(cutLine));
    at = to;
  }
  if (lines.length - at > MAX_SHOWN_GAP) shown.push(`… ${lines.length - at} more lines`);
  else shown.push(...lines.slice(at).map(cutLine));
  return shown.join('\n');
}

const gap = (count: number) => `… ${count} lines`;

/** The first line that has the last part of the name as a word, else the first line of the text. */
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
  if (line.length <= MAX_LINE_CHARS) return line;
  // Do not cut between the two code units of a character.
  const end = /[\ud800-\udbff]/.test(line[MAX_LINE_CHARS - 1]!) ? MAX_LINE_CHARS - 1 : MAX_LINE_CHARS;
  return `${line.slice(0, end)}… ${line.length - end} more characters`;
}

/**
 * The first line of the window with the most matches. The beginning wins ties and near ties, because signatures are
 * there.
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
