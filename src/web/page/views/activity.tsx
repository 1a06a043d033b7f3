/** What goes on: the index and its runs, what is left out, how the tools answer, what agents asked. */
import { useContext, useState } from 'preact/hooks';
import type { ProjectStatus } from '../../../engine/engine.ts';
import type { SessionRecord } from '../../../model/records/session.ts';
import type { Answers } from '../../api/page-api.ts';
import { fileAddress, to } from '../data/addresses.ts';
import { change } from '../data/api.ts';
import { ago, bytes, count, duration, plural } from '../data/format-values.ts';
import { lookAtStatus, StatusContext } from '../data/status.ts';
import { tokenOfTab } from '../data/token.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Problem } from '../parts/frame/problem.tsx';
import { Progress, StateDot } from '../parts/frame/state.tsx';
import type { ViewProps } from './view.ts';

export function ActivityView(_: ViewProps) {
  const { status, error } = useContext(StatusContext);
  if (!status) return <div class="padded">{error ? <Problem error={error} /> : null}</div>;
  return (
    <div class="padded">
      <h1>Activity</h1>
      <div class="two-columns">
        <div>
          <IndexState status={status} />
          <Runs status={status} />
          <Skipped status={status} />
          <Connect />
        </div>
        <Agents />
      </div>
    </div>
  );
}

function IndexState({ status }: { readonly status: ProjectStatus }) {
  const [error, setError] = useState<unknown>(undefined);
  const figures: [string, string][] = [
    ['Files', count(status.fileCount)],
    ['Lines', count(status.lineCount)],
    ['Symbols', count(status.symbolCount)],
    ['Chunks', count(status.chunkCount)],
    ['Vectors', count(status.vectorCount)],
    ['Size', bytes(status.indexBytes)],
    ['Follows changes', status.watching === 'off' ? 'no' : `by ${status.watching}`],
    ['Model', status.modelId],
  ];
  return (
    <section>
      <h2>Index</h2>
      <p>
        <StateDot status={status} />
        {status.lastIndexedAtMs !== null && <span class="soft"> indexed {ago(status.lastIndexedAtMs)}</span>}{' '}
        <button
          type="button"
          class="plain"
          disabled={status.indexing === 'indexing'}
          onClick={() => {
            change('index', { ref: '' }).then(() => {
              setError(undefined);
              lookAtStatus();
            }, setError);
          }}
        >
          Bring up to date
        </button>
      </p>
      {error ? <Problem error={error} /> : null}
      <Progress status={status} />
      <dl class="facts-list">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {status.pending.length > 0 && (
        <details>
          <summary>{plural(status.pending.length, 'changed file')} not in the index yet</summary>
          <ul class="paths">
            {status.pending.map((path) => (
              <li key={path}>
                <a class="stop" href={fileAddress(path)}>
                  {path}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Runs({ status }: { readonly status: ProjectStatus }) {
  if (status.recentJobs.length === 0) return null;
  return (
    <section>
      <h2>Last runs</h2>
      <table class="listing">
        <thead>
          <tr>
            <th>When</th>
            <th>Ref</th>
            <th>What</th>
            <th>How it ended</th>
            <th class="figure">Files</th>
            <th class="figure">Took</th>
          </tr>
        </thead>
        <tbody>
          {status.recentJobs.map((job) => (
            <tr key={job.jobId}>
              <td>{ago(job.createdAtMs)}</td>
              <td>{job.ref}</td>
              <td>{job.mode}</td>
              <td title={job.error ?? ''}>{job.status}</td>
              <td class="figure">{job.changedFiles === null ? '' : count(job.changedFiles)}</td>
              <td class="figure">{job.durationMs === null ? '' : duration(job.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Skipped({ status }: { readonly status: ProjectStatus }) {
  const [isOpen, setOpen] = useState(false);
  const { value, error } = useAnswer('skipped', isOpen ? {} : null);
  const reasons = Object.entries(status.skippedByReason).filter(([, amount]) => amount > 0);
  if (reasons.length === 0) return null;
  const words = reasons.map(([reason, amount]) => `${count(amount)} ${reason.replaceAll('_', ' ')}`).join(', ');
  return (
    <section>
      <h2>Left out</h2>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{words}</summary>
        {error ? <Problem error={error} /> : null}
        {value && (
          <table class="listing">
            <tbody>
              {value.files.map(({ path, reason, detail }) => (
                <tr key={path}>
                  <td>{path}</td>
                  <td>{reason.replaceAll('_', ' ')}</td>
                  <td class="soft">{detail ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {value && value.total > value.files.length && (
          <p class="soft">and {count(value.total - value.files.length)} more</p>
        )}
      </details>
    </section>
  );
}

function Connect() {
  const header = tokenOfTab() === null ? '' : ' --header "Authorization: Bearer $SEXTANT_TOKEN"';
  return (
    <section>
      <h2>Connect an agent</h2>
      <pre class="command" tabIndex={0}>
        <code>{`claude mcp add --transport http sextant ${location.origin}/mcp${header}`}</code>
      </pre>
    </section>
  );
}

/** Shown when all of it is there, so that none pushes another down. */
function Agents() {
  const metrics = useAnswer('metrics', {});
  const recent = useAnswer('recent', {});
  const sessions = useAnswer('sessions', {});
  const error = metrics.error ?? recent.error ?? sessions.error;
  if (error) return <Problem error={error} />;
  if (!metrics.value || !recent.value || !sessions.value) return <div aria-busy="true" />;
  return (
    <div>
      <Tools value={metrics.value} />
      <RecentCalls value={recent.value} />
      <Sessions value={sessions.value} />
    </div>
  );
}

function Tools({ value }: { readonly value: Answers['metrics'] }) {
  if (value.tools.length === 0) return null;
  const most = Math.max(...value.tools.map(({ calls }) => calls));
  const slowest = Math.max(...value.tools.map(({ p95Ms }) => p95Ms), 1);
  return (
    <section>
      <h2>
        Tools <span class="soft">last seven days, {plural(value.servers, 'server')}</span>
      </h2>
      <table class="listing metrics">
        <thead>
          <tr>
            <th>Tool</th>
            <th class="figure">Calls</th>
            <th>Answered</th>
            <th>Time, p50 and p95</th>
          </tr>
        </thead>
        <tbody>
          {value.tools.map(({ profile, tool, calls, succeeded, p50Ms, p95Ms, errors }) => (
            <tr key={`${profile} ${tool}`}>
              <td>
                {tool} <span class="soft">{profile}</span>
              </td>
              <td class="figure">
                {count(calls)}
                <Bar share={calls / most} />
              </td>
              <td
                title={Object.entries(errors)
                  .map(([code, n]) => `${code} ${n}`)
                  .join(', ')}
              >
                {Math.round((succeeded / Math.max(1, calls)) * 100)} %
              </td>
              <td>
                <Bar share={p95Ms / slowest} inner={p50Ms / slowest} /> {duration(p50Ms)} – {duration(p95Ms)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Bar({ share, inner }: { readonly share: number; readonly inner?: number }) {
  return (
    <svg class="bar" viewBox="0 0 80 6" aria-hidden="true">
      <rect class={inner === undefined ? 'value' : 'track'} width={Math.max(1, share * 80)} height="6" rx="1.5" />
      {inner !== undefined && <rect class="value" width={Math.max(1, inner * 80)} height="6" rx="1.5" />}
    </svg>
  );
}

function RecentCalls({ value }: { readonly value: Answers['recent'] }) {
  if (value.length === 0) return null;
  return (
    <section>
      <h2>
        Last calls <span class="soft">of this server</span>
      </h2>
      <table class="listing">
        <thead>
          <tr>
            <th>When</th>
            <th>Tool</th>
            <th>Asked</th>
            <th>Got</th>
            <th class="figure">Took</th>
          </tr>
        </thead>
        <tbody>
          {value.slice(0, 40).map((call, i) => (
            <tr key={`${call.atMs} ${i}`}>
              <td class="soft">{ago(call.atMs)}</td>
              <td>{call.tool}</td>
              <td class="asked">
                {call.asked === '' ? '' : <a href={to('search', { q: call.asked })}>{call.asked}</a>}
              </td>
              <td class={call.outcome === 'ok' ? '' : 'bad'}>
                {call.outcome === 'ok' ? call.found || bytes(call.resultBytes) : call.outcome.replaceAll('_', ' ')}
              </td>
              <td class="figure">{duration(call.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Sessions({ value }: { readonly value: Answers['sessions'] }) {
  return (
    <section>
      <h2>
        Sessions of agents <span class="soft">{count(value.length)}</span>
      </h2>
      {value.length === 0 && <p class="soft">No agent has asked yet.</p>}
      <ul class="cards">
        {value.slice(0, 30).map((session) => (
          <li key={session.id}>
            <SessionCard session={session} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SessionCard({ session }: { readonly session: SessionRecord }) {
  const reads = Object.entries(session.reads).sort((a, b) => b[1] - a[1]);
  return (
    <details class="card">
      <summary>
        {ago(session.lastMs)} · {plural(session.queries.length, 'question')} · {plural(reads.length, 'file')} read
        {session.discoveries.length > 0 &&
          ` · ${plural(session.discoveries.length, 'discovery').replace('discoverys', 'discoveries')}`}
      </summary>
      <ul class="plain-list">
        {session.queries.map((query) => (
          <li key={query}>
            <a class="stop" href={to('search', { q: query })}>
              {query}
            </a>
          </li>
        ))}
      </ul>
      {reads.length > 0 && (
        <ul class="paths">
          {reads.map(([path, times]) => (
            <li key={path}>
              <a class="stop" href={fileAddress(path)}>
                {path}
              </a>{' '}
              <span class="soft">{times > 1 ? `${times} times` : ''}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
