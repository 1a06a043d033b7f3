/**
 * Results during the first index: ranked results of the files read so far; before there are any, matching lines of the
 * files on disk. Newer results replace them when nobody is reading, otherwise on request.
 */
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { termsOf } from '../../code/mark-terms.ts';
import { count, plural } from '../../data/format-values.ts';
import { resultOf } from '../../data/result.ts';
import { StatusContext } from '../../data/status.ts';
import { fetchAnswer, useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';
import { Progress } from '../frame/state.tsx';
import { lineResults } from './line-results.ts';
import { ResultList } from './result-list.tsx';
import { PAGE_SIZE, searchParameters } from './search-parameters.ts';
import { type Early, useEarly } from './use-early.ts';

export interface EarlyResultsProps {
  readonly parameters: URLSearchParams;
  /** Called when the final results can be shown. */
  readonly onFinal: () => void;
}

export function EarlyResults({ parameters, onFinal }: EarlyResultsProps) {
  const query = parameters.get('q') ?? '';
  const terms = termsOf(query);
  const { status } = useContext(StatusContext);
  const lines = useAnswer('grep', terms.length === 0 ? null : { words: terms.join(' ') });
  const middle = useRef<HTMLDivElement>(null);
  const early = useEarly({ ...searchParameters(parameters), limit: PAGE_SIZE }, () => !isBeingRead(middle.current));
  const [isWaiting, setWaiting] = useState(false);
  const isComplete = status?.indexing !== 'indexing' || status.lastIndexedAtMs !== null;
  const toFinal = () => void fetchFinal(parameters).finally(onFinal);
  useEffect(() => {
    if (!isComplete) return;
    if (isBeingRead(middle.current)) setWaiting(true);
    else toFinal();
  }, [isComplete]);
  const hits = early.shown?.answer.hits ?? [];
  const matches = lines.value?.matches ?? [];
  const hasLines = early.isAsked && hits.length === 0 && matches.length > 0;
  const results = hasLines ? lineResults(matches) : hits.map((hit) => ({ ...resultOf(hit), isProvisional: true }));
  return (
    <div class="search-view">
      <aside class="side" aria-label="Progress">
        {status && <Progress status={status} isDone={isComplete} />}
      </aside>
      <div class="middle padded early" ref={middle}>
        <h1 class="hidden">Results for {query} so far</h1>
        <p class="soft summary" role="status" tabIndex={-1}>
          {isComplete ? (
            <>All files are indexed. {isWaiting && <Quiet words="Show the final results" onClick={toFinal} />}</>
          ) : (
            <SoFar early={early} lines={hasLines ? (lines.value?.totalMatches ?? 0) : null} />
          )}
        </p>
        {lines.error ? <Problem error={lines.error} /> : null}
        {/* Another list, not the same one with its files in another order. */}
        <ResultList key={hasLines ? 'lines' : early.shown?.filesDone} results={results} terms={terms} />
      </div>
    </div>
  );
}

/** `lines` is the number of matching lines, if they are shown. */
function SoFar({ early, lines }: { readonly early: Early; readonly lines: number | null }) {
  const { shown, newResults, show, isAsked } = early;
  if (!isAsked) return <>The index is being made.</>;
  return (
    <>
      {shown === null
        ? 'The index is being made.'
        : `So far: ${count(shown.filesDone)} of ${count(shown.filesTotal)} files indexed.`}{' '}
      {lines === null && shown?.answer.hits.length === 0 && 'Nothing matches yet. '}
      {lines !== null && `${plural(lines, 'line')} with these words, files with most of them first. `}
      {newResults > 0 && <Quiet words={`${plural(newResults, 'new result')}: show`} onClick={show} />}
    </>
  );
}

/** A button that disappears when pressed and leaves the focus to its line. */
function Quiet({ words, onClick }: { readonly words: string; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      class="plain quiet"
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[role="status"]')?.focus();
        onClick();
      }}
    >
      {words}
    </button>
  );
}

/** Whether the user scrolled, pointed at, focused or selected something: then the content must not change by itself. */
function isBeingRead(middle: HTMLElement | null): boolean {
  const list = middle?.querySelector('.results');
  if (!middle || !list || list.childElementCount === 0) return false;
  const selected = getSelection();
  return (
    middle.scrollTop > 0 ||
    scrollY > 0 ||
    list.matches(':hover') ||
    list.contains(document.activeElement) ||
    (selected !== null && !selected.isCollapsed && list.contains(selected.anchorNode))
  );
}

/** Prefetches the first requests of the final view. */
async function fetchFinal(parameters: URLSearchParams): Promise<void> {
  const { question } = await fetchAnswer('suggest', { q: parameters.get('q') ?? '' });
  if (question === 'open') await fetchAnswer('search', searchParameters(parameters));
}
