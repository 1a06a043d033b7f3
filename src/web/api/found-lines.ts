/** Finds lines in the files on disk: by a text, a regular expression, or any of several words. */
import type { GrepMatch, GrepRequest } from '../../model/records/query.ts';

const MAX_WORDS = 12;
/** Matches that are compared to choose the best files. */
const MAX_MATCHES = 2_000;
/** Lines shown per file. */
const MAX_LINES_PER_FILE = 5;

/** Reads the user's text: `/x.*y/` is a regular expression, everything else literal text. */
export function textPattern(text: string): Pick<GrepRequest, 'pattern' | 'literal' | 'caseSensitive'> {
  const expression = /^\/(.+)\/$/s.exec(text)?.[1];
  return { pattern: expression ?? text, literal: expression === undefined, caseSensitive: 'smart' };
}

export function wordsPattern(words: readonly string[]): Pick<GrepRequest, 'pattern' | 'limit'> {
  const escaped = words.slice(0, MAX_WORDS).map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '\\$&'));
  return { pattern: escaped.join('|'), limit: MAX_MATCHES };
}

/** Sorts files by the number of matched words; returns each file's best lines, in file order. */
export function bestLines(matches: readonly GrepMatch[], words: readonly string[], limit: number): GrepMatch[] {
  const wordsIn = (text: string) => words.filter((word) => text.toLowerCase().includes(word));
  const byFile = new Map<string, { readonly match: GrepMatch; readonly found: readonly string[] }[]>();
  for (const match of matches) {
    const own = byFile.get(match.path) ?? [];
    own.push({ match, found: wordsIn(match.text) });
    byFile.set(match.path, own);
  }
  const files = [...byFile].map(([path, own]) => ({
    own,
    words: new Set([...wordsIn(path), ...own.flatMap(({ found }) => found)]).size,
    most: Math.max(...own.map(({ found }) => found.length)),
  }));
  return files
    .sort((a, b) => b.words - a.words || b.most - a.most)
    .flatMap(({ own }) =>
      [...own]
        .sort((a, b) => b.found.length - a.found.length)
        .slice(0, MAX_LINES_PER_FILE)
        .map(({ match }) => match)
        .sort((a, b) => a.line - b.line),
    )
    .slice(0, limit);
}
