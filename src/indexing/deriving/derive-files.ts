/** Sends new files to workers, writes the contents that they derive, and records the outcome of each file. */
import {
  DENIED,
  type FileEntry,
  isLost,
  type SkippedFile,
  stampOf,
  type WalkedFile,
} from '../../model/records/source-file.ts';
import type { StoreWriter } from '../../store/store.ts';
import type { Listing, WalkRun } from '../list-files.ts';
import { type KnownContents, type KnownTree, type KnownTrees, planRun } from '../plan-changes.ts';
import type { FailedFile, WorkerPool } from '../workers/worker-pool.ts';
import { batchesOf } from './batches.ts';
import { countMade, type MadeCounts, type ReplacedContents } from './count-made.ts';
import type { BatchResult, DeriverSetup } from './deriver.ts';

/** The options of a run that decide how to derive. */
export interface Derivation extends WalkRun {
  readonly setup: DeriverSetup;
  /** Worker processes with the same setup; the caller closes them. */
  readonly pool: WorkerPool;
  /** Called when the plan is made, before the first file is derived. */
  readonly onBegun?: (soFar: RunState) => void;
}

/** The state of a running index, for a preview before it ends. */
export interface RunState {
  /** The number of finished files, and of all files. */
  count(): { readonly done: number; readonly total: number };
  /** Commits pending contents, and returns the finished files of the tree, unsorted. */
  files(): readonly FileEntry[];
}

/** Receives derived contents: a store's writer, or a fleet's. */
export type ContentSink = KnownContents &
  ReplacedContents &
  Pick<StoreWriter, 'write' | 'flush' | 'heartbeat'> & {
    /** If it returns a promise, the next batch waits for it: contents arrive faster than they can be stored. */
    hold?(): Promise<void> | null;
  };

export interface Outcome {
  readonly kept: readonly FileEntry[];
  readonly made: FileEntry[];
  readonly skipped: SkippedFile[];
  readonly failed: FailedFile[];
  readonly removed: number;
  /** The number of kept files that are new to this tree. */
  readonly added: number;
  readonly counts: MadeCounts;
  lines: number;
  /** A file had another content than git's listing said, so the listing must not be cached. */
  drifted: boolean;
}

/** Bytes per worker: starting one takes about a second to load grammars and warm up. */
const WORKER_BYTES = 12 * 1024 * 1024;
/** Up to these limits, workers start without optimisation, which pays off after about 200 files. */
const FEW_FILES = 100;
const FEW_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 1_000;

/** Derives what neither the previous tree nor the store has, and writes it. */
export async function deriveFiles(
  run: Derivation,
  writer: ContentSink,
  listing: Listing,
  trees: KnownTrees,
  onCount: (done: number, total: number) => void,
): Promise<Outcome> {
  const plan = planRun(run.root, listing, trees, writer);
  const { jobs } = plan;
  const walked = new Map(listing.files.map((file) => [file.path, file]));
  const outcome: Outcome = {
    kept: plan.kept,
    made: [],
    skipped: plan.skipped,
    failed: [],
    removed: plan.removed,
    added: plan.added,
    counts: { symbols: 0, chunks: 0, vectors: 0 },
    lines: 0,
    drifted: false,
  };
  const sizeOf = ({ path }: { readonly path: string }) => walked.get(path)?.size ?? 0;
  const bytes = jobs.reduce((sum, job) => sum + sizeOf(job), 0);
  const total = jobs.length;
  let done = 0;
  let bytesDone = 0;
  let beat = Date.now();
  // Progress is measured in bytes: large files come first, so a tenth of the files may be half of the work.
  const report = (currentFile: string | null) => {
    const share = bytesDone / (bytes || 1);
    run.onProgress?.({ phase: 'parse', done, total, share, lines: outcome.lines, currentFile });
  };
  const accept = (result: BatchResult, failed: readonly FailedFile[]) => {
    countMade(outcome.counts, result.batch, result.files, trees.previous, writer);
    writer.write(result.batch);
    for (const file of result.files) addFile(outcome, file, walked.get(file.path));
    outcome.failed.push(...failed);
    for (const { path, reason } of failed)
      outcome.skipped.push(lostFile(path, reason, walked.get(path), trees.previous));
    done += result.files.length + failed.length;
    for (const file of [...result.files, ...failed]) bytesDone += sizeOf(file);
    report(result.files.at(-1)?.path ?? null);
    if (Date.now() - beat <= HEARTBEAT_MS) return;
    writer.heartbeat();
    onCount(done, total);
    beat = Date.now();
  };
  report(null);
  const kept = outcome.kept.length;
  run.onBegun?.({
    count: () => ({ done: kept + done, total: kept + total }),
    files: () => {
      writer.flush();
      return [...outcome.kept, ...outcome.made];
    },
  });
  const workload = total <= FEW_FILES && bytes <= FEW_BYTES ? 'few' : 'many';
  const workers = Math.ceil(bytes / WORKER_BYTES);
  const hold = () => writer.hold?.() ?? null;
  await run.pool.run(batchesOf(jobs, walked), { workers, workload, hold }, accept, run.signal);
  writer.flush();
  return outcome;
}

/** Adds a file that a worker has read to the made or to the skipped files. */
function addFile(outcome: Outcome, file: BatchResult['files'][number], listed: WalkedFile | undefined): void {
  const { mtimeMs = 0, blobId: listedBlob = null } = listed ?? {};
  const { path, blobId, language, flags, size, lines } = file;
  if (listedBlob !== null && listedBlob !== blobId) outcome.drifted = true;
  if (file.skip) {
    const stamp = file.skip === 'unreadable' ? DENIED : stampOf({ size: listed?.size ?? size, mtimeMs });
    outcome.skipped.push({ path, reason: file.skip, ...(file.detail ? { detail: file.detail } : {}), stamp });
    return;
  }
  outcome.made.push({ path, blobId, language, flags, size, lines, mtimeMs });
  outcome.lines += lines;
}

/**
 * The entry of a file that ended its worker. The next run tries it again. If it was lost before, it gets a stamp, so
 * that runs skip it until it changes.
 */
function lostFile(path: string, detail: string, file: WalkedFile | undefined, previous: KnownTree | null): SkippedFile {
  const again = previous?.skipped().some((skip) => skip.path === path && isLost(skip)) ?? false;
  return { path, reason: 'unreadable', detail, ...(again && file ? { stamp: stampOf(file) } : {}) };
}
