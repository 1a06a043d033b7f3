/** Every line with the exact text of the query, or with a match of a regular expression between slashes. */
import { to } from '../../data/addresses.ts';
import { count, duration, plural } from '../../data/format-values.ts';
import { useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';
import { lineResults } from './line-results.ts';
import { ResultList } from './result-list.tsx';

export function isExpression(query: string): boolean {
  return /^\/.+\/$/s.test(query);
}

export interface ExactLinesProps {
  readonly query: string;
  /** The folder; '' for the whole project. */
  readonly folder: string;
}

export function ExactLines({ query, folder }: ExactLinesProps) {
  const { value, error, isLoading } = useAnswer('grep', { text: query, in: folder });
  const terms = isExpression(query) ? [] : [query.toLowerCase()];
  return (
    <div class="padded" aria-busy={isLoading}>
      <h1 class="hidden">Lines with {query}</h1>
      {error ? <Problem error={error} /> : null}
      {value && (
        <p class="soft summary" role="status">
          {value.totalMatches === 0 ? 'No line has' : `${plural(value.totalMatches, 'line')} with`} <code>{query}</code>
          {folder !== '' && ` in ${folder}`}
          {value.totalMatches > 0 && ` in ${plural(value.filesMatched, 'file')}`}, {duration(value.durationMs)}
          {value.matches.length < value.totalMatches && `; the first ${count(value.matches.length)} are shown`}
          {folder !== '' && (
            <>
              {' · '}
              <a href={to('search', { q: query, as: 'lines' })}>in all folders</a>
            </>
          )}
          {!isExpression(query) && (
            <>
              {' · '}
              <a href={to('search', { q: query, in: folder, as: 'words' })}>ranked by meaning</a>
            </>
          )}
        </p>
      )}
      <ResultList results={lineResults(value?.matches ?? [])} terms={terms} />
    </div>
  );
}
