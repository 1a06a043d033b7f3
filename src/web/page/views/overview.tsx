/** The overview: what this repository is, how it is structured, where to begin reading. */
import { useContext } from 'preact/hooks';
import type { ProjectStatus } from '../../../engine/engine.ts';
import type { RepositoryMap } from '../../../model/records/browse.ts';
import type { Discovery } from '../../../model/records/discovery.ts';
import { Growth } from '../charts/growth.tsx';
import { Shares } from '../charts/shares.tsx';
import { summaryOf } from '../code/markdown-blocks.ts';
import { fileAddress, to } from '../data/addresses.ts';
import { count, plural, short, shortName } from '../data/format-values.ts';
import { README } from '../data/readme.ts';
import { StatusContext } from '../data/status.ts';
import { useAnswer } from '../data/use-answer.ts';
import { DiscoveryText } from '../parts/answers/discovery-text.tsx';
import { CentralFiles } from '../parts/frame/central-files.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import { isScope, Repositories } from '../parts/frame/repositories.tsx';
import { Progress, StateDot } from '../parts/frame/state.tsx';
import { MapFigure } from '../parts/pictures/map-view.tsx';
import type { ViewProps } from './view.ts';

export function OverviewView(_: ViewProps) {
  const { status, error } = useContext(StatusContext);
  if (!status) return <div class="padded">{error ? <Problem error={error} /> : null}</div>;
  const isThere = status.lastIndexedAtMs !== null;
  return (
    <div class="padded overview">
      <header class="hero">
        <h1>{status.project.moduleName}</h1>
        <p class="soft">{isScope(status.project.root) ? status.ref : `${status.project.root} · ${status.ref}`}</p>
        <StateDot status={status} />
        <Progress status={status} />
      </header>
      {isScope(status.project.root) && <Repositories scope={status.project.root} view="" />}
      {isThere ? <Known status={status} /> : <Figures status={status} />}
    </div>
  );
}

function Figures({ status }: { readonly status: ProjectStatus }) {
  const figures: [string, number][] = [
    ['files', status.fileCount],
    ['lines', status.lineCount],
    ['symbols', status.symbolCount],
    ['languages', status.languages.length],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={count(amount)}>{short(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The README's summary is shown first, because it loads quickly; the map of a large repository follows below it. */
function Known({ status }: { readonly status: ProjectStatus }) {
  const map = useAnswer('map', {});
  const activity = useAnswer('activity', {});
  const memory = useAnswer('memory', {});
  const { summary, isLoading } = useSummary(shortName(status.project.moduleName));
  if (map.error) return <Problem error={map.error} />;
  if (isLoading) return <div aria-busy="true" />;
  const rules = (memory.value?.discoveries ?? []).filter(({ type }) => type === 'decision' || type === 'rule');
  return (
    <>
      {summary !== '' && <p class="lead">{summary}</p>}
      <Figures status={status} />
      <Questions centralFiles={map.value?.centralFiles ?? []} />
      {!map.value && (
        <figure class="picture-frame" aria-busy="true">
          <div class="picture of-map coming soft">Drawing the map of the modules …</div>
        </figure>
      )}
      {map.value && (
        <>
          <MapFigure map={map.value} activity={activity.value} />
          <div class="overview-grid">
            <section>
              <h2>Start reading here</h2>
              <EntryPoints map={map.value} />
              <CentralFiles files={map.value.centralFiles.slice(0, 8)} />
            </section>
            <section>
              <h2>Languages</h2>
              <Languages status={status} />
              <h2>Growth</h2>
              {activity.value ? <Growth activity={activity.value} /> : <figure class="growth" />}
              <MostChanged files={activity.value?.changedFiles ?? []} />
              <Rules rules={rules.slice(0, 5)} />
            </section>
          </div>
        </>
      )}
    </>
  );
}

/** The first paragraphs of the README. */
function useSummary(name: string): { readonly summary: string; readonly isLoading: boolean } {
  const folder = useAnswer('folder', {});
  const readme = folder.value?.find(({ name, isFolder }) => !isFolder && README.test(name));
  const file = useAnswer('file', readme ? { path: readme.path } : null);
  const isLoading = (!folder.value && !folder.error) || (readme !== undefined && !file.value && !file.error);
  return { summary: file.value ? summaryOf(file.value.content, name) : '', isLoading };
}

/** Example questions that this repository can answer. */
function Questions({ centralFiles }: Pick<RepositoryMap, 'centralFiles'>) {
  const [first, second] = centralFiles;
  const name = first?.symbols[0]?.name;
  const questions = [
    'how is this repository structured',
    ...(name ? [`what calls ${name}`] : []),
    ...(second ? [`what depends on ${second.path}`] : []),
  ];
  return (
    <nav class="questions" aria-label="Questions to begin with">
      <span class="soft">Ask</span>
      {questions.map((question) => (
        <a key={question} class="question" href={to('search', { q: question })}>
          {question}
        </a>
      ))}
    </nav>
  );
}

function EntryPoints({ map: { entryPoints } }: { readonly map: RepositoryMap }) {
  if (entryPoints.length === 0) return null;
  return (
    <>
      <h3>Entry points</h3>
      <ul class="paths columns">
        {entryPoints.map((path) => (
          <li key={path}>
            <a class="stop" href={fileAddress(path)}>
              {path}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Languages({ status: { languages } }: { readonly status: ProjectStatus }) {
  const words = languages.map(({ language, lines }) => `${language} ${lines}`).join(', ');
  return (
    <Shares
      unit="lines"
      label={`Languages by lines: ${words}`}
      shares={languages.map(({ language, lines }) => ({ name: language, amount: lines }))}
    />
  );
}

function MostChanged({ files }: { readonly files: readonly { readonly path: string; readonly commits: number }[] }) {
  if (files.length === 0) return null;
  return (
    <>
      <h2>Changes most</h2>
      <ul class="paths">
        {files.slice(0, 5).map(({ path, commits }) => (
          <li key={path}>
            <a class="stop" href={fileAddress(path)}>
              {path}
            </a>{' '}
            <span class="soft">{plural(commits, 'commit')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Rules({ rules }: { readonly rules: readonly Discovery[] }) {
  if (rules.length === 0) return null;
  return (
    <>
      <h2>Decisions and rules</h2>
      <ul class="plain-list">
        {rules.map((each) => (
          <li key={each.id}>
            <span class="chip">{each.type}</span> <DiscoveryText content={firstSentence(each.content)} />
          </li>
        ))}
      </ul>
      <p>
        <a href={to('memory')}>Everything that is known</a>
      </p>
    </>
  );
}

function firstSentence(text: string): string {
  // Does not split after a single number or letter: "1. Prices are kept in cents".
  const [first = text] = text.split(/(?<=[^\s.]{2}[.!?])\s/);
  return first.length > 200 ? `${first.slice(0, 200)}…` : first;
}
