/** Metrics of the tools, the last calls of agents, and their sessions. */
import type { Answers } from '../../../api/page-api.ts';
import { to } from '../../data/addresses.ts';
import { ago, bytes, count, duration, plural } from '../../data/format-values.ts';
import { useAnswer } from '../../data/use-answer.ts';
import { Problem } from '../frame/problem.tsx';
import { Sessions } from './sessions.tsx';

/** Rendered when all parts are loaded, so that none moves another. */
export function Agents() {
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
    <section tabIndex={0} aria-label="Tools">
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
              <td class="soft when">{ago(call.atMs)}</td>
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
