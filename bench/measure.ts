/**
 * Runs a command and watches its whole process tree through /proc: CPU seconds and peak memory (proportional set size,
 * shared pages counted once).
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Measured {
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMb: number;
  readonly code: number | null;
  readonly output: string;
}

const SAMPLE_MS = 15;
/**
 * Asking for memory makes the kernel walk the process's pages and holds it up: seldom enough not to show in the times.
 */
const MEMORY_EVERY = 8;
const TICKS_PER_SECOND = 100;

/**
 * What a site sets for Node as such slows every start of it, ours and others', by more than what there is to measure:
 * certificates took 60 ms.
 */
const OF_THE_SITE = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];

export function plainEnvironment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...process.env, ...more };
  for (const name of OF_THE_SITE) delete env[name];
  return env;
}

export function measure(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const cpu = new Map<string, number>();
    let peakMb = 0;
    let output = '';
    const take = (text: string) => {
      if (output.length < 200_000) output += text;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    let samples = 0;
    const sample = () => {
      const withMemory = samples++ % MEMORY_EVERY === 0;
      let kilobytes = 0;
      for (const pid of treeOf(child.pid!)) {
        const ticks = ticksOf(pid);
        if (ticks !== null) cpu.set(pid, ticks);
        if (withMemory) kilobytes += memoryOf(pid);
      }
      peakMb = Math.max(peakMb, kilobytes / 1024);
    };
    const timer = setInterval(sample, SAMPLE_MS);
    child.once('error', reject);
    child.once('exit', sample);
    child.once('close', (code) => {
      clearInterval(timer);
      const cpuS = [...cpu.values()].reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
      resolve({ wallS: Number(process.hrtime.bigint() - started) / 1e9, cpuS, peakMb, code, output });
    });
  });
}

/** CPU seconds that this process and its living children have used so far. */
export function cpuSecondsSoFar(): number {
  return treeOf(process.pid).reduce((sum, pid) => sum + (ticksOf(pid) ?? 0), 0) / TICKS_PER_SECOND;
}

/** CPU seconds of a process and of all that descend from it, those that have ended included. */
export function cpuSecondsOf(pid: number): number {
  return treeOf(pid).reduce((sum, one) => sum + (ticksOf(one) ?? 0) + endedTicksOf(one), 0) / TICKS_PER_SECOND;
}

/** CPU seconds of the ended children of a process, and of theirs. */
export function cpuSecondsOfEnded(pid: number): number {
  return endedTicksOf(String(pid)) / TICKS_PER_SECOND;
}

function endedTicksOf(pid: string): number {
  const stat = statOf(pid);
  return stat ? Number(stat[13]) + Number(stat[14]) : 0;
}

/** The process and all that descend from it. */
function treeOf(root: number): string[] {
  const children = new Map<string, string[]>();
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const parent = statOf(pid)?.[1];
    if (parent) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: string[] = [];
  const visit = (pid: string) => {
    found.push(pid);
    for (const child of children.get(pid) ?? []) visit(child);
  };
  visit(String(root));
  return found;
}

/** Fields of /proc/PID/stat after the name, which may itself contain spaces: state, parent, … */
function statOf(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function ticksOf(pid: string): number | null {
  const stat = statOf(pid);
  return stat ? Number(stat[11]) + Number(stat[12]) : null;
}

function memoryOf(pid: string): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
