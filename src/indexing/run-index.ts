/**
 * The pipeline: walk, derive what is new (derive-files.ts), embed, publish. One run holds the store's lease from beginning to end; whatever it has
 * written before it is stopped stays and is found again by the next run.
 */

import type { Embedder } from '../embed/embedder.ts';
import { detectLanguage, languageById } from '../languages/index.ts';
import { EngineError, toEngineError } from '../model/records/engine-errors.ts';
import type { FileEntry, SkippedFile } from '../model/records/source-file.ts';
import { nameOf } from '../model/text/path-text.ts';
import type { JobRecord, StoreReader, StoreWriter, TreeInfo, TreeView } from '../store/store.ts';
import { isManifest } from '../walk/index.ts';
import type { GitWords } from '../walk/walk-project.ts';
import { type Derivation, deriveFiles, type MadeCounts } from './deriving/derive-files.ts';
import { embedMissing } from './deriving/embed-missing.ts';
import { listFolder, listTree } from './list-files.ts';
import type { FailedFile } from './workers/worker-pool.ts';

export interface IndexRun extends Derivation {
  /** Null: the files as they are on disk. */
  readonly ref: string | null;
  readonly force: boolean;
  /** Prose and data alone are no project. */
  readonly requireSource?: boolean;
  readonly modelId: string;
  /** Version of everything that decides what a content gives: contents made by another one are derived again. */
  readonly extractor: string;
  /** A provider to be asked for the vectors after the contents are written; null when the workers make them. */
  readonly provider: Embedder | null;
  /** As it was written down when it began; the run tells how it goes on. */
  readonly job: JobRecord;
  /** Part of another run, whose record stands for both. */
  readonly aside?: boolean;
}

export interface RunReport {
  readonly jobId: string;
  readonly tree: TreeInfo;
  readonly mode: 'full' | 'incremental';
  /** False where the tree is the one that was there before. */
  readonly isNew: boolean;
  readonly filesIndexed: number;
  readonly filesUnchanged: number;
  readonly filesRemoved: number;
  readonly filesSkipped: number;
  readonly linesIndexed: number;
  /** What this run derived; a content that was known already counts for nothing. */
  readonly made: MadeCounts;
  readonly failed: readonly FailedFile[];
  /** Why the provider's vectors are not all there; null where they are. */
  readonly vectorError: EngineError | null;
  readonly durationMs: number;
  /** What git said about the folder as it is indexed now; null for a ref, where git was not asked, and where nothing is new or a file changed meanwhile. */
  readonly words: GitWords | null;
}

export async function runIndex(run: IndexRun, writer: StoreWriter): Promise<RunReport> {
  const started = Date.now();
  const key = { root: run.root, ref: run.ref ?? 'live' };
  const options = {
    extractor: run.extractor,
    tests: run.walk.includeTests,
    vendor: run.walk.includeVendor,
    generated: run.walk.includeGenerated,
  };
  let { job } = run;
  const record = (change: Partial<JobRecord>) => {
    job = { ...job, ...change };
    if (run.aside) return;
    writer.recordJob(job);
  };
  try {
    const published = run.force ? null : writer.reader.openTree(key);
    // Made by another extractor or model: nothing of it can be taken over, though it answers until it is replaced.
    const previous = published?.info.options.extractor === run.extractor ? published : null;
    // Another tree of the store most likely holds nearly all of it: then there may be nothing to start a worker for.
    if (!previous && (run.force || writer.reader.trees().length === 0)) run.pool.warm(1);
    const listing = run.ref ? await listTree(run, run.ref) : await listFolder(run, previous);
    // Under the name that the work tree has now: it will have another one after the next switch.
    if (run.ref === null) job = { ...job, ref: listing.branch ?? 'live' };
    const neighbour = previous || run.force ? null : nearestTree(writer.reader, run);
    const trees = { previous, neighbour };
    const outcome = await deriveFiles(run, writer, listing, trees, (done, total) => record({ done, total }));
    throwIfAborted(run.signal);
    const files = [...outcome.kept, ...outcome.made].sort(byPath);
    const skipped = [...listing.skipped, ...outcome.skipped].sort(byPath);
    if (files.length === 0 && !published)
      throw new EngineError('no_project', { path: run.root, reason: nothingFound(skipped) });
    if (run.requireSource && !files.some(isSource))
      throw new EngineError('no_project', { path: run.root, reason: 'it has neither a source file nor a manifest' });
    const publish = () =>
      writer.publish({
        ...key,
        branch: listing.branch,
        commit: listing.commit,
        files,
        skipped,
        options,
        modelId: run.modelId,
        durationMs: Date.now() - started,
      });
    // A provider may take an hour: words answer until then, where nothing else would.
    if (run.provider && !writer.reader.openTree(key)) publish();
    const embedded = run.provider
      ? await embedMissing(run.provider, writer, files, progressOf(run), run.signal)
      : { contents: 0, error: null };
    writer.heartbeat();
    run.onProgress?.({ phase: 'publish', done: 0, total: 1, lines: outcome.lines, currentFile: null });
    const unchanged =
      previous !== null &&
      outcome.made.length === 0 &&
      outcome.removed === 0 &&
      embedded.contents === 0 &&
      // Another tree's run, or one that was killed, may have brought what this tree does not count yet.
      (!run.provider || previous.info.vectorCount === previous.info.chunkCount) &&
      previous.files.length === files.length &&
      previous.info.branch === listing.branch &&
      previous.info.commit === listing.commit &&
      sameEntries(previous.files, files) &&
      previous.info.modelId === run.modelId &&
      JSON.stringify(previous.skipped()) === JSON.stringify(skipped);
    const tree = unchanged ? previous.info : publish();
    const durationMs = Date.now() - started;
    record({ status: 'published', changedFiles: outcome.made.length + outcome.removed, durationMs });
    writer.compact({ full: false });
    run.onProgress?.({
      phase: 'done',
      done: files.length,
      total: files.length,
      lines: outcome.lines,
      currentFile: null,
    });
    return {
      jobId: job.jobId,
      tree,
      mode: job.mode,
      isNew: !unchanged,
      filesIndexed: outcome.made.length,
      filesUnchanged: outcome.kept.length,
      filesRemoved: outcome.removed,
      filesSkipped: skipped.length,
      linesIndexed: outcome.lines,
      made: outcome.counts,
      failed: outcome.failed,
      vectorError: embedded.error,
      durationMs,
      words: outcome.drifted || (unchanged && listing.changed) ? null : listing.words,
    };
  } catch (thrown) {
    const error = toEngineError(thrown);
    tryRecord(() =>
      record({
        status: error.code === 'cancelled' ? 'cancelled' : 'failed',
        error: error.message,
        durationMs: Date.now() - started,
      }),
    );
    throw error;
  }
}

/** Code, the manifest of a package, or something in a language that is not known. */
function isSource({ path, language }: FileEntry): boolean {
  const name = nameOf(path);
  return languageById(language)?.family === 'code' || isManifest(name) || detectLanguage(name) === null;
}

/** For a branch or a work tree that is new to the store: the tree that most likely has nearly all of it. */
function nearestTree(reader: StoreReader, run: IndexRun): TreeView | null {
  const fit = reader.trees().filter(({ options }) => options.extractor === run.extractor);
  const own = fit.find(({ root, ref }) => root === run.root && ref === 'live');
  const nearest = own ?? fit.sort((a, b) => b.generation - a.generation)[0];
  return nearest ? reader.openTree(nearest) : null;
}

function progressOf(run: IndexRun): (done: number, total: number) => void {
  return (done, total) => run.onProgress?.({ phase: 'embed', done, total, lines: 0, currentFile: null });
}

function sameEntries(a: readonly FileEntry[], b: readonly FileEntry[]): boolean {
  return a.every((file, i) => {
    const other = b[i]!;
    return (
      file.path === other.path &&
      file.blobId === other.blobId &&
      file.language === other.language &&
      file.flags === other.flags &&
      file.mtimeMs === other.mtimeMs
    );
  });
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EngineError('cancelled');
}

function tryRecord(record: () => void): void {
  try {
    record();
  } catch {
    // The store itself is what failed; the error on its way out says so.
  }
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** Nothing is published then, so the error itself must tell what was left out. */
function nothingFound(skipped: readonly SkippedFile[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const left = [...counts].map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`).join(', ');
  return `no source or text file was found there${left && ` (left out: ${left})`}`;
}
