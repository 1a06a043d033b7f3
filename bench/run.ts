/**
 * `npm run bench -- --repos DIR[,DIR…] [--large DIR] [--rounds N] [--write]`: index, change and search real
 * repositories with Sextant and its peers in the same run, and print the ratios. Machines are noisy: the ratios count,
 * not the times. With --write the tables go to docs/benchmarks.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyRepository } from './copy-repository.ts';
import { inServer, QUESTIONS, ROUNDS, type Round, type Running, WARM_UP } from './in-server.ts';
import { type Measured, measure } from './measure.ts';
import { codegraph, codegraphOn, type Figures, measurePrograms, peers, settled, sextantOn } from './programs.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

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
/**
 * Copied files have other times, and git would read them all at each look until it has noted that they are the same: in
 * a checkout it has.
 */
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
    for (const copy of [folder, other]) copyRepository(given, copy);
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
  `\nInside one running process, with the built engine, after ${WARM_UP} warm-up questions, no question asked twice. Each figure is the median of ${ROUNDS} rounds of ${QUESTIONS} questions, with the fastest and the slowest round in brackets:\n`,
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
  const page = join(root, 'docs/benchmarks.md');
  // Other commands measure the sections below.
  const sections = /^## [\s\S]*/m.exec(readFileSync(page, 'utf8'))?.[0] ?? '';
  writeFileSync(
    page,
    `# Benchmarks\n\nMade by \`npm run bench -- --repos DIR,DIR,DIR --large DIR --write\` on ${machine}; median of ${options.rounds} rounds. Both programs ran alternately on copies of the same repositories, with their default settings, without \`NODE_OPTIONS\` and \`NODE_EXTRA_CA_CERTS\` in their environment; Sextant's figures include vectors, which codegraph does not make. Times vary between runs: compare the ratios.\n\n${text}\n${sections && `\n${sections}`}`,
  );
}
