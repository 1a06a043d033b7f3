/** Indexing for commands: with progress, and on demand before a question. */
import type { IndexOptions, IndexReport, WorkspaceMember } from '../../engine/engine.ts';
import { EngineError, ErrorWithFix } from '../../model/records/engine-errors.ts';
import type { IndexPhase } from '../../model/records/progress.ts';
import { parseScope } from '../../model/records/scope.ts';
import { showProgress } from '../render/progress-bar.ts';
import { printableLine } from '../render/terminal-text.ts';
import { bytes, count, duration, plural } from '../render/units.ts';
import { askedAgainIfStale } from './catch-up.ts';
import type { Screen, Session } from './command-session.ts';
import { indexCommand } from './missing-index.ts';

export async function indexWithProgress(
  session: Session,
  path: string,
  options: Pick<IndexOptions, 'force' | 'enclosing' | 'ref' | 'includeTests' | 'includeVendor' | 'headStart'>,
): Promise<IndexReport> {
  const engine = await session.engine(path);
  const progress = showProgress(session.terminal.err, session.quiet);
  const phases = new PhaseTimes();
  let report: IndexReport;
  try {
    report = await engine.index(path, {
      ...options,
      signal: session.signal,
      onProgress: (p) => {
        phases.enter(p.phase);
        progress.update(p);
      },
    });
  } finally {
    progress.end();
  }
  if (session.verbose) {
    session.detail(`phases: ${phases.toString()}`);
    const { skippedByReason } = await engine.status(path, options.ref);
    const left = Object.entries(skippedByReason).map(
      ([reason, files]) => `${count(files)} ${reason.replaceAll('_', ' ')}`,
    );
    session.detail(`left out: ${left.join(', ') || 'nothing'}`);
  }
  return report;
}

/** Measures how long each phase of a run takes, in order. */
class PhaseTimes {
  readonly #times = new Map<IndexPhase, number>();
  #phase: IndexPhase | null = null;
  #since = 0;

  enter(phase: IndexPhase): void {
    if (phase === this.#phase) return;
    const now = performance.now();
    if (this.#phase) this.#times.set(this.#phase, (this.#times.get(this.#phase) ?? 0) + now - this.#since);
    this.#phase = phase;
    this.#since = now;
  }

  toString(): string {
    return [...this.#times].map(([phase, ms]) => `${phase} ${duration(ms)}`).join(', ');
  }
}

/** Indexes the repositories that have no index, one after another. */
export async function indexMissing(session: Session, members: readonly WorkspaceMember[]): Promise<void> {
  for (const { name, root } of members) {
    const engine = await session.engine(root);
    if ((await engine.status(root)).indexing !== 'not_indexed') continue;
    session.say(`${printableLine(name)}: ${summaryLine(await indexWithProgress(session, root, {}))}`);
  }
}

/**
 * Runs `ask`, on a refreshed index if few files have changed. Without an index, indexes first if the user agrees (a
 * question in a terminal, `--yes` elsewhere).
 */
export async function withIndex<T>(
  session: Session,
  path: string,
  options: { readonly yes: boolean | undefined; readonly ref: string | undefined },
  ask: () => Promise<T>,
): Promise<T> {
  const scope = parseScope(path);
  if (scope && options.yes) await indexMissing(session, await (await session.engine(path)).members(path));
  try {
    const answer = await ask();
    return scope ? answer : await askedAgainIfStale(session, path, answer, ask);
  } catch (thrown) {
    if (scope || !(thrown instanceof EngineError) || thrown.code !== 'not_indexed') throw thrown;
    const what = String(thrown.data.path ?? path);
    const agreed =
      options.yes === true ||
      (session.terminal.interactive &&
        (await session.terminal.confirm(`There is no index for ${printableLine(what)} yet. Make it now?`)));
    if (!agreed && (await (await session.engine(path)).status(path)).indexing === 'indexing')
      throw new ErrorWithFix(
        'index_in_progress',
        { path: what },
        'Its first index is being made: ask again when it is done; `sextant status` shows how far it is.',
        thrown,
      );
    if (!agreed)
      throw new ErrorWithFix(
        'not_indexed',
        thrown.data,
        `Run \`${indexCommand(options.ref)}\` there, or add --yes to index it first.`,
        thrown,
      );
    const report = await indexWithProgress(session, path, options.ref === undefined ? {} : { ref: options.ref });
    session.say(summaryLine(report));
    return ask();
  }
}

/** "Indexed 120 files, 40,000 lines in 1.2 s." */
export function summaryLine(report: IndexReport): string {
  const changed = report.filesIndexed + report.filesRemoved;
  if (report.mode === 'incremental' && changed === 0)
    return `Up to date: ${plural(report.filesTotal, 'file')}, nothing changed (${duration(report.durationMs)}).`;
  const removed = report.filesRemoved > 0 ? `, ${count(report.filesRemoved)} removed` : '';
  const kept = report.filesUnchanged > 0 ? `, ${count(report.filesUnchanged)} unchanged` : '';
  return (
    `Indexed ${plural(report.filesIndexed, 'file')}${removed}${kept}, ${plural(report.linesIndexed, 'line')} in ` +
    `${duration(report.durationMs)}.`
  );
}

export function renderIndexReport(report: IndexReport, screen: Screen, verbose: boolean): string[] {
  const { style } = screen;
  const lines = [`${style.green('✓')} ${summaryLine(report)}`];
  lines.push(
    style.grey(
      `  ${plural(report.filesTotal, 'file')} · ${plural(report.symbolCount, 'symbol')} · ` +
        `${plural(report.chunkCount, 'chunk')} · ${plural(report.vectorCount, 'vector')} · ` +
        `${bytes(report.indexBytes)} on disk`,
    ),
  );
  if (report.filesSkipped > 0)
    lines.push(style.grey(`  ${plural(report.filesSkipped, 'file')} left out; \`sextant status --skipped\` says why`));
  if (report.filesFailed > 0)
    lines.push(`  ${style.yellow(`${plural(report.filesFailed, 'file')} could not be read in full`)}`);
  const shown = verbose ? report.problems : report.problems.slice(0, report.filesFailed > 0 ? 5 : 0);
  for (const problem of shown)
    lines.push(
      `  ${style.yellow('!')} ${printableLine(problem.path)}:${problem.line}  ${printableLine(problem.message)}`,
    );
  return lines;
}

export function indexReportJson(report: IndexReport) {
  return {
    job_id: report.jobId,
    project: projectJson(report.project),
    ref: report.ref,
    mode: report.mode,
    files_total: report.filesTotal,
    files_indexed: report.filesIndexed,
    files_unchanged: report.filesUnchanged,
    files_removed: report.filesRemoved,
    files_skipped: report.filesSkipped,
    files_failed: report.filesFailed,
    lines_indexed: report.linesIndexed,
    symbols: report.symbolCount,
    chunks: report.chunkCount,
    vectors: report.vectorCount,
    duration_ms: report.durationMs,
    index_bytes: report.indexBytes,
    problems: report.problems.map(({ path, line, message }) => ({ path, line, message })),
    vector_error: report.vectorError?.message ?? null,
  };
}

export function projectJson(project: IndexReport['project']) {
  return {
    project_id: project.projectId,
    root: project.root,
    registered: project.registered,
    module_name: project.moduleName,
    language_version: project.languageVersion,
    is_git: project.isGit,
    store_folder: project.storeFolder,
  };
}

export const PROJECT_FIELDS = [
  { field: 'project.project_id', meaning: '16 hex digits that name the project on this machine' },
  { field: 'project.root', meaning: 'absolute path of the project' },
  { field: 'project.registered', meaning: 'true after `sextant init` or the first index' },
  { field: 'project.module_name', meaning: 'name from the package file, else the folder’s' },
  { field: 'project.language_version', meaning: 'version of the ecosystem as declared, or empty' },
  { field: 'project.is_git', meaning: 'whether it is inside a git repository' },
  { field: 'project.store_folder', meaning: 'folder of its index' },
];

export const INDEX_FIELDS = [
  { field: 'job_id', meaning: 'the run, as `status` lists it' },
  ...PROJECT_FIELDS,
  { field: 'ref', meaning: 'the indexed branch, tag or commit, or the work tree’s name' },
  { field: 'mode', meaning: '`full` or `incremental`' },
  { field: 'files_total', meaning: 'files in the index now' },
  { field: 'files_indexed', meaning: 'files read in this run' },
  { field: 'files_unchanged', meaning: 'files whose content was already indexed' },
  { field: 'files_removed', meaning: 'files that were deleted' },
  { field: 'files_skipped', meaning: 'skipped files; see `status --skipped`' },
  { field: 'files_failed', meaning: 'files that could not be read or parsed in full' },
  { field: 'lines_indexed', meaning: 'lines read in this run' },
  { field: 'symbols', meaning: 'symbols in the index' },
  { field: 'chunks', meaning: 'chunks in the index' },
  { field: 'vectors', meaning: 'vectors in the index' },
  { field: 'duration_ms', meaning: 'time of the run' },
  { field: 'index_bytes', meaning: 'size on disk' },
  { field: 'problems[].path', meaning: 'file with a problem' },
  { field: 'problems[].line', meaning: 'its line' },
  { field: 'problems[].message', meaning: 'what is wrong there' },
  { field: 'vector_error', meaning: 'why vectors of the embedding provider are missing; null if none are' },
];
