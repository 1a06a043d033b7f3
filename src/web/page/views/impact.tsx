/** The impact view: touched symbols, their users, tests to run, files that usually change with them. */
import { useContext, useMemo, useState } from 'preact/hooks';
import type { ChangedSummary, DependantModule, ImpactAnswer, TouchedSymbol } from '../../../model/records/impact.ts';
import { fileAddress, to } from '../data/addresses.ts';
import { count, plural } from '../data/format-values.ts';
import { impactSubject } from '../data/impact-subject.ts';
import { StatusContext } from '../data/status.ts';
import { useAnswer } from '../data/use-answer.ts';
import { impactGraph } from '../graph/impact-graph.ts';
import { TestsToRun } from '../parts/answers/tests-to-run.tsx';
import { KindMark } from '../parts/frame/kind-mark.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import { isScope, Repositories } from '../parts/frame/repositories.tsx';
import { GraphFigure } from '../parts/pictures/graph-figure.tsx';
import type { ViewProps } from './view.ts';

const CHOICES: readonly { readonly words: string; readonly parameters: Readonly<Record<string, string>> }[] = [
  { words: 'Work tree', parameters: {} },
  { words: 'Staged', parameters: { staged: 'yes' } },
  { words: 'Last commit', parameters: { diff: 'HEAD^!' } },
  { words: 'Last ten commits', parameters: { diff: 'HEAD~10..HEAD' } },
];

export function ImpactView(props: ViewProps) {
  const root = useContext(StatusContext).status?.project.root ?? '';
  if (!isScope(root)) return <ImpactOfProject {...props} />;
  return (
    <div class="padded">
      <h1>What a change does</h1>
      <p class="soft">A change is made in one repository. Of which one?</p>
      <Repositories scope={root} view="impact" target={props.parameters.get('target') ?? ''} />
    </div>
  );
}

function ImpactOfProject({ parameters }: ViewProps) {
  const subject = {
    target: parameters.get('target') ?? '',
    diff: parameters.get('diff') ?? '',
    staged: parameters.get('staged') ?? '',
  };
  const { value, error, isLoading } = useAnswer('impact', subject);
  return (
    <div class="padded" aria-busy={isLoading}>
      <h1>What a change does</h1>
      <SubjectForm subject={subject} />
      {error ? <Problem error={error} /> : null}
      {value && !error && <Answered answer={value} />}
    </div>
  );
}

function SubjectForm({ subject }: { readonly subject: Readonly<Record<'target' | 'diff' | 'staged', string>> }) {
  const shown = subject.target || subject.diff;
  const [typed, setTyped] = useState(shown);
  const isChosen = (wanted: Readonly<Record<string, string>>) =>
    subject.target === '' && (wanted.diff ?? '') === subject.diff && (wanted.staged ?? '') === subject.staged;
  return (
    <form
      class="choices"
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = to('impact', { ...impactSubject(typed) });
      }}
    >
      {CHOICES.map(({ words, parameters }) => (
        <a
          key={words}
          class="choice"
          href={to('impact', parameters)}
          aria-current={isChosen(parameters) ? 'true' : undefined}
        >
          {words}
        </a>
      ))}
      <input
        type="text"
        class="subject"
        aria-label="A symbol, a file with lines, or commits"
        placeholder="A symbol, file.ts:10-20, or main..HEAD"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit">Show</button>
    </form>
  );
}

function Answered({ answer }: { readonly answer: ImpactAnswer }) {
  const { change, files, symbols, moreFiles, notices, modules } = answer;
  const graph = useMemo(() => impactGraph(answer), [answer]);
  return (
    <>
      <p class="soft summary" role="status">
        {change.slice(0, 1).toUpperCase() + change.slice(1)}
        {files.length > 0 &&
          `: ${plural(files.length + moreFiles, 'file')}, ${plural(symbols.length, 'symbol')} touched`}
        {notices.map((notice) => (
          <span key={notice} class="notice">
            {notice}
          </span>
        ))}
      </p>
      {graph && (
        <GraphFigure nodes={graph.nodes} edges={graph.edges} fileName="impact">
          What uses it stands left of it. The lists below say the same.
        </GraphFigure>
      )}
      {files.length + symbols.length === 0 ? (
        <p>
          Look at the <a href={to('impact', { diff: 'HEAD^!' })}>last commit</a>, or name a symbol or lines that you are
          about to change.
        </p>
      ) : (
        <div class="two-columns">
          <div>
            <Touched files={files} symbols={symbols} />
            <Companions answer={answer} />
          </div>
          <div>
            <TestsToRun answer={answer} />
            <Dependants modules={modules} />
          </div>
        </div>
      )}
    </>
  );
}

interface TouchedProps {
  readonly files: readonly ChangedSummary[];
  readonly symbols: readonly TouchedSymbol[];
}

function Touched({ files, symbols }: TouchedProps) {
  // A symbol that is queried by name has no changed file.
  const others = symbols.filter(({ path }) => !files.some((file) => file.path === path));
  return (
    <section>
      <h2>
        Touches <span class="soft">{count(symbols.length)}</span>
      </h2>
      <ul class="plain-list">
        {others.map((symbol) => (
          <li key={`${symbol.name} ${symbol.line}`}>
            <TouchedName symbol={symbol} />
          </li>
        ))}
      </ul>
      <ul class="sites">
        {files.map(({ path, status, remark }) => (
          <li key={path}>
            <a class="path stop" href={fileAddress(path)}>
              {path}
            </a>{' '}
            {status !== 'named' && <span class="chip">{status}</span>} <span class="soft">{remark}</span>
            <ul class="plain-list">
              {symbols
                .filter((symbol) => symbol.path === path)
                .map((symbol) => (
                  <li key={`${symbol.name} ${symbol.line}`}>
                    <TouchedName symbol={symbol} />
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TouchedName({ symbol: { symbolId, name, kind, path, line, change } }: { readonly symbol: TouchedSymbol }) {
  return (
    <>
      <KindMark kind={kind} /> {symbolId === null ? name : <a href={to('symbol', { id: symbolId })}>{name}</a>}{' '}
      {line > 0 && (
        <a class="soft lines" href={fileAddress(path, String(line))}>
          {line}
        </a>
      )}{' '}
      {(change === 'added' || change === 'removed') && <span class="chip">{change}</span>}
    </>
  );
}

const PLACES_SHOWN = 12;

function Dependants({ modules }: { readonly modules: readonly DependantModule[] }) {
  const total = modules.reduce((sum, { places }) => sum + places.length, 0);
  return (
    <section>
      <h2>
        Used by <span class="soft">{count(total)} outside of tests</span>
      </h2>
      {total === 0 && <p class="soft">Nothing outside of tests is known to use it.</p>}
      {modules.map(({ module, places }) => (
        <details key={module} open={modules.length < 4} class="module-places">
          <summary>
            {module} <span class="soft">{plural(places.length, 'place')}</span>
          </summary>
          <ul class="plain-list">
            {places.slice(0, PLACES_SHOWN).map(({ from, uses, path, line, confidence, hop }) => (
              <li key={`${path} ${line} ${uses}`}>
                <a class="stop place" href={fileAddress(path, String(line))}>
                  {path}:{line}
                </a>{' '}
                {from && `${from} `}uses {uses}
                {hop > 1 && <span class="soft">, {hop} steps away</span>}{' '}
                {confidence !== 'exact' && <span class={`chip ${confidence}`}>{confidence}</span>}
              </li>
            ))}
            {places.length > PLACES_SHOWN && <li class="soft">and {count(places.length - PLACES_SHOWN)} more</li>}
          </ul>
        </details>
      ))}
    </section>
  );
}

function Companions({ answer: { companions, commitsRead } }: { readonly answer: ImpactAnswer }) {
  if (companions.length === 0) return null;
  return (
    <section>
      <h2>
        Usually changes with it <span class="soft">in the last {plural(commitsRead, 'commit')}</span>
      </h2>
      <ul class="plain-list">
        {companions.map((each) => (
          <li key={`${each.path} ${each.with}`}>
            <a class="stop place" href={fileAddress(each.path)}>
              {each.path}
            </a>{' '}
            <span class="soft">
              in {each.together} of {each.commits} commits of {each.with}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
