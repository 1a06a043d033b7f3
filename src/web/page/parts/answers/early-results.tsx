/** While the first index is made: lines of the files as they are that have the words. Ranked results follow. */
import { termsOf } from '../../code/mark-terms.ts';
import { plural } from '../../data/format-values.ts';
import { languageOf } from '../../data/language-of.ts';
import type { Result } from '../../data/result.ts';
import { useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';
import { ResultList } from './result-list.tsx';

export function EarlyResults({ query }: { readonly query: string }) {
  const terms = termsOf(query);
  const { value, error, isLoading } = useAnswer('grep', terms.length === 0 ? null : { words: terms.join(' ') });
  const results = (value?.matches ?? []).map(({ path, line, text, before, after }): Result => {
    const startLine = line - before.length;
    return {
      key: `${path}:${line}`,
      path,
      startLine,
      endLine: line + after.length,
      language: languageOf(path),
      name: text.trim().slice(0, 80),
      kind: '',
      symbolId: '',
      score: null,
      parts: [{ startLine, content: [...before, text, ...after].join('\n') }],
      isTest: false,
      isOverview: false,
    };
  });
  return (
    <div class="padded" aria-busy={isLoading}>
      <h1 class="hidden">Lines with {query}</h1>
      <p class="soft summary" role="status">
        The index is being made. Until it is there: {plural(value?.totalMatches ?? 0, 'line')} with these words, in the
        order of the files.
      </p>
      {error ? <Problem error={error} /> : null}
      <ResultList results={results} terms={terms} />
    </div>
  );
}
