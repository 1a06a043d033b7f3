import { loadMetrics } from '../../../contracts/kit/metrics/metrics-file.ts';
import type { ProjectStatus } from '../../../engine/engine.ts';
import type { SkippedFile } from '../../../model/records/source-file.ts';
import { defineCommand } from '../../parsing/command.ts';
import { PATH_FLAG, REF_FLAG } from '../../parsing/project-flags.ts';
import { movedRef, OUTDATED } from '../../render/location.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { alignRows, printableLine } from '../../render/terminal-text.ts';
import { ago, bytes, count, duration, plural } from '../../render/units.ts';
import type { Screen } from '../../running/command-session.ts';
import { PROJECT_FIELDS, projectJson } from '../../running/index-first.ts';
import { indexCommand } from '../../running/missing-index.ts';
import { METRICS_FIELDS, metricsJson, renderMetrics } from '../../running/show-metrics.ts';

export const status = defineCommand({
  name: 'status',
  group: 'index',
  summary: 'Show what is indexed, how fresh it is, and what was skipped',
  operands: {},
  flags: {
    path: PATH_FLAG,
    ref: REF_FLAG,
    skipped: { kind: 'boolean', help: 'List every skipped file with the reason' },
    metrics: { kind: 'boolean', help: 'Show metrics of the tools that agents call: calls, times, errors' },
    format: FORMAT_FLAG,
  },
  examples: [
    { line: 'sextant status', meaning: 'the project in this folder' },
    { line: 'sextant status --skipped', meaning: 'why a file is not found' },
    { line: 'sextant status --metrics', meaning: 'what agents asked in the last days' },
  ],
  json: [
    ...PROJECT_FIELDS,
    { field: 'ref', meaning: 'what the figures are about' },
    { field: 'indexing', meaning: '`not_indexed`, `indexing`, `ready` or `failed`' },
    { field: 'schema', meaning: '`compatible`, `not_indexed`, `reindex_required` or `corrupt_manifest`' },
    { field: 'schema_version', meaning: 'version of the index on disk' },
    { field: 'required_schema_version', meaning: 'version that this program writes' },
    { field: 'freshness', meaning: '`fresh`, `stale` or `syncing`' },
    { field: 'outdated', meaning: 'true if another version of Sextant made the index, which is then stale' },
    { field: 'pending[]', meaning: 'changed paths not yet in the index' },
    { field: 'watching', meaning: '`events`, `polling` or `off`, in this process' },
    { field: 'files', meaning: 'files' },
    { field: 'lines', meaning: 'lines' },
    { field: 'symbols', meaning: 'symbols' },
    { field: 'chunks', meaning: 'chunks' },
    { field: 'vectors', meaning: 'vectors' },
    { field: 'index_bytes', meaning: 'size on disk' },
    { field: 'last_indexed_at_ms', meaning: 'milliseconds since 1970, or null' },
    { field: 'last_duration_ms', meaning: 'time of the last run that read or removed files, or null' },
    { field: 'model_id', meaning: 'embedding model' },
    { field: 'languages[].language', meaning: 'language' },
    { field: 'languages[].files', meaning: 'its files' },
    { field: 'languages[].lines', meaning: 'its lines' },
    { field: 'skipped_by_reason', meaning: 'number of skipped files by reason' },
    { field: 'active_job', meaning: 'the current run (fields as recent_jobs), or null' },
    { field: 'recent_jobs[].job_id', meaning: 'a run' },
    { field: 'recent_jobs[].ref', meaning: 'what it indexed' },
    { field: 'recent_jobs[].mode', meaning: '`full` or `incremental`' },
    { field: 'recent_jobs[].status', meaning: '`queued`, `running`, `published`, `failed` or `cancelled`' },
    { field: 'recent_jobs[].changed_files', meaning: 'files it read, or null' },
    { field: 'recent_jobs[].duration_ms', meaning: 'its time, or null' },
    { field: 'recent_jobs[].created_at_ms', meaning: 'when it began' },
    { field: 'recent_jobs[].error', meaning: 'why it failed, or null' },
    { field: 'recent_jobs[].done', meaning: 'files done' },
    { field: 'recent_jobs[].total', meaning: 'files to do' },
    { field: 'refs[].ref', meaning: 'an indexed branch, tag or commit' },
    { field: 'refs[].commit', meaning: 'its commit, or null' },
    { field: 'refs[].indexed_at_ms', meaning: 'when' },
    { field: 'refs[].files', meaning: 'its files' },
    { field: 'health.store_readable', meaning: 'the index can be read' },
    { field: 'health.vectors_available', meaning: 'vectors can be searched' },
    { field: 'health.postings_built', meaning: 'words can be searched' },
    { field: 'skipped[].path', meaning: 'with --skipped: a skipped file' },
    { field: 'skipped[].reason', meaning: 'why' },
    { field: 'skipped[].detail', meaning: 'details, or null' },
    ...METRICS_FIELDS,
  ],
  async run({ flags }, session) {
    const path = flags.path ?? '.';
    const engine = await session.engine(path);
    const found = await engine.status(path, flags.ref);
    const isThere = found.indexing === 'ready' || found.indexing === 'indexing';
    const command = isThere ? '' : indexCommand(flags.ref);
    const skipped = flags.skipped ? await engine.skipped(path, flags.ref) : null;
    const metrics = flags.metrics ? await loadMetrics(found.project.storeFolder) : null;
    const data = { ...statusJson(found, skipped), ...(metrics && { metrics: metricsJson(metrics) }) };
    await printAnswer(session, flags.format, data, (screen) => [
      ...(skipped || metrics ? [] : render(found, command, screen)),
      ...(skipped ? renderSkipped(skipped, screen) : []),
      ...(metrics ? renderMetrics(metrics, screen) : []),
    ]);
  },
});

/** `command` is the command that creates a missing index. */
function render(found: ProjectStatus, command: string, screen: Screen): string[] {
  const { style } = screen;
  const { project } = found;
  const lines = [`${style.bold(printableLine(project.moduleName))}  ${style.grey(printableLine(project.root))}`];
  const rows: [string, string][] = [['state', stateText(found, command, screen)]];
  if (found.activeJob && found.activeJob.status === 'running')
    rows.push([
      'running',
      `${found.activeJob.mode}, ${count(found.activeJob.done)} of ${plural(found.activeJob.total, 'file')}`,
    ]);
  if (found.indexing !== 'not_indexed') {
    rows.push(
      [
        'contents',
        `${plural(found.fileCount, 'file')}, ${plural(found.lineCount, 'line')}, ` +
          `${plural(found.symbolCount, 'symbol')}, ${plural(found.chunkCount, 'chunk')}, ` +
          `${plural(found.vectorCount, 'vector')}`,
      ],
      ['ref', found.ref],
      ['model', found.modelId],
    );
    if (found.lastIndexedAtMs !== null) {
      const took = found.lastDurationMs === null ? '' : `, in ${duration(found.lastDurationMs)}`;
      rows.push(['indexed', `${ago(found.lastIndexedAtMs, Date.now())}${took}`]);
    }
    const languages = found.languages.slice(0, 8).map((l) => `${l.language} ${count(l.files)}`);
    if (languages.length > 0) rows.push(['languages', languages.join(', ') + (found.languages.length > 8 ? ' …' : '')]);
    const skipped = Object.entries(found.skippedByReason).filter(([, n]) => n > 0);
    if (skipped.length > 0)
      rows.push(['skipped', skipped.map(([reason, n]) => `${count(n)} ${reason.replaceAll('_', ' ')}`).join(', ')]);
    if (found.refs.length > 1) rows.push(['refs', found.refs.map((r) => r.ref).join(', ')]);
  }
  rows.push(['disk', `${bytes(found.indexBytes)} in ${project.storeFolder}`]);
  lines.push(...alignRows(rows.map(([name, value]) => [`  ${style.grey(name)}`, printableLineKeepingPaint(value)])));
  for (const path of found.pending.slice(0, 10)) lines.push(`  ${style.yellow('~')} ${printableLine(path)}`);
  if (found.pending.length > 10) lines.push(`  ${style.grey(`… ${count(found.pending.length - 10)} more`)}`);
  return lines;
}

/** Escapes control characters in names and paths but keeps the colours of this program. */
function printableLineKeepingPaint(text: string): string {
  return text.includes('\u001b[') ? text : printableLine(text);
}

function stateText(found: ProjectStatus, command: string, { style }: Screen): string {
  if (found.schema === 'reindex_required')
    return style.yellow('written by an older version; run `sextant index --force`');
  if (found.schema === 'corrupt_manifest') return style.red('damaged; run `sextant index --force`');
  if (found.indexing === 'not_indexed') return style.yellow(`not indexed; run \`${printableLine(command)}\``);
  if (found.indexing === 'failed') {
    const of = (ref: string) => found.recentJobs.find((job) => job.ref === ref);
    const reason = (of(found.ref) ?? of('live'))?.error;
    return style.red(
      `the last run failed${reason ? `: ${printableLine(reason)}` : `; run \`${printableLine(command)}\``}`,
    );
  }
  if (found.indexing === 'indexing') return style.cyan('indexing');
  if (found.freshness === 'fresh') return style.green('ready, fresh');
  if (found.freshness === 'syncing') return style.cyan('ready, being brought up to date');
  if (found.moved) return style.yellow(`ready, stale: ${movedRef(found.ref)}`);
  if (found.outdated) return style.yellow(`ready, stale: ${OUTDATED}; run \`sextant sync\``);
  return style.yellow(`ready, stale: ${plural(found.pending.length, 'changed file')}; run \`sextant sync\``);
}

function renderSkipped(skipped: readonly SkippedFile[], { style }: Screen): string[] {
  if (skipped.length === 0) return ['No file was skipped.'];
  const sorted = [...skipped].sort((a, b) => a.reason.localeCompare(b.reason) || (a.path < b.path ? -1 : 1));
  return alignRows(
    sorted.map((s) => [
      style.yellow(s.reason.replaceAll('_', ' ')),
      printableLine(s.path),
      style.grey(printableLine(s.detail ?? '')),
    ]),
  );
}

function jobJson(job: ProjectStatus['recentJobs'][number]) {
  return {
    job_id: job.jobId,
    ref: job.ref,
    mode: job.mode,
    status: job.status,
    changed_files: job.changedFiles,
    duration_ms: job.durationMs,
    created_at_ms: job.createdAtMs,
    error: job.error,
    done: job.done,
    total: job.total,
  };
}

function statusJson(found: ProjectStatus, skipped: readonly SkippedFile[] | null) {
  return {
    project: projectJson(found.project),
    ref: found.ref,
    indexing: found.indexing,
    schema: found.schema,
    schema_version: found.schemaVersion,
    required_schema_version: found.requiredSchemaVersion,
    freshness: found.freshness,
    outdated: found.outdated,
    pending: found.pending,
    watching: found.watching,
    files: found.fileCount,
    lines: found.lineCount,
    symbols: found.symbolCount,
    chunks: found.chunkCount,
    vectors: found.vectorCount,
    index_bytes: found.indexBytes,
    last_indexed_at_ms: found.lastIndexedAtMs,
    last_duration_ms: found.lastDurationMs,
    model_id: found.modelId,
    languages: found.languages.map(({ language, files, lines }) => ({ language, files, lines })),
    skipped_by_reason: found.skippedByReason,
    active_job: found.activeJob ? jobJson(found.activeJob) : null,
    recent_jobs: found.recentJobs.map(jobJson),
    refs: found.refs.map((r) => ({ ref: r.ref, commit: r.commit, indexed_at_ms: r.indexedAtMs, files: r.files })),
    health: {
      store_readable: found.health.storeReadable,
      vectors_available: found.health.vectorsAvailable,
      postings_built: found.health.postingsBuilt,
    },
    ...(skipped
      ? { skipped: skipped.map(({ path, reason, detail }) => ({ path, reason, detail: detail ?? null })) }
      : {}),
  };
}
