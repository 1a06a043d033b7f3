/**
 * Whose turn it is: of several servers that watch one folder, one makes the runs. They see each other by the jobs in
 * the store.
 */
import { isThere } from '../../store/index.ts';
import type { OpenedProject } from '../projects/opened-project.ts';

/** First pause of a process that lets another one run; each further pause is twice as long. */
const LET_PASS_MS = 100;
const LOOKS = 4;
/** Processes that see the same event start within this time of each other. */
const SAME_EVENT_MS = 300;
const RECENT_JOBS = 50;

/**
 * All servers of a folder see an event at once. The one that last found something to do goes first: its worker may
 * still be warm. The others wait until it has looked and nothing is pending, and leave it at that; a leader that is
 * gone, or does not look, is replaced. Returns whether this process is to run.
 */
export async function waitTurn(
  opened: OpenedProject,
  isCurrent: () => Promise<boolean>,
  isClosed: () => boolean,
): Promise<boolean> {
  const leader = leaderOf(opened);
  if (leader === process.pid) return true;
  const since = Date.now() - SAME_EVENT_MS;
  const looks = leader === null ? 1 : LOOKS;
  for (let look = 0; look < looks; look++) {
    // Keeps the process alive: closing the engine waits for this, and a server must close the engine before it ends.
    await new Promise((resolve) => setTimeout(resolve, LET_PASS_MS << look));
    if (isClosed()) return false;
    if (hasRunSince(opened, since) && (await isCurrent())) return false;
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
  return (last && isThere(last.pid) ? last : jobs.find(({ pid }) => isThere(pid)))?.pid ?? null;
}

function hasRunSince(opened: OpenedProject, sinceMs: number): boolean {
  return recentJobs(opened).some(
    ({ pid, status, createdAtMs }) => pid !== process.pid && status === 'published' && createdAtMs >= sinceMs,
  );
}

/** Of this folder: a server of another work tree shares the store and sees other events. */
function recentJobs(opened: OpenedProject): ReturnType<OpenedProject['reader']['jobs']> {
  try {
    return opened.reader.jobs(RECENT_JOBS).filter(({ root }) => root === opened.resolved.root);
  } catch {
    // No store to ask.
    return [];
  }
}
