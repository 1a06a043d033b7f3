import { EngineError } from '../../model/records/engine-errors.ts';
import type { IndexProgress } from '../../model/records/progress.ts';
import type { Freshness } from '../../model/records/query.ts';
import type { SkippedFile } from '../../model/records/source-file.ts';
import {
  isProcessRunning,
  type LeaseHolder,
  leaseHolder,
  readSchemaStatus,
  SCHEMA_VERSION,
  toFailedJob,
} from '../../store/index.ts';
import type { JobRecord, TreeInfo, TreeView } from '../../store/store.ts';
import type { JobInfo, ProjectInfo, ProjectStatus, SchemaStatus } from '../engine.ts';
import type { OpenedProject } from '../projects/opened-project.ts';

export interface StatusInput {
  readonly project: ProjectInfo;
  readonly opened: OpenedProject;
  readonly ref: string | undefined;
  /** Null without a tree. */
  readonly freshness: Freshness | null;
  readonly watching: ProjectStatus['watching'];
  /** True if this process is making the first index, even before it has taken the lease. */
  readonly isFirst: boolean;
  readonly modelId: string;
  /** Progress of a run of this process. */
  readonly progress: IndexProgress | null;
}

const RECENT_JOBS = 10;

/**
 * Builds the status of a project's index. A missing, old or damaged index is a state, not an error. Throws
 * permission_denied: nothing is known of an unreadable index.
 */
export function buildStatus(input: StatusInput): ProjectStatus {
  const { opened, project } = input;
  const folder = opened.resolved.storeFolder;
  const { view, schema, recorded, trees, skipped, holder, bytes } = readStore(input);
  // Only the lease holder can be running; a killed process leaves a job that still says so.
  const isOfLeaseHolder = (job: JobRecord) => job.pid === holder?.pid;
  const jobs = recorded.map((job) =>
    isRunning(job) && !isOfLeaseHolder(job) && !isProcessRunning(job.pid) ? toFailedJob(job) : job,
  );
  const active = jobs.find((job) => isRunning(job) && isOfLeaseHolder(job)) ?? null;
  const indexing = holder !== null || input.isFirst;
  const last = jobs.find((job) => isAbout(job, input));
  const failed = !view && last?.status === 'failed';
  const refOf = view ? opened.refName(view) : (input.ref ?? opened.resolved.git?.branch ?? 'live');
  const skippedByReason: Record<string, number> = {};
  for (const { reason } of skipped) skippedByReason[reason] = (skippedByReason[reason] ?? 0) + 1;
  return {
    project,
    ref: refOf,
    indexing: indexing ? 'indexing' : view ? 'ready' : failed ? 'failed' : 'not_indexed',
    schema,
    schemaVersion: readSchemaStatus(folder).found,
    requiredSchemaVersion: SCHEMA_VERSION,
    freshness: indexing ? 'syncing' : ((view && input.freshness?.status) ?? 'stale'),
    pending: input.freshness?.pending ?? [],
    moved: input.freshness?.moved ?? false,
    outdated: input.freshness?.outdated ?? false,
    failure: input.freshness?.failure ?? (failed ? last?.error : null) ?? null,
    watching: input.watching,
    fileCount: view?.info.fileCount ?? 0,
    symbolCount: view?.info.symbolCount ?? 0,
    chunkCount: view?.info.chunkCount ?? 0,
    vectorCount: view?.info.vectorCount ?? 0,
    lineCount: view?.info.lineCount ?? 0,
    indexBytes: bytes,
    lastIndexedAtMs: view?.info.publishedAtMs ?? null,
    lastDurationMs: view?.info.durationMs ?? null,
    modelId: view?.info.modelId ?? input.modelId,
    languages: languagesOf(view),
    skippedByReason,
    activeJob: active ? jobInfo(active) : null,
    progress: input.progress,
    recentJobs: jobs.slice(0, RECENT_JOBS).map(jobInfo),
    refs: refsOf(trees),
    health: {
      storeReadable: schema === 'compatible',
      vectorsAvailable: (view?.info.vectorCount ?? 0) > 0,
      postingsBuilt: (view?.info.chunkCount ?? 0) > 0,
    },
  };
}

interface StoreState {
  readonly view: TreeView | null;
  readonly schema: SchemaStatus;
  /** Jobs of this folder. The trees and skipped files below are of this folder, too. */
  readonly recorded: readonly JobRecord[];
  readonly trees: readonly TreeInfo[];
  readonly skipped: readonly SkippedFile[];
  readonly holder: LeaseHolder | null;
  readonly bytes: number;
}

/**
 * Reads the store. A store that opens may still be unreadable further on: then its schema status says so and the rest
 * is empty.
 */
function readStore({ opened, project, ref }: StatusInput): StoreState {
  const isOurs = ({ root }: { readonly root: string }) => root === project.root;
  try {
    const { reader } = opened;
    const view = openView(opened, ref);
    return {
      view,
      schema: view ? 'compatible' : 'not_indexed',
      recorded: reader.jobs(RECENT_JOBS * 3).filter(isOurs),
      trees: reader.trees().filter(isOurs),
      skipped: view?.skipped() ?? [],
      holder: leaseHolder(opened.resolved.storeFolder),
      bytes: reader.sizeBytes(),
    };
  } catch (error) {
    const schema = schemaStatusOf(error);
    if (schema === null) throw error;
    const nothing = { view: null, recorded: [], trees: [], skipped: [], holder: null, bytes: 0 };
    return { ...nothing, schema };
  }
}

/** Lists each ref once: the work tree stands for its branch, whether or not that branch was also indexed by name. */
function refsOf(trees: readonly TreeInfo[]): ProjectStatus['refs'] {
  const followed = trees.find(({ ref }) => ref === 'live')?.branch ?? null;
  return trees
    .filter(({ ref }) => ref !== followed)
    .map((tree) => ({
      ref: tree.ref === 'live' ? (tree.branch ?? 'live') : tree.ref,
      commit: tree.commit,
      indexedAtMs: tree.publishedAtMs,
      files: tree.fileCount,
    }));
}

/** Whether a job concerns the requested tree. Jobs of the work tree are recorded under its branch. */
function isAbout(job: JobRecord, { ref, opened }: StatusInput): boolean {
  const branch = opened.resolved.git?.branch ?? 'live';
  const isLive = ref === undefined || ref === 'live' || ref === 'HEAD' || ref === branch;
  return isLive ? job.ref === 'live' || job.ref === branch : job.ref === ref;
}

function openView(opened: OpenedProject, ref: string | undefined): TreeView | null {
  try {
    return opened.view(ref);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not_indexed') return null;
    throw error;
  }
}

/**
 * The schema status that an error stands for; null if the error does not concern the content of the file: no
 * permission, or too many open files.
 */
function schemaStatusOf(error: unknown): SchemaStatus | null {
  if (!(error instanceof EngineError)) return 'corrupt_manifest';
  if (error.code === 'not_indexed') return 'not_indexed';
  if (error.code === 'reindex_required' || error.code === 'store_newer') return 'reindex_required';
  return error.code === 'store_corrupt' ? 'corrupt_manifest' : null;
}

function languagesOf(view: TreeView | null): ProjectStatus['languages'] {
  const counts = new Map<string, { files: number; lines: number }>();
  for (const { language, lines } of view?.files ?? []) {
    const count = counts.get(language) ?? { files: 0, lines: 0 };
    count.files++;
    count.lines += lines;
    counts.set(language, count);
  }
  return [...counts]
    .map(([language, count]) => ({ language, ...count }))
    .sort((a, b) => b.lines - a.lines || (a.language < b.language ? -1 : 1));
}

function isRunning({ status }: JobRecord): boolean {
  return status === 'running' || status === 'queued';
}

export function jobInfo(job: JobRecord): JobInfo {
  const { jobId, ref, mode, status, changedFiles, durationMs, createdAtMs, error, done, total } = job;
  return { jobId, ref, mode, status, changedFiles, durationMs, createdAtMs, error, done, total };
}
