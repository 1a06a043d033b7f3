/**
 * CPU time of processes. On a busy machine a process waits most of the time, and a limit by the clock would stop work
 * that takes a moment elsewhere; but the same tree must give the same index on every machine.
 */
import { readFileSync } from 'node:fs';

/** CPU time of this process, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Linux counts CPU time in ticks of 10 ms on every platform that Node supports. */
const TICK_MS = 10;

/** CPU time of another process, in milliseconds; null if the system does not report it. */
export function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name in parentheses may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null;
  }
}
