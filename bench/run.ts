/**
 * `npm run bench -- --repos DIR[,DIR…] [--large DIR] [--rounds N] [--write]`: index, change and search real repositories with Sextant and its peers
 * in the same run, and print the ratios. Machines are noisy: the ratios count, not the times. With --write the tables go to docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineConfig } from '../test/engine-config.ts';
import { builtEngine } from './built-engine.ts';
import { cpuSecondsSoFar, type Measured, measure, plainEnvironment } from './measure.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sextant = join(root, 'bin/sextant');
const { createEngine } = await builtEngine();
const peers = join(root, 'bench/peers');
const codegraph = join(peers, 'node_modules/.bin/codegraph');

interface Options {
  readonly repos: readonly string[];
  readonly large: string | null;
  readonly rounds: number;
  readonly write: boolean;
}

function optionsOf(argv: readonly string[]): Options {
  const value = (name: string) => argv[argv.indexOf(name) + 1];
  const repos = argv.includes('--repos') ? value('--repos')!.split(',') : [];
  const large = argv.includes('--large') ? value('--large')! : null;
  if (repos.length === 0 || [...repos, ...(large ? [large] : [])].some((folder) => !existsSync(folder))) {
    console.error(
      'usage: npm run bench -- --repos DIR[,DIR…] [--large DIR] [--rounds N] [--write]\nEach DIR is a clone of a real repository of 100,000 lines or more.',
    );
    process.exit(2);
  }
  return {
    repos,
    large,
    rounds: Number(argv.includes('--rounds') ? value('--rounds') : 3),
    write: argv.includes('--write'),
  };
}

interface Row {
  readonly repository: string;
  readonly lines: number;
  readonly ours: Figures;
  readonly theirs: Figures;
  readonly ctags: Measured;
  readonly running: Running;
}
interface Figures {
  readonly full: Measured;
  readonly diskMb: number;
  readonly change: Measured;
  readonly cold: Measured;
}

/** The middle one of several rounds, by CPU: one bad moment of the machine does not decide. */
/** The run in the middle by one of its figures. */
function middle(all: readonly Measured[], by: 'cpuS' | 'wallS'): Measured {
  const failed = all.find(({ code }) => code !== 0);
  if (failed) throw new Error(`a measured command failed:\n${failed.output.slice(-2000)}`);
  return [...all].sort((a, b) => a[by] - b[by])[Math.floor(all.length / 2)]!;
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

async function measurePrograms(programs: readonly Program[], rounds: number): Promise<Figures[]> {
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

/** A source file of middling size, to be changed; the same one for everybody. */
function victim(folder: string): string {
  const sources = execFileSync('git', ['-C', folder, 'ls-files'], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((path) => /\.(?:go|rs|c|py|ts|java)$/.test(path) && existsSync(join(folder, path)))
    .map((path) => ({ path, size: statSync(join(folder, path)).size }))
    .sort((a, b) => a.size - b.size);
  return join(folder, sources[Math.floor(sources.length * 0.75)]!.path);
}

const ADDED: Readonly<Record<string, string>> = {
  go: '\nfunc benchAddedNUM() int { return NUM }\n',
  rs: '\nfn bench_added_NUM() -> i32 { NUM }\n',
  c: '\nstatic int bench_added_NUM(void) { return NUM; }\n',
  py: '\ndef bench_added_NUM():\n    return NUM\n',
  ts: '\nfunction benchAddedNUM() { return NUM; }\n',
  java: '\n// benchAddedNUM\n',
};

async function withChange<T>(file: string, round: number, work: () => Promise<T>): Promise<T> {
  const kept = join(tmpdir(), `sextant-bench-kept-${process.pid}`);
  copyFileSync(file, kept);
  appendFileSync(file, ADDED[file.slice(file.lastIndexOf('.') + 1)]!.replaceAll('NUM', String(round)));
  try {
    return await work();
  } finally {
    copyFileSync(kept, file);
    rmSync(kept);
  }
}

/** A search takes a tenth of a second or three, so that it can be asked more often than the rest. */
const COLD_ROUNDS = 9;

/** A folder in which nothing was written for some seconds, as most are when they are asked about: what a clock cannot tell apart is looked at again. */
const settled = () => new Promise((done) => setTimeout(done, 3000));

function sextantOn(folder: string): Program {
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

function codegraphOn(folder: string): Program {
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

interface Round {
  readonly p50: number;
  readonly p95: number;
}

interface Running {
  readonly chunks: number;
  readonly lines: number;
  readonly rounds: readonly Round[];
  readonly linesPerS: number;
  /** One changed file, from the moment the server looks until it is published; CPU of the server and its worker. */
  readonly changeMs: number;
  readonly changeCpuS: number;
}

/** Inside one process, as in a server: answers (the middle and the 95th of a hundred in time, over words and sentences) and one changed file. */
async function inServer(folder: string): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const engine = createEngine(engineConfig(home));
  try {
    const report = await engine.index(folder);
    const stop = await engine.watch(folder);
    const questions = differentQuestions();
    for (const query of questions.splice(0, WARM_UP)) await engine.search(folder, { query, waitFreshMs: 60_000 });
    const rounds: Round[] = [];
    while (questions.length > 0) {
      const times: number[] = [];
      for (const query of questions.splice(0, QUESTIONS)) {
        const started = performance.now();
        await engine.search(folder, { query });
        times.push(performance.now() - started);
      }
      times.sort((a, b) => a - b);
      rounds.push({ p50: times[times.length >> 1]!, p95: times[Math.floor(times.length * 0.95)]! });
    }
    await stop();
    const file = victim(folder);
    const changes: { ms: number; cpuS: number }[] = [];
    for (let round = 1; round <= CHANGES; round++)
      await withChange(file, round, async () => {
        const cpu = cpuSecondsSoFar();
        const started = performance.now();
        await engine.index(folder);
        changes.push({ ms: performance.now() - started, cpuS: cpuSecondsSoFar() - cpu });
      });
    const middleOf = (of: (change: { ms: number; cpuS: number }) => number) =>
      changes.map(of).sort((a, b) => a - b)[CHANGES >> 1]!;
    return {
      chunks: report.chunkCount,
      lines: report.linesIndexed,
      rounds,
      linesPerS: report.linesIndexed / (report.durationMs / 1000),
      changeMs: middleOf(({ ms }) => ms),
      changeCpuS: middleOf(({ cpuS }) => cpuS),
    };
  } finally {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const CHANGES = 9;
/** Questions before the first that counts: what is measured is a process that is running, not one that starts. */
const WARM_UP = 20;
/** Questions a round. There are several rounds, since a machine may be twice as slow for a minute. */
const QUESTIONS = 120;
const ROUNDS = 5;
const WORDS =
  'connection timeout buffer parser request response cache token file error handler queue thread lock memory config option header socket stream event writer reader encode decode hash index table signal process'.split(
    ' ',
  );

/** An answer that was given before is given again at once: so no question comes twice. Words stand beside others in every turn. */
function differentQuestions(): string[] {
  const count = WORDS.length;
  return Array.from({ length: (WARM_UP + ROUNDS * QUESTIONS) / 2 }, (_, i) => {
    const turn = Math.floor(i / count);
    const word = (place: number) => WORDS[(place + 1) % count];
    return [
      `how does ${word(i)} ${word(i + 1 + ((turn * 7) % (count - 1)))} work`,
      `${word(i * 7)} ${word(i * 7 + 1 + ((turn * 11) % (count - 1)))} when ${word(i * 7 + 1 + ((turn * 5 + 3) % (count - 1)))} fails`,
    ];
  }).flat();
}

const times = (a: number, b: number) => `${(a / b).toFixed(2)}×`;

/** The middle round's, and the range of all. */
function spread(rounds: readonly Round[], of: keyof Round): string {
  const values = rounds.map((round) => round[of]).sort((a, b) => a - b);
  return `${values[values.length >> 1]!.toFixed(1)} ms (${values[0]!.toFixed(1)}-${values.at(-1)!.toFixed(1)})`;
}

function table(rows: readonly Row[]): string {
  const lines = [
    `| | ${rows.map((row) => `${row.repository} (${Math.round(row.lines / 1000)}k lines)`).join(' | ')} |`,
    `|---|${rows.map(() => '---').join('|')}|`,
  ];
  const add = (title: string, cell: (row: Row) => string) => lines.push(`| ${title} | ${rows.map(cell).join(' | ')} |`);
  const pair =
    (of: (figures: Figures) => number, unit: string, digits = 1) =>
    (row: Row) =>
      `${of(row.ours).toFixed(digits)} / ${of(row.theirs).toFixed(digits)} ${unit} = **${times(of(row.ours), of(row.theirs))}**`;
  add(
    'full index, CPU',
    pair((f) => f.full.cpuS, 's', 2),
  );
  add(
    'full index, wall',
    pair((f) => f.full.wallS, 's', 2),
  );
  add(
    'peak memory of the process tree',
    pair((f) => f.full.peakMb, 'MB', 0),
  );
  add(
    'index on disk',
    pair((f) => f.diskMb, 'MB'),
  );
  add('one changed file in a running server, wall', ({ running, theirs }) => {
    const theirMs = theirs.change.wallS * 1000;
    return `${running.changeMs.toFixed(0)} / ${theirMs.toFixed(0)} ms = **${times(running.changeMs, theirMs)}**`;
  });
  add(
    'one changed file in a running server, share of our full index (CPU)',
    ({ running, ours }) => `${((100 * running.changeCpuS) / ours.full.cpuS).toFixed(1)} %`,
  );
  add(
    'one changed file by a command, wall',
    pair((f) => f.change.wallS * 1000, 'ms', 0),
  );
  add(
    'one changed file by a command, CPU',
    pair((f) => f.change.cpuS, 's', 2),
  );
  add(
    'one changed file by a command, share of our full index (CPU)',
    (row) => `${((100 * row.ours.change.cpuS) / row.ours.full.cpuS).toFixed(1)} %`,
  );
  add(
    'cold search command, wall',
    pair((f) => f.cold.wallS * 1000, 'ms', 0),
  );
  add('universal-ctags, CPU (tags only)', (row) => `${row.ctags.cpuS.toFixed(2)} s`);
  return lines.join('\n');
}

const options = optionsOf(process.argv.slice(2));
execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale'], { stdio: 'inherit' });
if (!existsSync(codegraph))
  execFileSync('npm', ['install', '--no-package-lock', '--no-audit', '--no-fund'], { cwd: peers, stdio: 'inherit' });
/** Copied files have other times, and git would read them all at each look until it has noted that they are the same: in a checkout it has. */
function refreshIndex(folder: string): void {
  try {
    execFileSync('git', ['-C', folder, 'update-index', '-q', '--refresh'], { stdio: 'ignore' });
  } catch {
    // Not a repository, or a file of it is missing.
  }
}

const rows: Row[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'sextant-bench-repos-'));
try {
  for (const given of options.repos) {
    // Copies, since codegraph writes into the repository and one file is changed.
    const [folder, other] = ['a', 'b'].map((name) => join(scratch, name, basename(given))) as [string, string];
    for (const copy of [folder, other]) cpSync(given, copy, { recursive: true });
    // Files as young as git's index are read at each look, whatever it has noted.
    await settled();
    for (const copy of [folder, other]) refreshIndex(copy);
    const lines = (
      await measure('sh', [
        '-c',
        `git -C "${folder}" ls-files -z | (cd "${folder}" && xargs -0 cat 2>/dev/null) | wc -l`,
      ])
    ).output;
    console.log(`${basename(given)} …`);
    const [ours, theirs] = (await measurePrograms([sextantOn(folder), codegraphOn(other)], options.rounds)) as [
      Figures,
      Figures,
    ];
    const ctags = await measure('ctags', ['-R', '-f', join(scratch, 'tags'), folder]);
    const running = await inServer(folder);
    rows.push({ repository: basename(given), lines: Number(lines), ours, theirs, ctags, running });
    for (const copy of [folder, other]) rmSync(copy, { recursive: true, force: true });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const parts = [
  `Sextant / codegraph ${JSON.parse(readFileSync(join(peers, 'package.json'), 'utf8')).dependencies['@colbymchenry/codegraph']}, ratio:\n`,
  table(rows),
];
const searched = rows.map(({ repository, running }) => ({ name: repository, ...running }));
if (options.large) searched.push({ name: basename(options.large), ...(await inServer(options.large)) });
parts.push(
  `\nInside one running process, the engine as it is built, after ${WARM_UP} other questions, none asked twice; the middle of ${ROUNDS} rounds of ${QUESTIONS} questions, and the quietest and the slowest of them:\n`,
  '| repository | lines | chunks | search p50 | search p95 | lines/s indexed |\n|---|---|---|---|---|---|',
  ...searched.map(
    (s) =>
      `| ${s.name} | ${s.lines.toLocaleString('en')} | ${s.chunks.toLocaleString('en')} | ${spread(s.rounds, 'p50')} | ${spread(s.rounds, 'p95')} | ${Math.round(s.linesPerS).toLocaleString('en')} |`,
  ),
);
const text = parts.join('\n');
console.log(text);
if (options.write) {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 1073741824)} GB, Node ${process.version}`;
  writeFileSync(
    join(root, 'docs/benchmarks.md'),
    `# Benchmarks\n\nMade by \`npm run bench -- --repos DIR,DIR,DIR --large DIR --write\` on ${machine}; middle of ${options.rounds} rounds. Both programs ran by turns in the same run on copies of the same repositories, with their default settings, without \`NODE_OPTIONS\` and \`NODE_EXTRA_CA_CERTS\` in their environment; vectors are included in Sextant's figures, codegraph makes none. Machines are noisy: compare the ratios.\n\n${text}\n`,
  );
}
