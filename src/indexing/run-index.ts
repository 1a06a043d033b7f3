/**
 * One run of the pipeline: walk, derive new contents (derive-files.ts), embed, publish. The run holds the store's lease
 * from beginning to end. If it is stopped, the contents that it has written stay, and the next run finds them.
 */

import type { Embedder } from '../embed/embedder.ts';
import { detectLanguage, languageById } from '../languages/index.ts';
import { EngineError, toEngineError } from '../model/records/engine-errors.ts';
import type { FileEntry, ProjectKind, SkippedFile } from '../model/records/source-file.ts';
import { nameOf } from '../model/text/path-text.ts';
import type { JobRecord, StoreReader, StoreWriter, TreeInfo, TreeView } from '../store/store.ts';
import { isManifest } from '../walk/index.ts';
import type { GitListingOutput } from '../walk/walk-project.ts';
import type { MadeCounts } from './deriving/count-made.ts';
import { type Derivation, deriveFiles } from './deriving/derive-files.ts';
import { embedMissing } from './deriving/embed-missing.ts';
import { listFolder, listTree } from './list-files.ts';
import { type HeadStart, takeContents } from './take-contents.ts';
import type { FailedFile } from './workers/worker-pool.ts';

export interface IndexRun extends Derivation {
  /** Null for the files on disk. */
  readonly ref: string | null;
  readonly force: boolean;
  /** Refuses a folder that has neither a source file nor a manifest. */
  readonly requireSource?: boolean;
  readonly requireProject?: ProjectKind;
  readonly modelId: string;
  /** The extractor version; contents of another version are derived again. */
  readonly extractor: string;
  /** The provider that makes the vectors after the contents are written; null if the workers make them. */
  readonly provider: Embedder | null;
  /** The first record of the job; the run updates it. */
  readonly job: JobRecord;
  /** A source of derived contents. */
  readonly headStart?: HeadStart;
  /** The run is part of another one, whose job record stands for both. */
  readonly aside?: boolean;
}

/** The counts of a run, for its callers' reports. */
export interface RunCounts {
  readonly jobId: string;
  readonly mode: 'full' | 'incremental';
  /** False if nothing changed and the published tree stays. */
  readonly isNew: boolean;
  /** Files that this run parsed. */
  readonly filesIndexed: number;
  readonly filesUnchanged: number;
  /** Unchanged files that are new to this tree: a copy, a branch or an enclosing project has their contents. */
  readonly filesAdded: number;
  readonly filesRemoved: number;
  readonly filesSkipped: number;
  readonly linesIndexed: number;
  /** Counts over the contents that this run derived. */
  readonly made: MadeCounts;
  readonly durationMs: number;
  /**
   * Why vectors of the embedding provider are missing; null if none are. Search uses keywords meanwhile, and the next
   * run requests the missing vectors.
   */
  readonly vectorError: EngineError | null;
}

export interface FinishedRun {
  readonly counts: RunCounts;
  readonly tree: TreeInfo;
  readonly parsedPaths: readonly string[];
  readonly failed: readonly FailedFile[];
  /**
   * The output of git from which this tree was made, for the next run to compare with. Null for a ref, without git, if
   * nothing is new, or if a file changed during the run.
   */
  readonly gitListing: GitListingOutput | null;
}

export async function runIndex(run: IndexRun, writer: StoreWriter): Promise<FinishedRun> {
  const started = Date.now();
  const job = new JobLog(run, writer);
  try {
    const { published, previous } = openTrees(run, writer.reader);
    const listing = run.ref ? await listTree(run, run.ref) : await listFolder(run, previous);
    // Record the branch of this run; the work tree may switch to another one later.
    if (run.ref === null) job.rename(listing.branch ?? 'live');
    if (listing.files.length > 0) requireKind(run, listing.files);
    const neighbour = previous || run.force ? null : nearestTree(writer.reader, run);
    if (run.headStart && !run.force) await takeContents(run.headStart, writer, listing.files);
    const onCount = (done: number, total: number) => job.record({ done, total });
    const outcome = await deriveFiles(run, writer, listing, { previous, neighbour }, onCount);
    throwIfAborted(run.signal);
    const draft: TreeDraft = {
      files: [...outcome.kept, ...outcome.made].sort(byPath),
      skipped: [...listing.skipped, ...outcome.skipped].sort(byPath),
      branch: listing.branch,
      commit: listing.commit,
    };
    requireContent(run, draft, published !== null);
    // A run that read no file keeps the recorded duration, which tells how long an index takes.
    const recordedMs = outcome.made.length + outcome.removed === 0 ? previous?.info.durationMs : undefined;
    const publish = () => publishTree(run, writer, draft, recordedMs ?? Date.now() - started);
    // A provider may take an hour, so a first index is published without vectors: keyword search works meanwhile.
    if (run.provider && !writer.reader.openTree(treeKey(run))) publish();
    const embedded = run.provider
      ? await embedMissing(run.provider, writer, draft.files, embedProgress(run), run.signal)
      : { contents: 0, error: null };
    writer.heartbeat();
    run.onProgress?.({ phase: 'publish', done: 0, total: 1, lines: outcome.lines, currentFile: null });
    const changedFiles = outcome.made.length + outcome.removed;
    const unchanged =
      previous !== null && changedFiles === 0 && embedded.contents === 0 && isSameTree(run, previous, draft);
    const tree = unchanged ? previous.info : publish();
    const durationMs = Date.now() - started;
    job.record({ status: 'published', changedFiles, durationMs });
    writer.compact({ full: false });
    const total = draft.files.length;
    run.onProgress?.({ phase: 'done', done: total, total, lines: outcome.lines, currentFile: null });
    return {
      counts: {
        jobId: run.job.jobId,
        mode: run.job.mode,
        isNew: !unchanged,
        filesIndexed: outcome.made.length,
        filesUnchanged: outcome.kept.length,
        filesAdded: outcome.added,
        filesRemoved: outcome.removed,
        filesSkipped: draft.skipped.length,
        linesIndexed: outcome.lines,
        made: outcome.counts,
        durationMs,
        vectorError: embedded.error,
      },
      tree,
      parsedPaths: outcome.made.map(({ path }) => path),
      failed: outcome.failed,
      gitListing: outcome.drifted || (unchanged && listing.changed) ? null : listing.gitListing,
    };
  } catch (thrown) {
    const error = toEngineError(thrown);
    job.fail(error, Date.now() - started);
    throw error;
  }
}

/** Records the run in the store, where other processes read its progress. */
class JobLog {
  private job: JobRecord;

  constructor(
    private readonly run: IndexRun,
    private readonly writer: StoreWriter,
  ) {
    this.job = run.job;
  }

  rename(ref: string): void {
    this.job = { ...this.job, ref };
  }

  record(change: Partial<JobRecord>): void {
    this.job = { ...this.job, ...change };
    if (!this.run.aside) this.writer.recordJob(this.job);
  }

  fail({ code, message }: EngineError, durationMs: number): void {
    try {
      this.record({ status: code === 'cancelled' ? 'cancelled' : 'failed', error: message, durationMs });
    } catch {
      // The store itself failed, and the caller throws that error.
    }
  }
}

/** The tree that a run will publish. */
interface TreeDraft {
  readonly files: readonly FileEntry[];
  readonly skipped: readonly SkippedFile[];
  readonly branch: string | null;
  readonly commit: string | null;
}

function treeKey({ root, ref }: IndexRun): { root: string; ref: string } {
  return { root, ref: ref ?? 'live' };
}

/** The published tree, and the same tree as `previous` if this run can reuse its entries. */
function openTrees(run: IndexRun, reader: StoreReader): { published: TreeView | null; previous: TreeView | null } {
  const published = run.force ? null : reader.openTree(treeKey(run));
  // A tree of another extractor answers questions until it is replaced, but this run cannot reuse its entries.
  const previous = published?.info.options.extractor === run.extractor ? published : null;
  // If the store has other trees, they most likely hold nearly all contents, and no worker may be needed.
  if (!previous && (run.force || reader.trees().length === 0)) run.pool.warm(1);
  return { published, previous };
}

function requireContent(run: IndexRun, { files, skipped }: TreeDraft, isPublished: boolean): void {
  if (files.length === 0 && !isPublished)
    throw new EngineError('no_project', { path: run.root, reason: nothingFound(skipped) });
  if (run.requireSource && !files.some(isSource))
    throw new EngineError('no_project', { path: run.root, reason: 'it has neither a source file nor a manifest' });
  requireKind(run, files);
}

/**
 * Throws no_project if the project is of another kind than required. It is also called before anything is parsed, so
 * that a large project of another kind is refused at once.
 */
function requireKind(run: IndexRun, files: readonly { readonly path: string; readonly language?: string }[]): void {
  const kind = run.requireProject;
  const isOfKind = ({ path, language = detectLanguage(path)?.id }: (typeof files)[number]) =>
    language === kind?.language || nameOf(path) === kind?.manifest;
  if (kind && !files.some(isOfKind)) throw new EngineError('no_project', { path: run.root, reason: kind.missing });
}

function publishTree(run: IndexRun, writer: StoreWriter, draft: TreeDraft, durationMs: number): TreeInfo {
  const { includeTests, includeVendor, includeGenerated } = run.walk;
  return writer.publish({
    ...treeKey(run),
    ...draft,
    options: {
      extractor: run.extractor,
      tests: includeTests,
      vendor: includeVendor,
      generated: includeGenerated,
    },
    modelId: run.modelId,
    durationMs,
  });
}

function isSameTree(run: IndexRun, { info, files, skipped }: TreeView, draft: TreeDraft): boolean {
  return (
    // The run of another tree, or a killed run, may have added vectors that this tree does not count yet.
    (!run.provider || info.vectorCount === info.chunkCount) &&
    files.length === draft.files.length &&
    info.branch === draft.branch &&
    info.commit === draft.commit &&
    sameEntries(files, draft.files) &&
    info.modelId === run.modelId &&
    JSON.stringify(skipped()) === JSON.stringify(draft.skipped)
  );
}

/** Whether a file is code, the manifest of a package, or in an unknown language. */
function isSource({ path, language }: FileEntry): boolean {
  const name = nameOf(path);
  return languageById(language)?.family === 'code' || isManifest(name) || detectLanguage(name) === null;
}

/** The tree that most likely shares nearly all contents with a branch or work tree that is new to the store. */
function nearestTree(reader: StoreReader, run: IndexRun): TreeView | null {
  const usable = reader.trees().filter(({ options }) => options.extractor === run.extractor);
  const live = usable.find(({ root, ref }) => root === run.root && ref === 'live');
  const nearest = live ?? usable.sort((a, b) => b.generation - a.generation)[0];
  return nearest ? reader.openTree(nearest) : null;
}

function embedProgress(run: IndexRun): (done: number, total: number) => void {
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

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** The reason of no_project. No tree is published then, so the error itself counts the skipped files. */
function nothingFound(skipped: readonly SkippedFile[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const left = [...counts].map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`).join(', ');
  return `no source or text file was found there${left && ` (left out: ${left})`}`;
}
