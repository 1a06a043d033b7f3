/**
 * Shows answers of tools inside a client: results, a symbol with its calls, research. Links call tools through the
 * client.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { termsOf } from '../code/mark-terms.ts';
import { Snippet } from '../code/snippet.tsx';
import { fromHash } from '../data/addresses.ts';
import { languageOf } from '../data/language-of.ts';
import { Evidence, NextQuestions, Sentences } from '../parts/answers/research-text.tsx';
import { ResultList } from '../parts/answers/result-list.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import { CallGraphView } from '../parts/pictures/call-graph-view.tsx';
import { ResearchFigure } from '../parts/pictures/research-figure.tsx';
import type { Host } from './connect-host.ts';
import { follow, type Shown } from './follow.ts';
import { text, texts } from './json-value.ts';
import { evidenceOf, graphOf, neighboursOf, resultsOf } from './read-answers.ts';

export interface AnswerPageProps {
  readonly host: Host;
  /** The call that opened the view, with its answer. */
  readonly first: Shown;
}

export function AnswerPage({ host, first }: AnswerPageProps) {
  const [stack, setStack] = useState<readonly Shown[]>([first]);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => setStack([first]), [first]);
  const shown = stack.at(-1)!;
  const opened = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#/"]');
    if (!link) return;
    event.preventDefault();
    if (!host.canCallTools) return;
    follow(host, fromHash(link.hash, null), first.args).then((next) => {
      setError(undefined);
      if (next) setStack([...stack, next]);
    }, setError);
  };
  return (
    <main class="answer-view" onClick={opened}>
      {stack.length > 1 && (
        <button type="button" class="plain" onClick={() => setStack(stack.slice(0, -1))}>
          ← Back
        </button>
      )}
      {error ? <Problem error={error} /> : null}
      <Answer host={host} shown={shown} />
    </main>
  );
}

function Answer({ host, shown }: { readonly host: Host; readonly shown: Shown }) {
  const { tool, answer } = shown;
  if (tool === 'code_research') return <Research host={host} shown={shown} />;
  if (tool === 'read_file') return <Excerpt host={host} shown={shown} />;
  if (tool === 'locate_symbol' && neighboursOf(answer)) return <SymbolCalls host={host} shown={shown} />;
  return <Results shown={shown} />;
}

function Results({ shown: { args, answer } }: { readonly shown: Shown }) {
  const [wanted, setWanted] = useState('');
  const all = resultsOf(answer);
  const results = all.filter(({ path, name }) => `${path} ${name}`.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <>
      <h1 class="hidden">Results for {text(args.query) || text(args.name)}</h1>
      <p class="summary">
        <span class="soft" role="status">
          {all.length === 0
            ? text(answer.message) || 'Nothing matches.'
            : `${results.length} of ${all.length} for ${text(args.query) || text(args.name)}`}
        </span>{' '}
        {all.length > 3 && (
          <input
            type="search"
            aria-label="Only paths and names with"
            placeholder="Only paths and names with …"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        )}
      </p>
      <ResultList results={results} terms={termsOf(text(args.query) || text(args.name))} />
    </>
  );
}

function SymbolCalls({ host, shown: { args, answer } }: { readonly host: Host; readonly shown: Shown }) {
  const own = useMemo(() => neighboursOf(answer)!, [answer]);
  const load = async (name: string) => {
    if (name === own.symbol.symbolId) return own;
    const { answer: found } = (await follow(
      host,
      { view: 'symbol', parameters: new URLSearchParams({ name }) },
      args,
    ))!;
    const neighbours = neighboursOf(found);
    if (!neighbours) throw new Error(text(found.message) || `No symbol ${name}.`);
    // Keyed by the name that is drawn.
    return { ...neighbours, symbol: { ...neighbours.symbol, symbolId: name } };
  };
  return (
    <>
      <h1 class="symbol-name">{own.symbol.name}</h1>
      <CallGraphView first={own} name={own.symbol.name} load={load} />
      <ResultList results={resultsOf(answer).slice(0, 3)} terms={termsOf(own.symbol.name)} />
    </>
  );
}

function Research({ host, shown: { args, answer } }: { readonly host: Host; readonly shown: Shown }) {
  const [drawn, setDrawn] = useState(graphOf(answer));
  // The model's answer is text; the picture needs the edges, which are fetched here.
  useEffect(() => {
    if (drawn.edges.length > 0 || !host.canCallTools) return;
    host
      .callTool('code_research', { ...args, graph: true, max_tokens: 6000 })
      .then(({ structuredContent }) => structuredContent && setDrawn(graphOf(structuredContent)))
      .catch(() => {});
  }, [answer]);
  return (
    <>
      <h1 class="hidden">{text(args.query)}</h1>
      {drawn.question !== 'path' && <ResearchFigure answer={drawn} />}
      <Sentences summary={text(answer.summary)} />
      <Evidence evidence={evidenceOf(answer)} isCut={answer.truncated === true} />
      <NextQuestions questions={texts(answer.ask_next)} />
    </>
  );
}

function Excerpt({ host, shown: { args, answer } }: { readonly host: Host; readonly shown: Shown }) {
  const path = text(answer.path);
  const startLine = Number(args.start_line ?? 1);
  const place = `${path}:${text(answer.lines) || startLine}`;
  return (
    <>
      <h1 class="place">{place}</h1>
      <Snippet path={path} language={languageOf(path)} startLine={startLine} content={text(answer.content)} />
      {host.canSendMessages && (
        <button type="button" onClick={() => void host.sendMessage(`Look at ${place}.`)}>
          Point the assistant here
        </button>
      )}
    </>
  );
}
