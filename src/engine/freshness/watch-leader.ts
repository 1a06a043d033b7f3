/** Elects the server that indexes, of several that watch one folder. They see one another by the jobs in the store. */
import { isProcessRunning } from '../../store/index.ts';
import type { OpenedProject } from '../projects/opened-project.ts';

/** First pause before a follower checks whether the leader has run; each further pause is twice as long. */
const FIRST_PAUSE_MS = 100;
const MAX_CHECKS = 4;
/** Processes that see the same event start their runs within this time of each other. */
const SAME_EVENT_MS = 300;
const RECENT_JOBS = 50;

/**
 * All servers of a folder see an event at the same time. The server that last indexed a change goes first, because its
 * worker may still be warm. The others wait until it has run and nothing is pending; they take over if it is gone or
 * does not run. Returns true if this process must index.
 */
export async function mustIndex(
  opened: OpenedProject,
  isCurrent: () => Promise<boolean>,
  isClosed: () => boolean,
): Promise<boolean> {
  const leader = leaderOf(opened);
  if (leader === process.pid) return true;
  const sinceMs = Date.now() - SAME_EVENT_MS;
  const checks = leader === null ? 1 : MAX_CHECKS;
  for (let check = 0; check < checks; check++) {
    // Keeps the process alive: closing the engine waits for this, and a server must close the engine before it ends.
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS << check));
    if (isClosed()) return false;
    if (hasRunSince(opened, sinceMs) && (await isCurrent())) return false;
  }
  return true;
}

/**
 * The process that made the last run with changes. A later process whose run found nothing does not take its place
 * while it lives. Null if no process that ever ran is alive.
 */
export function leaderOf(opened: OpenedProject): number | null {
  const jobs = recentJobs(opened);
  const last = jobs.find(({ changedFiles }) => changedFiles !== 0);
  return (last && isProcessRunning(last.pid) ? last : jobs.find(({ pid }) => isProcessRunning(pid)))?.pid ?? null;
}

function hasRunSince(opened: OpenedProject, sinceMs: number): boolean {
  return recentJobs(opened).some(
    ({ pid, status, createdAtMs }) => pid !== process.pid && status === 'published' && createdAtMs >= sinceMs,
  );
}

/** Jobs of this folder only: a server of another work tree shares the store but sees other events. */
function recentJobs(opened: OpenedProject): ReturnType<OpenedProject['reader']['jobs']> {
  try {
    return opened.reader.jobs(RECENT_JOBS).filter(({ root }) => root === opened.resolved.root);
  } catch {
    // No store to ask.
    return [];
  }
}
