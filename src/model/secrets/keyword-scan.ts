/**
 * Finds which of some hundred keywords a text holds, in one pass: every file that is indexed and every answer goes
 * through it.
 */

/** Calls back for each keyword (by its place in the list) that stands in the text, in either case, once. */
export type KeywordScan = (text: string, found: (keyword: number) => void) => void;

/** Keywords in lower case. */
export function createKeywordScan(keywords: readonly string[]): KeywordScan {
  // A choice between plain texts, which V8 looks for as fast as the text is put into lower case. The longest first: at
  // one place only one is told.
  const longestFirst = [...keywords].sort((one, other) => other.length - one.length);
  const any = new RegExp(longestFirst.map((keyword) => keyword.replace(/[^\w]/g, '\\$&')).join('|'), 'g');
  return (text, found) => {
    const seen = new Set<string>();
    const folded = text.toLowerCase();
    any.lastIndex = 0;
    for (let match = any.exec(folded); match !== null; match = any.exec(folded)) {
      // Keywords may overlap.
      any.lastIndex = match.index + 1;
      if (seen.has(match[0])) continue;
      seen.add(match[0]);
      for (let i = 0; i < keywords.length; i++) if (match[0].startsWith(keywords[i]!)) found(i);
    }
  };
}
