import type { RepositoryStatus } from '../../../fleet/fleet.ts';
import { defineCommand } from '../../parsing/command.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import type { Style } from '../../render/style.ts';
import { alignRows, printableLine } from '../../render/terminal-text.ts';
import { ago, bytes, plural } from '../../render/units.ts';
import { URL_FLAG, withFleet } from './fleet-flags.ts';

export const fleetStatus = defineCommand({
  name: 'fleet status',
  group: 'fleet',
  summary: 'Show the fleet: its repositories with their age, the queue, failures with reasons, and its size',
  operands: {},
  flags: { url: URL_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant fleet status', meaning: 'is everything indexed?' }],
  json: [
    {
      field: 'health',
      meaning: 'of OpenSearch: `green`, `yellow` (a copy is missing), `red` (data cannot be reached)',
    },
    { field: 'nodes', meaning: 'nodes of OpenSearch that are up' },
    { field: 'schema', meaning: 'version of the indices' },
    { field: 'contents', meaning: 'contents that are derived' },
    { field: 'bytes', meaning: 'size of the indices on disk, replicas included' },
    { field: 'repositories[].name', meaning: 'name of the repository' },
    { field: 'repositories[].url', meaning: 'its URL' },
    { field: 'repositories[].groups[]', meaning: 'groups that may see it; none for everybody' },
    { field: 'repositories[].ref', meaning: 'the indexed branch; null before the first snapshot' },
    { field: 'repositories[].commit', meaning: 'its commit; null before the first snapshot' },
    { field: 'repositories[].files', meaning: 'files of the snapshot' },
    { field: 'repositories[].published_at_ms', meaning: 'when the snapshot was published' },
    { field: 'repositories[].checked_at_ms', meaning: 'when a worker last compared it with its remote' },
    {
      field: 'repositories[].waiting_since_ms',
      meaning: 'when it began to wait for a worker; null if it does not wait',
    },
    { field: 'repositories[].worker', meaning: 'the worker that is syncing it, or null' },
    { field: 'repositories[].failure', meaning: 'why the last sync failed, or null' },
  ],
  async run({ flags }, session) {
    const status = await withFleet(session, flags.url, (fleet) => fleet.status());
    const { health, nodes, schema, contents, repositories } = status;
    const data = {
      health,
      nodes,
      schema,
      contents,
      bytes: status.bytes,
      repositories: repositories.map(repositoryJson),
    };
    await printAnswer(session, flags.format, data, ({ style }) => [
      `OpenSearch is ${health}, ${plural(nodes, 'node')}; ` +
        `${plural(repositories.length, 'repository', 'repositories')}, ${plural(contents, 'content')}, ` +
        `${bytes(status.bytes)} on disk.`,
      queueLine(repositories),
      ...alignRows(
        repositories.map((repository) => repositoryRow(repository, style)),
        [],
      ),
    ]);
  },
});

function queueLine(repositories: readonly RepositoryStatus[]): string {
  const indexing = repositories.filter(({ worker }) => worker !== null).length;
  const waiting = repositories.filter(({ wantedAtMs, worker }) => wantedAtMs !== null && worker === null).length;
  const failed = repositories.filter(({ failure }) => failure !== null).length;
  return `Queue: ${waiting} waiting for a worker, ${indexing} being indexed, ${failed} failed.`;
}

function repositoryJson({ name, url, groups, snapshot, checkedAtMs, wantedAtMs, worker, failure }: RepositoryStatus) {
  return {
    name,
    url: url.replace(/\/\/[^/@\s]+@/, '//***@'),
    groups,
    ref: snapshot?.ref ?? null,
    commit: snapshot?.commit ?? null,
    files: snapshot?.summary.files ?? 0,
    published_at_ms: snapshot?.publishedAtMs ?? null,
    checked_at_ms: checkedAtMs,
    waiting_since_ms: wantedAtMs,
    worker,
    failure,
  };
}

function repositoryRow({ name, snapshot, wantedAtMs, worker, failure }: RepositoryStatus, style: Style): string[] {
  const now = Date.now();
  const state = worker
    ? `being indexed by ${worker}`
    : failure
      ? style.red(printableLine(failure))
      : wantedAtMs !== null
        ? style.yellow(`waiting for a worker since ${ago(wantedAtMs, now)}`)
        : '';
  return [
    style.cyan(printableLine(name)),
    snapshot ? `${snapshot.ref} ${style.grey(snapshot.commit.slice(0, 12))}` : style.grey('not indexed yet'),
    snapshot ? `${plural(snapshot.summary.files, 'file')}, ${ago(snapshot.publishedAtMs, now)}` : '',
    state,
  ];
}
