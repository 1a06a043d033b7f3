/**
 * The processes that the binary starts, as the system sees them. Linux only: elsewhere the tests that need it are
 * skipped.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export const isLinux = process.platform === 'linux';

interface Stat {
  readonly state: string;
  readonly parent: number;
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: state!, parent: Number(parent) };
  } catch {
    return null;
  }
}

/** All that descend from a process, itself not included. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = statOf(Number(name))?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const visit = (at: number) => {
    for (const child of children.get(at) ?? []) {
      found.push(child);
      visit(child);
    }
  };
  visit(pid);
  return found;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export function isRunning(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X';
}

/** Those below `pid` that have ended and stay: one that was just let go of is waited for. */
export async function neverReaped(pid: number): Promise<number[]> {
  const ended = () => descendants(pid).filter((child) => !isRunning(child));
  const first = ended();
  await sleep(500);
  const second = new Set(ended());
  return first.filter((child) => second.has(child));
}

/** Those of the processes that still run after `timeoutMs`. */
export async function survivors(pids: readonly number[], timeoutMs: number): Promise<number[]> {
  for (let waited = 0; ; waited += 50) {
    const left = pids.filter(isRunning);
    if (left.length === 0 || waited >= timeoutMs) return left;
    await sleep(50);
  }
}

export function parsersBelow(pid: number): number[] {
  return descendants(pid).filter((child) => /worker\.cjs/.test(commandOf(child)));
}

/** The first parser process below `pid`, once there is one. */
export async function parserOf(pid: number): Promise<number> {
  for (let waited = 0; waited < 20_000; waited += 5) {
    const [found] = parsersBelow(pid);
    if (found) return found;
    await sleep(5);
  }
  throw new Error('no parser process was seen');
}

/** Kilobytes that the process holds alone, and its share of what it holds with others. */
export function memoryOf(pid: number): { readonly privateKb: number; readonly pssKb: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { privateKb: field('Private_Clean') + field('Private_Dirty'), pssKb: field('Pss') };
}
