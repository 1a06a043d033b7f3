/**
 * How long has a process worked? On a busy machine a process waits most of the time, and a budget by the clock would
 * end work there that takes a moment elsewhere: the same tree must give the same index.
 */
import { readFileSync } from 'node:fs';

/** CPU time of this process, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Linux counts in ticks of 10 ms on every platform that Node runs on. */
const TICK_MS = 10;

/** CPU time of another process, in milliseconds; null where the system does not tell. */
export function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null;
  }
}
