/** Describes why a result matched: the strongest features of its score. */
import type { Contribution } from '../../../model/records/query.ts';

const WORDS: Readonly<Record<string, string>> = {
  defines_identifier: 'defines it',
  defines_exactly: 'defines it',
  defines_compound: 'defines it',
  defines_word: 'a name',
  name_coverage: 'names',
  names: 'names',
  path: 'path',
  stem_coverage: 'file name',
  stem_is_compound: 'file name',
  stem_is_word: 'file name',
  stem_is_identifier: 'file name',
  docs: 'documentation',
  body: 'text',
  best_chunk: 'text',
  best_three: 'text',
  chunk_coverage: 'text',
  coverage: 'text',
  whole_file: 'text',
  mentions: 'uses of the name',
  vector: 'meaning',
  vector_three: 'meaning',
  similarity: 'meaning',
};
const MAX_SHOWN = 3;

export function matchedBy(explanation: readonly Contribution[]): string[] {
  const sums = new Map<string, number>();
  for (const { feature, contribution } of explanation) {
    const words = WORDS[feature];
    if (words && contribution > 0) sums.set(words, (sums.get(words) ?? 0) + contribution);
  }
  const maxSum = Math.max(0, ...sums.values());
  return [...sums]
    .filter(([, sum]) => sum > maxSum / 10)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_SHOWN)
    .map(([words]) => words);
}
