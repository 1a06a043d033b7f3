/** The symbol view: source, callers, callees, tests. */
import type { SymbolDetail, SymbolInfo } from '../../../model/records/query.ts';
import { formatLines } from '../code/line-range.ts';
import { Markdown } from '../code/markdown.tsx';
import { Snippet } from '../code/snippet.tsx';
import { fileAddress, to } from '../data/addresses.ts';
import { ask } from '../data/api.ts';
import { count } from '../data/format-values.ts';
import { useAnswer } from '../data/use-answer.ts';
import { KindMark } from '../parts/frame/kind-mark.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import { CallGraphView } from '../parts/pictures/call-graph-view.tsx';
import { Breadcrumb } from '../parts/reading/breadcrumb.tsx';
import { SiteList } from '../parts/reading/uses.tsx';
import type { ViewProps } from './view.ts';

export function SymbolView({ parameters }: ViewProps) {
  const id = parameters.get('id') ?? '';
  const name = parameters.get('name') ?? '';
  const { value, error, isLoading } = useAnswer('symbol', name === '' ? { id } : { name });
  return (
    <div class="padded" aria-busy={isLoading}>
      {error ? <Problem error={error} /> : null}
      {value && <Detail detail={value} />}
    </div>
  );
}

function loadCalls(id: string) {
  return ask('calls', { id });
}

function Detail({ detail }: { readonly detail: SymbolDetail }) {
  const { symbol } = detail;
  // The picture's height depends on the graph, so the content below waits for it.
  const calls = useAnswer('calls', { id: symbol.symbolId });
  return (
    <>
      <Breadcrumb path={symbol.path} />
      <h1 class="symbol-name">
        <KindMark kind={symbol.kind} /> {symbol.qualifiedName}
        <a
          class="soft lines"
          href={fileAddress(symbol.path, formatLines({ first: symbol.startLine, last: symbol.endLine }))}
        >
          {formatLines({ first: symbol.startLine, last: symbol.endLine })}
        </a>
      </h1>
      <p class="symbol-links">
        <a href={to('impact', { target: symbol.symbolId })}>Impact of a change</a>
      </p>
      {symbol.doc !== '' && <Markdown path={symbol.path} content={symbol.doc} />}
      {calls.error ? <Problem error={calls.error} /> : null}
      {calls.value?.symbol.symbolId === symbol.symbolId && (
        <CallGraphView first={calls.value} name={symbol.name} load={loadCalls} />
      )}
      {(calls.error || calls.value?.symbol.symbolId === symbol.symbolId) && <Lists detail={detail} />}
    </>
  );
}

function Lists({ detail }: { readonly detail: SymbolDetail }) {
  const { symbol, source, references, callees, implementers, tests, totals } = detail;
  const fullStart = symbol.endLine - source.replace(/\n$/, '').split('\n').length + 1;
  return (
    <div class="two-columns">
      <section>
        <h2>Source</h2>
        <Snippet path={symbol.path} language={symbol.language} startLine={fullStart} content={source} maxLines={60} />
      </section>
      <section>
        <h2>
          Used by <span class="soft">{count(totals.references)}</span>
        </h2>
        {references.length === 0 ? (
          <p class="soft">Nothing in the index uses it.</p>
        ) : (
          <SiteList sites={references.slice(0, 100)} />
        )}
        <CalleeList callees={callees} total={totals.callees} />
        <SymbolList title="Implemented by" symbols={implementers} total={totals.implementers} />
        <SymbolList title="Tests" symbols={tests} total={totals.tests} />
      </section>
    </div>
  );
}

function CalleeList({ callees, total }: { readonly callees: SymbolDetail['callees']; readonly total: number }) {
  const known = new Map(callees.flatMap(({ target }) => (target ? [[target.symbolId, target] as const] : [])));
  if (known.size === 0) return null;
  return <SymbolList title="Calls" symbols={[...known.values()]} total={total} />;
}

function SymbolList({
  title,
  symbols,
  total,
}: {
  readonly title: string;
  readonly symbols: readonly SymbolInfo[];
  readonly total: number;
}) {
  if (symbols.length === 0) return null;
  return (
    <>
      <h2>
        {title} <span class="soft">{count(total)}</span>
      </h2>
      <ul class="plain-list">
        {symbols.slice(0, 60).map((symbol) => (
          <li key={symbol.symbolId}>
            <KindMark kind={symbol.kind} />{' '}
            <a class="stop" href={to('symbol', { id: symbol.symbolId })}>
              {symbol.qualifiedName}
            </a>{' '}
            <a class="soft place" href={fileAddress(symbol.path, String(symbol.startLine))}>
              {symbol.path}:{symbol.startLine}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
