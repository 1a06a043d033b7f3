/**
 * Parses one line of an ignore file by the rules of gitignore(5). The `ignore` package is not used: it checks the
 * parents of a path in every rule file anew, so a folder that a nested file re-includes stays ignored (found by
 * comparing with git on random rules).
 */
import { ANY_DEPTH, compileName, type MatchBudget, matchSegments, type Segment } from './name-pattern.ts';

export interface IgnorePattern {
  readonly isNegative: boolean;
  readonly foldersOnly: boolean;
  /** `path` is relative to the ignore file's folder; `name` is its last part. */
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
  // A final `**` means everything inside a folder, so it needs at least one name.
  if (segments.at(-1) === ANY_DEPTH) segments.splice(-1, 0, () => true);
  return { isNegative, foldersOnly, matches: (path) => matchSegments(segments, fold(path).split('/'), budget) };
}

/** Removes trailing spaces, except one that a backslash escapes. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}
