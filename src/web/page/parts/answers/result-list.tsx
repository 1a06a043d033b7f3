/** Lists search results by file. The page uses it, and the view inside clients. */

import { formatLines } from '../../code/line-range.ts';
import { Snippet } from '../../code/snippet.tsx';
import { fileAddress, to } from '../../data/addresses.ts';
import { groupBy } from '../../data/group-by.ts';
import type { Result } from '../../data/result.ts';
import { KindMark } from '../frame/kind-mark.tsx';
import { Matched } from './matched.tsx';
import { Strength } from './strength.tsx';

const SNIPPET_LINES = 8;
/** Maximum lines for exact matches, which are all shown. */
const MAX_MATCHED_LINES = 400;

export function ResultList({
  results,
  terms,
}: {
  readonly results: readonly Result[];
  readonly terms: readonly string[];
}) {
  return (
    <ol class="results">
      {groupBy(results, ({ path }) => path).map(([path, own]) => (
        <li key={path} class="group">
          <header>
            <a class="path" href={fileAddress(path)}>
              {path}
            </a>
            {own[0]!.isTest && <span class="chip">test</span>}
            <span class="soft">{own[0]!.language}</span>
          </header>
          {own.map((result) => (
            <ResultCard key={result.key} result={result} terms={terms} />
          ))}
        </li>
      ))}
    </ol>
  );
}

function ResultCard({ result, terms }: { readonly result: Result; readonly terms: readonly string[] }) {
  const { path, startLine, endLine, kind, symbolId, score, parts, language, pointed, explanation, isProvisional } =
    result;
  const lines = formatLines({ first: startLine, last: endLine });
  const name = result.isOverview ? 'The file' : result.name || lines;
  return (
    <article class="result">
      <div class="result-head">
        {score !== null && <Strength score={score} />}
        {symbolId !== '' && <KindMark kind={kind} />}
        <a class="stop title" href={fileAddress(path, result.isOverview ? '' : lines)}>
          {name}
        </a>
        {name !== lines && !result.isOverview && <span class="soft lines">{lines}</span>}
        <Matched explanation={explanation} />
        {symbolId !== '' && !isProvisional && (
          <a class="about" href={to('symbol', { id: symbolId })}>
            callers and uses
          </a>
        )}
      </div>
      {parts.map((part) => (
        <Snippet
          key={part.startLine}
          path={path}
          language={language}
          startLine={part.startLine}
          content={part.content}
          terms={terms}
          maxLines={pointed ? MAX_MATCHED_LINES : SNIPPET_LINES}
          pointed={pointed}
        />
      ))}
    </article>
  );
}
