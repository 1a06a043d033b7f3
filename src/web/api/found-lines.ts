/** Lines of the files as they are: with a text, a regular expression, or any of several words. */
import type { GrepMatch, GrepRequest } from '../../model/records/query.ts';

const MAX_WORDS = 12;
/** Matches that are looked at to choose the best files by words. */
const MAX_MATCHES = 2_000;
/** Of a file that is shown for its words. */
const LINES_A_FILE = 5;

/** `/x.*y/` is a regular expression; everything else is the text itself. */
export function textPattern(text: string): Pick<GrepRequest, 'pattern' | 'literal' | 'caseSensitive'> {
  const expression = /^\/(.+)\/$/s.exec(text)?.[1];
  return { pattern: expression ?? text, literal: expression === undefined, caseSensitive: 'smart' };
}

export function wordsPattern(words: readonly string[]): Pick<GrepRequest, 'pattern' | 'limit'> {
  const escaped = words.slice(0, MAX_WORDS).map((word) => word.replace(/[^\p{L}\p{N}_]/gu, '\\$&'));
  return { pattern: escaped.join('|'), limit: MAX_MATCHES };
}

/** The files with the most of the words first, of each the lines with the most of them, in their order. */
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
        .slice(0, LINES_A_FILE)
        .map(({ match }) => match)
        .sort((a, b) => a.line - b.line),
    )
    .slice(0, limit);
}
