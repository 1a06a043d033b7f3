/**
 * The worker loop: takes waiting repositories, one at a time, under a lease. Any number of workers share the queue,
 * which is the catalogue itself. A failure is recorded with its repository and retried later; it does not stop the
 * worker.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerPool } from '../../indexing/index.ts';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { COLLECTING } from '../blobs/collect-garbage.ts';
import type { Leases, RepositoryLease } from '../catalogue/leases.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import { type SyncParts, type SyncReport, syncRepository } from './sync-repository.ts';

export interface WorkerOptions {
  /** Keeps running and polls for work; otherwise the worker ends when nothing waits. */
  readonly follow: boolean;
  /** A repository without an announced change is compared with its remote after this time. */
  readonly reconcileMs: number;
  readonly signal: AbortSignal;
  readonly onSynced: (report: SyncReport) => void;
  readonly onFailed: (name: string, error: EngineError) => void;
}

export interface WorkerParts extends SyncParts {
  readonly leases: Leases;
  readonly pool: WorkerPool;
}

const POLL_MS = 2_000;
/** Delay before a failed repository is tried again. */
const RETRY_MS = 60_000;

/** Resolves with the numbers of updated and failed repositories. */
export async function runWorker(
  parts: WorkerParts,
  options: WorkerOptions,
): Promise<{ readonly synced: number; readonly failed: number }> {
  const counts = { synced: 0, failed: 0 };
  /** Without `follow`, each failed repository is tried once. */
  const tried = new Set<string>();
  while (!options.signal.aborted) {
    const { worked, due } = await workOnce(parts, options, tried, counts).catch((error: unknown) => {
      // With `follow`, the worker waits for an unavailable cluster.
      if (!options.follow || !isAway(error)) throw error;
      return { worked: false, due: 1 };
    });
    if (worked) continue;
    if (!options.follow && due === 0) break;
    await pause(POLL_MS, options.signal);
  }
  return counts;
}

/** Processes everything that is due, once. */
async function workOnce(
  parts: WorkerParts,
  options: WorkerOptions,
  tried: Set<string>,
  counts: { synced: number; failed: number },
): Promise<{ readonly worked: boolean; readonly due: number }> {
  const due = (await dueRepositories(parts, options)).filter(({ name }) => options.follow || !tried.has(name));
  let worked = false;
  for (const repository of due) {
    if (options.signal.aborted) break;
    const lease = await parts.leases.take(repository.name);
    if (!lease) continue;
    // Checked after taking the lease, as the collection checks leases after taking its own: one of the two notices the
    // other.
    if (await parts.leases.isHeld(COLLECTING)) {
      await lease.release();
      continue;
    }
    tried.add(repository.name);
    worked = true;
    counts[(await work(parts, repository, lease, options)) ? 'synced' : 'failed']++;
  }
  return { worked, due: due.length };
}

function isAway(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'fleet_unavailable';
}

/** Waiting repositories first, then those not checked for the longest time. */
async function dueRepositories({ repositories }: WorkerParts, options: WorkerOptions): Promise<RepositoryRecord[]> {
  const now = Date.now();
  const rested = ({ failure, checkedAtMs }: RepositoryRecord) =>
    !options.follow || failure === null || (checkedAtMs ?? 0) < now - RETRY_MS;
  const waiting = (await repositories.wanted()).filter(rested);
  if (!options.follow) return waiting;
  const names = new Set(waiting.map(({ name }) => name));
  const old = (await repositories.list()).filter(
    (repository) => !names.has(repository.name) && (repository.checkedAtMs ?? 0) < now - options.reconcileMs,
  );
  return [...waiting, ...old.filter(rested)];
}

/** Syncs one repository; returns whether it succeeded. */
async function work(
  parts: WorkerParts,
  listed: RepositoryRecord,
  lease: RepositoryLease,
  { signal, onSynced, onFailed }: WorkerOptions,
): Promise<boolean> {
  const { name } = listed;
  const beat = startBeat(lease, parts.leases.durationMs, signal);
  try {
    // Read again under the lease: another worker may already have done the work.
    const repository = await parts.repositories.find(name);
    if (!repository) return true;
    const report = await syncRepository(parts, repository, lease, beat.signal);
    // A change that was announced meanwhile keeps the repository waiting.
    await parts.repositories.update(name, ({ wantedAtMs }) => ({
      branch: report.branch,
      checkedAtMs: Date.now(),
      failure: null,
      wantedAtMs: wantedAtMs === repository.wantedAtMs ? null : wantedAtMs,
    }));
    onSynced(report);
    return true;
  } catch (thrown) {
    const error = toEngineError(thrown);
    if (signal.aborted) return false;
    const failure = `${error.code}: ${error.message}`;
    // If the cluster accepts no writes, the failure cannot be recorded; the caller gets it.
    await parts.repositories.update(name, () => ({ checkedAtMs: Date.now(), failure })).catch(() => undefined);
    onFailed(name, error);
    return false;
  } finally {
    beat.stop();
    await lease.release().catch(() => undefined);
  }
}

/** Renews the lease during the work, and aborts the work if the lease is lost. */
function startBeat(
  lease: RepositoryLease,
  durationMs: number,
  outer: AbortSignal,
): { readonly signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    lease.extend().catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'index_in_progress') lost.abort(error);
    });
  }, durationMs / 3);
  timer.unref();
  return { signal: AbortSignal.any([outer, lost.signal]), stop: () => clearInterval(timer) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined);
}
