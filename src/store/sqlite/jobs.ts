/** The history of the last fifty indexing runs. */

import type { JobRecord } from '../store.ts';
import type { Database } from './database.ts';

const MAX_JOBS = 50;
/** By the order of recording, because a clock may go backwards. */
const NEWEST_FIRST = 'rowid DESC';
const RUNNING = "status IN ('queued', 'running')";
const ENDED = 'The process that ran it ended before it was done.';

/** The caller holds the lease, so no other job runs: one that is still marked as running has lost its process. */
export function startJob(db: Database, job: JobRecord): void {
  db.transaction(() => {
    db.run(`UPDATE job SET status = 'failed', error = ? WHERE ${RUNNING} AND id <> ?`, ENDED, job.jobId);
    recordJob(db, job);
  });
}

export function recordJob(db: Database, job: JobRecord): void {
  db.transaction(() => {
    db.run(
      'INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      job.jobId,
      job.root,
      job.ref,
      job.mode,
      job.status,
      job.changedFiles,
      job.durationMs,
      job.createdAtMs,
      job.error,
      job.pid,
      job.done,
      job.total,
    );
    db.run(`DELETE FROM job WHERE id NOT IN (SELECT id FROM job ORDER BY ${NEWEST_FIRST} LIMIT ?)`, MAX_JOBS);
  });
}

/** The record of a job whose process is gone, as startJob() of the next job will store it. */
export function toFailedJob(job: JobRecord): JobRecord {
  return { ...job, status: 'failed', error: ENDED };
}

/** Newest first. */
export function listJobs(db: Database, limit: number): JobRecord[] {
  const rows = db.all(
    `SELECT id, root, ref, mode, status, changed_files, duration_ms, created_at_ms, error, pid, done, total
     FROM job ORDER BY ${NEWEST_FIRST} LIMIT ?`,
    limit,
  );
  return rows.map((row) => ({
    jobId: row[0] as string,
    root: row[1] as string,
    ref: row[2] as string,
    mode: row[3] as JobRecord['mode'],
    status: row[4] as JobRecord['status'],
    changedFiles: row[5] as number | null,
    durationMs: row[6] as number | null,
    createdAtMs: row[7] as number,
    error: row[8] as string | null,
    pid: row[9] as number,
    done: row[10] as number,
    total: row[11] as number,
  }));
}
