/**
 * One line of an ignore file, by the rules of gitignore(5). The `ignore` package was left for this: it asks a path's
 * parents anew in every rule file, so a folder that a nested file brings back stays ignored (found by comparing with
 * git on random rules).
 */
import { ANY_DEPTH, compileName, type MatchBudget, matchSegments, type Segment } from './name-pattern.ts';

export interface IgnorePattern {
  readonly isNegative: boolean;
  readonly foldersOnly: boolean;
  /** `path` relative to the ignore file's folder, `name` its last part. */
  readonly matches: (path: string, name: string) => boolean;
}

/** Null for blank lines, comments and patterns that can match nothing. */
export function parseIgnoreLine(line: string, ignoreCase: boolean, budget: MatchBudget): IgnorePattern | null {
  let text = trimEnd(line.replace(/\r$/, ''));
  if (text === '' || text.startsWith('#')) return null;
  const isNegative = text.startsWith('!');
  if (isNegative) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  const isAnchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  if (text === '') return null;
  const fold = ignoreCase ? (value: string) => value.toLowerCase() : (value: string) => value;
  text = fold(text);

  if (!isAnchored) {
    const matchesName = compileName(text, budget);
    return matchesName && { isNegative, foldersOnly, matches: (_, name) => matchesName(fold(name)) };
  }
  const segments: Segment[] = [];
  for (const segment of text.split('/')) {
    const matcher = /^\*{2,}$/.test(segment) ? ANY_DEPTH : compileName(segment, budget);
    if (matcher === null) return null;
    segments.push(matcher);
  }
  // At the end, `**` means everything inside: at least one name has to be left for it.
  if (segments.at(-1) === ANY_DEPTH) segments.splice(-1, 0, () => true);
  return { isNegative, foldersOnly, matches: (path) => matchSegments(segments, fold(path).split('/'), budget) };
}

/** Spaces at the end do not count unless a backslash keeps them. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}
