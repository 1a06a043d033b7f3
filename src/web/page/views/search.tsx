/** The search view: results by file for words, names, paths and errors; research for a question about structure. */
import { useContext, useRef, useState } from 'preact/hooks';
import type { SearchAnswer } from '../../../model/records/query.ts';
import { termsOf } from '../code/mark-terms.ts';
import { to } from '../data/addresses.ts';
import { duration, plural } from '../data/format-values.ts';
import { resultOf } from '../data/result.ts';
import { StatusContext } from '../data/status.ts';
import { useAnswer } from '../data/use-answer.ts';
import { EarlyResults } from '../parts/answers/early-results.tsx';
import { ExactLines, isExpression } from '../parts/answers/exact-lines.tsx';
import { Filters } from '../parts/answers/filters.tsx';
import { NothingFound } from '../parts/answers/nothing-found.tsx';
import { ResultList } from '../parts/answers/result-list.tsx';
import { filtersIn, MAX_RESULTS, PAGE_SIZE, pageIn, searchParameters } from '../parts/answers/search-parameters.ts';
import { Problem } from '../parts/frame/problem.tsx';
import { ResearchAnswerView } from './research.tsx';
import type { ViewProps } from './view.ts';

export function SearchView({ parameters }: ViewProps) {
  const query = parameters.get('q') ?? '';
  const { status } = useContext(StatusContext);
  const isLines = isExpression(query) || parameters.get('as') === 'lines';
  const isEarly = status?.indexing === 'indexing' && status.lastIndexedAtMs === null;
  const [isStaying, leave] = useStay(String(parameters), isEarly, status !== null && status.lastIndexedAtMs !== null);
  const { value: suggestion, error } = useAnswer('suggest', isLines || isEarly ? null : { q: query });
  if (query === '') return <EmptyBox />;
  if (isLines) return <ExactLines query={query} folder={parameters.get('in') ?? ''} />;
  if (isEarly || isStaying) return <EarlyResults key={String(parameters)} parameters={parameters} onFinal={leave} />;
  if (error) return <Refused error={error} />;
  const isStructural = suggestion !== undefined && suggestion.question !== 'open' && parameters.get('as') !== 'words';
  if (suggestion === undefined) return <div class="padded" aria-busy="true" />;
  return isStructural ? (
    <ResearchAnswerView query={query} parameters={parameters} />
  ) : (
    <Results parameters={parameters} />
  );
}

/** Keeps early results after the index is published, until they report that the final ones can replace them. */
function useStay(address: string, isEarly: boolean, isPublished: boolean): [boolean, () => void] {
  const begun = useRef('');
  const [left, setLeft] = useState('');
  if (isEarly) begun.current = address;
  return [isPublished && begun.current === address && left !== address, () => setLeft(address)];
}

function Refused({ error }: { readonly error: unknown }) {
  return (
    <div class="padded">
      <Problem error={error} />
    </div>
  );
}

function EmptyBox() {
  return (
    <div class="padded narrow">
      <h1>Ask</h1>
      <p class="soft">
        Type a question, a name, a path or an error message above. <kbd>/</kbd> goes there. Between slashes, a regular
        expression finds lines: <code>/func \w+Error/</code>.
      </p>
    </div>
  );
}

function Results({ parameters }: ViewProps) {
  const query = parameters.get('q') ?? '';
  const page = pageIn(parameters);
  const filters = filtersIn(parameters);
  const { value, error, isLoading } = useAnswer('search', searchParameters(parameters));
  const { status } = useContext(StatusContext);
  // Filters and results are rendered together, so that neither moves the other.
  const isReady = status !== null && value !== undefined;
  const shown = (isReady ? value.hits : []).slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(resultOf);
  const pageLink = (wanted: number) =>
    to('search', { q: query, ...filters, page: wanted === 1 ? '' : String(wanted), as: parameters.get('as') ?? '' });
  // The exact search reads files on disk, so there is none for a ref.
  const linesLink = parameters.has('ref') ? null : to('search', { q: query, in: filters.in, as: 'lines' });
  if (!isReady && !error) return <div aria-busy="true" />;
  return (
    <div class="search-view">
      <aside class="side filters-side" aria-label="Filters">
        {isReady && <Filters query={query} filters={filters} languages={status.languages} hits={value.hits} />}
      </aside>
      <div class="middle padded" aria-busy={isLoading}>
        <h1 class="hidden">Results for {query}</h1>
        {error ? <Problem error={error} /> : null}
        {isReady && <Summary answer={value} lines={linesLink} />}
        {isReady && value.hits.length === 0 && <NothingFound answer={value} query={query} filters={filters} />}
        <ResultList results={shown} terms={termsOf(query)} />
        {isReady && value.hits.length > PAGE_SIZE && (
          <nav class="pages" aria-label="Pages of results">
            {page > 1 && (
              <a class="stop" href={pageLink(page - 1)}>
                ← previous
              </a>
            )}
            <span class="soft">page {page}</span>
            {value.hits.length > page * PAGE_SIZE && page * PAGE_SIZE < MAX_RESULTS && (
              <a class="stop" href={pageLink(page + 1)}>
                next →
              </a>
            )}
          </nav>
        )}
      </div>
    </div>
  );
}

function Summary({ answer, lines }: { readonly answer: SearchAnswer; readonly lines: string | null }) {
  const { totalCandidates, durationMs, notices, hits } = answer;
  return (
    <p class="soft summary" role="status">
      {hits.length === 0 ? 'Nothing matches' : plural(totalCandidates, 'result')} in {duration(durationMs)}
      {lines !== null && (
        <>
          {' · '}
          <a href={lines}>lines with exactly this text</a>
        </>
      )}
      {notices.map((notice) => (
        <span key={notice} class="notice">
          {notice}
        </span>
      ))}
    </p>
  );
}
