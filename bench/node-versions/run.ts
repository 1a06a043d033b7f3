/**
 * `npm run bench:node -- --repos DIR[,DIR…] [--nodes BIN[,BIN…]] [--programs DIR[,DIR…]] [--tricks] [--rounds N]`: CPU
 * of a full index and of a cold search, all threads and processes together, for each Node binary and each program (a
 * built checkout; this one unless told). `--tricks` measures copies of this program, each without one of the tricks of
 * tricks.ts. Everything runs by turns; the figures are the middle of the rounds.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyRepository } from '../copy-repository.ts';
import { measure, plainEnvironment } from '../measure.ts';
import { settled } from '../programs.ts';
import { copyProgram, TRICKS } from './tricks.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const SEARCHES = 5;
const QUESTION = 'open connection with timeout';

interface Subject {
  readonly node: string;
  readonly program: string;
  readonly name: string;
  readonly index: number[];
  readonly search: number[];
}

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    nodes: { type: 'string', default: process.execPath },
    programs: { type: 'string', default: root },
    tricks: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
  },
});
if (values.repos === undefined) throw new Error('--repos DIR[,DIR…] is needed: clones of real repositories');
const scratch = mkdtempSync(join(tmpdir(), 'sextant-node-'));

/** CPU seconds of one command; a command that fails ends the bench with its output. */
async function cpuOf({ node, program }: Subject, home: string, args: readonly string[]): Promise<number> {
  const env = plainEnvironment({ SEXTANT_HOME: home, NO_COLOR: '1' });
  const { code, cpuS, output } = await measure(node, [join(program, 'bin/sextant'), ...args], { env });
  if (code !== 0) throw new Error(`${node} sextant ${args.join(' ')} ended with ${code}:\n${output.slice(-2000)}`);
  return cpuS;
}

async function runRound(subject: Subject, folder: string): Promise<void> {
  const home = join(scratch, 'home');
  const search = () => cpuOf(subject, home, ['search', QUESTION, '--path', folder, '--limit', '10']);
  try {
    subject.index.push(await cpuOf(subject, home, ['index', '--quiet', '--path', folder]));
    // The first search saves the bytecode for this Node; the first index of a copy did so for the worker.
    await search();
    let sum = 0;
    for (let i = 0; i < SEARCHES; i++) sum += await search();
    subject.search.push(sum / SEARCHES);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const middle = (figures: readonly number[]) => [...figures].sort((a, b) => a - b)[figures.length >> 1]!;

function printTable(repository: string, subjects: readonly Subject[]): void {
  console.log(`\n| ${repository} | full index, CPU | cold search, CPU |\n|---|---|---|`);
  for (const { node, name, index, search } of subjects) {
    const first = subjects.find((other) => other.node === node)!;
    const ratio = (of: 'index' | 'search') =>
      name === first.name ? '' : ` (${(middle({ index, search }[of]) / middle(first[of])).toFixed(2)}×)`;
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    console.log(
      `| Node ${version.slice(1)}, ${name} | ${middle(index).toFixed(2)} s${ratio('index')} ` +
        `| ${(1000 * middle(search)).toFixed(0)} ms${ratio('search')} |`,
    );
  }
}

try {
  const programs = values.programs.split(',').map((folder) => ({ name: basename(resolve(folder)), folder }));
  const variants = values.tricks
    ? TRICKS.map(({ name, remove }, i) => {
        const folder = copyProgram(root, join(scratch, `without-${i}`));
        remove(folder);
        return { name: `without ${name}`, folder };
      })
    : [];
  for (const given of values.repos.split(',')) {
    const folder = join(scratch, basename(given));
    copyRepository(given, folder);
    // Copied files are younger than git's index, and every search would read them again.
    await settled();
    spawnSync('git', ['-C', folder, 'update-index', '-q', '--refresh']);
    const subjects = values.nodes
      .split(',')
      .flatMap((node) =>
        [...programs, ...variants].map(
          (program): Subject => ({ node, name: program.name, program: program.folder, index: [], search: [] }),
        ),
      );
    // One round that does not count: it saves the bytecode of each program for each Node.
    for (const subject of subjects) await runRound(subject, folder);
    for (const subject of subjects) subject.index.length = subject.search.length = 0;
    for (let round = 0; round < Number(values.rounds); round++)
      for (const subject of subjects) await runRound(subject, folder);
    printTable(basename(given), subjects);
    rmSync(folder, { recursive: true, force: true });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
