/**
 * The right to write a store, as one row of a table. The row identifies its holder by pid, start time (a pid may be
 * used again) and host with pid namespace. On the same host, a holder is alive if its process is, and no clock matters;
 * on another host, only its heartbeat tells. Every write transaction checks the row, so a holder that lost it because
 * of a clock's jump writes nothing.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { EngineError } from '../../model/records/engine-errors.ts';
import { randomId } from '../../model/runtime/random-id.ts';
import type { Database } from './database.ts';

export interface LeaseHolder {
  readonly owner: string;
  readonly pid: number;
  /** Whether the process still runs, as far as this process can tell. */
  readonly alive: boolean;
}

/**
 * A holder on another host counts as gone if its heartbeat is older than this, or this far in the future (its clock was
 * set back).
 */
const FOREIGN_TIMEOUT_MS = 120_000;
/** The same for a process of this host whose start time is unknown: another process may have its pid now. */
const UNKNOWN_START_TIMEOUT_MS = 600_000;

export class Lease {
  readonly #db: Database;
  readonly #token = randomId(12);
  readonly #place: string;

  /** Throws index_in_progress while another process, or another writer of this process, holds the lease. */
  constructor(db: Database, owner: string, place: string) {
    this.#db = db;
    this.#place = place;
    db.transaction(() => {
      const holder = readHolder(db);
      if (holder?.alive) throw inProgress(place, holder);
      const now = Date.now();
      db.run(
        'INSERT OR REPLACE INTO lease VALUES (1, ?, ?, ?, ?, ?, ?, ?)',
        this.#token,
        owner,
        process.pid,
        processStart(process.pid),
        thisHost(),
        now,
        now,
      );
    });
  }

  /** Throws index_in_progress if the lease is lost. To be called inside each write transaction. */
  require(): void {
    const row = this.#db.get('SELECT token FROM lease WHERE id = 1');
    if (row?.[0] === this.#token) return;
    throw inProgress(this.#place, readHolder(this.#db));
  }

  beat(): void {
    const changed = this.#db.run(
      'UPDATE lease SET heartbeat_ms = ? WHERE id = 1 AND token = ?',
      Date.now(),
      this.#token,
    );
    if (changed === 0) throw inProgress(this.#place, readHolder(this.#db));
  }

  release(): void {
    this.#db.run('DELETE FROM lease WHERE token = ?', this.#token);
  }
}

export function readHolder(db: Database): LeaseHolder | null {
  const row = db.probe('owner, pid, host, started, heartbeat_ms', 'FROM lease WHERE id = 1');
  if (!row) return null;
  const [owner, pid, host, started, heartbeatMs] = row as [string, number, string, string, number];
  return { owner, pid, alive: isAlive(pid, host, started, heartbeatMs) };
}

function inProgress(path: string, holder: LeaseHolder | null): EngineError {
  return new EngineError('index_in_progress', { path, pid: holder?.pid ?? null, owner: holder?.owner ?? null });
}

function isAlive(pid: number, host: string, started: string, heartbeatMs: number): boolean {
  const silentMs = Math.abs(Date.now() - heartbeatMs);
  if (host !== thisHost()) return silentMs < FOREIGN_TIMEOUT_MS;
  if (!isProcessRunning(pid)) return false;
  const now = processStart(pid);
  if (started !== '' && now !== '') return started === now;
  return silentMs < UNKNOWN_START_TIMEOUT_MS;
}

/** Whether a process of this machine has the pid. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but this one may not signal it.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The start time of a process, as text to compare; '' if the system does not tell. */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name in parentheses may contain anything; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    return `${bootId()}:${fields[19]}`;
  } catch {
    return '';
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function thisHost(): string {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
