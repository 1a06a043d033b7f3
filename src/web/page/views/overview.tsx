/** The first page: what this repository is, how it is built, where to begin reading. */
import { useContext } from 'preact/hooks';
import type { ProjectStatus } from '../../../engine/engine.ts';
import type { CentralFile, RepositoryActivity, RepositoryMap } from '../../../model/records/browse.ts';
import type { Discovery } from '../../../model/records/discovery.ts';
import { Growth } from '../charts/growth.tsx';
import { Shares } from '../charts/shares.tsx';
import { fileAddress, to } from '../data/addresses.ts';
import { count, short } from '../data/format-values.ts';
import { StatusContext } from '../data/status.ts';
import { useAnswer } from '../data/use-answer.ts';
import { DiscoveryText } from '../parts/answers/discovery-text.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import { Progress, StateDot } from '../parts/frame/state.tsx';
import { MapFigure } from '../parts/pictures/map-view.tsx';
import { WaitingPicture } from '../parts/pictures/waiting-picture.tsx';
import type { ViewProps } from './view.ts';

export function OverviewView(_: ViewProps) {
  const { status, error } = useContext(StatusContext);
  if (!status) return <div class="padded">{error ? <Problem error={error} /> : null}</div>;
  const isThere = status.lastIndexedAtMs !== null;
  return (
    <div class="padded overview">
      <header class="hero">
        <h1>{status.project.moduleName}</h1>
        <p class="soft">
          {status.project.root} · {status.ref}
        </p>
        <StateDot status={status} />
        <Progress status={status} />
      </header>
      <Figures status={status} />
      {isThere && <Known status={status} />}
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

function Known({ status }: { readonly status: ProjectStatus }) {
  const { value: map, error } = useAnswer('map', {});
  const { value: activity } = useAnswer('activity', {});
  const { value: memory } = useAnswer('memory', {});
  const rules = (memory?.discoveries ?? []).filter(({ type }) => type === 'decision' || type === 'rule').slice(0, 5);
  return (
    <>
      {error ? <Problem error={error} /> : null}
      {map ? <MapFigure map={map} activity={activity} /> : <WaitingPicture of="of-map" />}
      {map && <Reading status={status} map={map} activity={activity} rules={rules} />}
    </>
  );
}

interface ReadingProps {
  readonly status: ProjectStatus;
  readonly map: RepositoryMap;
  readonly activity: RepositoryActivity | undefined;
  readonly rules: readonly Discovery[];
}

function Reading({ status, map, activity, rules }: ReadingProps) {
  return (
    <div class="overview-grid">
      <section>
        <h2>Start reading here</h2>
        <Entries map={map} />
      </section>
      <section>
        <h2>Languages</h2>
        <Shares
          unit="lines"
          label={`Languages by lines: ${status.languages.map(({ language, lines }) => `${language} ${lines}`).join(', ')}`}
          shares={status.languages.map(({ language, lines }) => ({ name: language, amount: lines }))}
        />
        <h2>Growth</h2>
        {activity ? <Growth activity={activity} /> : <figure class="growth" />}
        {rules.length > 0 && (
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
        )}
      </section>
    </div>
  );
}

function firstSentence(text: string): string {
  // Not behind a number or a letter alone: "1. Prices are kept in cents".
  const [first = text] = text.split(/(?<=[^\s.]{2}[.!?])\s/);
  return first.length > 200 ? `${first.slice(0, 200)}…` : first;
}

function Entries({ map }: { readonly map: RepositoryMap }) {
  return (
    <>
      {map.entryPoints.length > 0 && (
        <>
          <h3>Entry points</h3>
          <ul class="paths columns">
            {map.entryPoints.map((path) => (
              <li key={path}>
                <a class="stop" href={fileAddress(path)}>
                  {path}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Central files</h3>
      <ul class="central">
        {map.centralFiles.slice(0, 8).map((file) => (
          <Central key={file.path} file={file} most={map.centralFiles[0]!.rank} />
        ))}
      </ul>
    </>
  );
}

function Central({ file, most }: { readonly file: CentralFile; readonly most: number }) {
  return (
    <li>
      <a class="stop path" href={fileAddress(file.path)}>
        {file.path}
      </a>
      <svg class="meter" viewBox="0 0 60 4" aria-hidden="true">
        <rect class="track" width="60" height="4" rx="2" />
        <rect class="value" width={(file.rank / most) * 60} height="4" rx="2" />
      </svg>
      <p class="names">
        {file.symbols.map(({ name, line, signature }, i) => (
          <span key={line}>
            {i > 0 && ' · '}
            <a href={fileAddress(file.path, String(line))} title={signature}>
              {name}
            </a>
          </span>
        ))}
      </p>
    </li>
  );
}
