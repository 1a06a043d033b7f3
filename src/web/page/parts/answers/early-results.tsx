/** While the first index is made: lines of the files as they are that have the words. Ranked results follow. */
import { useContext } from 'preact/hooks';
import { termsOf } from '../../code/mark-terms.ts';
import { plural } from '../../data/format-values.ts';
import { StatusContext } from '../../data/status.ts';
import { useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';
import { Progress } from '../frame/state.tsx';
import { lineResults } from './line-results.ts';
import { ResultList } from './result-list.tsx';

export function EarlyResults({ query }: { readonly query: string }) {
  const terms = termsOf(query);
  const { status } = useContext(StatusContext);
  const { value, error, isLoading } = useAnswer('grep', terms.length === 0 ? null : { words: terms.join(' ') });
  return (
    <div class="padded" aria-busy={isLoading}>
      <h1 class="hidden">Lines with {query}</h1>
      {status && <Progress status={status} />}
      <p class="soft summary" role="status">
        The index is being made; ranked results come with it.
        {value && ` Until then: ${plural(value.totalMatches, 'line')} with these words, files with most of them first.`}
      </p>
      {error ? <Problem error={error} /> : null}
      <ResultList results={lineResults(value?.matches ?? [])} terms={terms} />
    </div>
  );
}
