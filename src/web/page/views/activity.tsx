/** The activity view: the index and its runs, skipped files, metrics of the tools, calls of agents. */
import { useContext, useState } from 'preact/hooks';
import type { ProjectStatus } from '../../../engine/engine.ts';
import { fileAddress } from '../data/addresses.ts';
import { change } from '../data/api.ts';
import { ago, bytes, count, duration, plural } from '../data/format-values.ts';
import { lookAtStatus, StatusContext } from '../data/status.ts';
import { tokenOfTab } from '../data/token.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Agents } from '../parts/activity/agents.tsx';
import { CopyButton } from '../parts/frame/copy-button.tsx';
import { Problem } from '../parts/frame/problem.tsx';
import { isScope, Repositories } from '../parts/frame/repositories.tsx';
import { Progress, StateDot } from '../parts/frame/state.tsx';

export function ActivityView() {
  const { status, error } = useContext(StatusContext);
  if (!status) return <div class="padded">{error ? <Problem error={error} /> : null}</div>;
  const { root } = status.project;
  if (isScope(root))
    return (
      <div class="padded">
        <h1>Activity</h1>
        <p class="soft">Each repository has its own runs and calls.</p>
        <Repositories scope={root} view="activity" />
      </div>
    );
  return (
    <div class="padded">
      <h1>Activity</h1>
      <div class="two-columns">
        <div>
          <IndexState status={status} />
          <Runs status={status} />
          <Skipped status={status} />
          <Connect root={root} />
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
      <p class="index-state">
        <StateDot status={status} />
        {status.lastIndexedAtMs !== null && <span class="soft">indexed {ago(status.lastIndexedAtMs)}</span>}
        <button
          type="button"
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
    <section tabIndex={0} aria-label="Last runs">
      <h2>Last runs</h2>
      <table class="listing">
        <thead>
          <tr>
            <th>When</th>
            <th class="wide-only">Ref</th>
            <th>What</th>
            <th>How it ended</th>
            <th class="figure">Files</th>
            <th class="figure">Took</th>
          </tr>
        </thead>
        <tbody>
          {status.recentJobs.map((job) => (
            <tr key={job.jobId}>
              <td class="when">{ago(job.createdAtMs)}</td>
              <td class="wide-only">{job.ref}</td>
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

function Connect({ root }: { readonly root: string }) {
  const { value: projects } = useAnswer('projects', {});
  const path = projects?.find((project) => project.root === root)?.mcpPath ?? '/mcp';
  const header = tokenOfTab() === null ? '' : ' --header "Authorization: Bearer $SEXTANT_TOKEN"';
  return (
    <section>
      <h2>Connect an agent</h2>
      <p class="soft">All agents on this machine:</p>
      <CommandLine line="sextant install" />
      <p class="soft">
        One that asks this server, such as Claude Code
        {header === '' ? '' : ' (the server has printed the line that sets SEXTANT_TOKEN)'}:
      </p>
      <CommandLine line={`claude mcp add --transport http sextant ${location.origin}${path}${header}`} />
    </section>
  );
}

function CommandLine({ line }: { readonly line: string }) {
  return (
    <div class="command-line">
      <pre class="command" tabIndex={0}>
        <code>{line}</code>
      </pre>
      <CopyButton words="Copy" text={line} />
    </div>
  );
}
