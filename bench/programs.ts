/** Sextant and its peer as commands: what is measured of each, by turns. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { victim, withChange } from './changed-file.ts';
import { type Measured, measure, plainEnvironment } from './measure.ts';

const bench = dirname(fileURLToPath(import.meta.url));
const sextant = join(bench, '../bin/sextant');
export const peers = join(bench, 'peers');
export const codegraph = join(peers, 'node_modules/.bin/codegraph');

/** A search takes a tenth of a second or three, so that it can be asked more often than the rest. */
const COLD_ROUNDS = 9;

export interface Figures {
  readonly full: Measured;
  readonly diskMb: number;
  readonly change: Measured;
  readonly cold: Measured;
}

/** What is measured of a program, on a copy of the repository that is its own. */
interface Program {
  /** From nothing. */
  index(): Promise<Measured>;
  sizeMb(): number;
  /** One file, changed for so long. */
  change(round: number): Promise<Measured>;
  /** Up to date again, and nothing written for some seconds. */
  settle(): Promise<unknown>;
  search(): Promise<Measured>;
  clear(): void;
}

/** By turns, so that a machine that is slower for a while is so for both. */
async function byTurns(
  programs: readonly Program[],
  rounds: number,
  run: (program: Program, round: number) => Promise<Measured>,
): Promise<Measured[][]> {
  const all = programs.map((): Measured[] => []);
  for (let round = 1; round <= rounds; round++)
    for (const [i, program] of programs.entries()) all[i]!.push(await run(program, round));
  return all;
}

export async function measurePrograms(programs: readonly Program[], rounds: number): Promise<Figures[]> {
  try {
    const full = await byTurns(programs, rounds, (program) => program.index());
    const sizes = programs.map((program) => program.sizeMb());
    const change = await byTurns(programs, rounds, (program, round) => program.change(round));
    for (const program of programs) await program.settle();
    const cold = await byTurns(programs, COLD_ROUNDS, (program) => program.search());
    return programs.map((_, i) => ({
      full: middle(full[i]!, 'cpuS'),
      diskMb: sizes[i]!,
      change: middle(change[i]!, 'cpuS'),
      cold: middle(cold[i]!, 'wallS'),
    }));
  } finally {
    for (const program of programs) program.clear();
  }
}

function sizeMb(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
  return bytes / 1048576;
}

/** The run in the middle by one of its figures: one bad moment of the machine does not decide. */
function middle(all: readonly Measured[], by: 'cpuS' | 'wallS'): Measured {
  const failed = all.find(({ code }) => code !== 0);
  if (failed) throw new Error(`a measured command failed:\n${failed.output.slice(-2000)}`);
  return [...all].sort((a, b) => a[by] - b[by])[Math.floor(all.length / 2)]!;
}

/**
 * A folder in which nothing was written for some seconds, as most are when they are asked about: what a clock cannot
 * tell apart is looked at again.
 */
export const settled = () => new Promise((done) => setTimeout(done, 3000));

export function sextantOn(folder: string): Program {
  const home = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const env = plainEnvironment({ SEXTANT_HOME: home, NO_COLOR: '1' });
  const run = (...args: string[]) => measure(process.execPath, [sextant, ...args], { env });
  const sync = () => run('sync', '--quiet', '--workspace', folder);
  return {
    index() {
      rmSync(home, { recursive: true, force: true });
      return run('index', '--quiet', '--path', folder);
    },
    sizeMb: () => sizeMb(home),
    change: (round) => withChange(victim(folder), round, sync),
    settle: async () => {
      await sync();
      await settled();
    },
    search: () => run('search', 'open connection with timeout', '--path', folder, '--limit', '10'),
    clear: () => rmSync(home, { recursive: true, force: true }),
  };
}

export function codegraphOn(folder: string): Program {
  const env = plainEnvironment({ CODEGRAPH_TELEMETRY: '0', NO_COLOR: '1' });
  const index = join(folder, '.codegraph');
  const run = (...args: string[]) => measure(codegraph, args, { env, cwd: folder });
  return {
    index() {
      rmSync(index, { recursive: true, force: true });
      return run('init', folder, '--yes');
    },
    sizeMb: () => sizeMb(index),
    change: (round) => withChange(victim(folder), round, () => run('sync', folder)),
    settle: () => run('sync', folder),
    search: () => run('query', 'connection'),
    clear: () => rmSync(index, { recursive: true, force: true }),
  };
}
