/**
 * Part of `npm run bench:memory -- --scale`: a hundred thousand recorded discoveries, and a history of a hundred
 * thousand commits, made up on the spot.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../src/engine/index.ts';
import { formatDiscovery } from '../src/memory/index.ts';

const COUNT = 100_000;
/** Less than one call spends on embedding when there is something to embed. */
const SETTLED_MS = 700;
const WORDS =
  'cache token order invoice price worker queue retry timeout parser index vector schema store writer reader session lock thread batch cursor page route login user team role audit metric trace event stream buffer socket header cookie query filter sorter ranker model layer module plugin config setting secret vault deploy rollback release branch commit merge review rule test mock fixture helper driver kernel memory disk shard replica leader quorum'.split(
    ' ',
  );

/** The same sentences on every run. */
function sentence(seed: number, length: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0;
    return state;
  };
  return Array.from({ length }, () => WORDS[next() % WORDS.length]!).join(' ');
}

function writeDiscoveries(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < COUNT; i++) {
    const id = `rule-${i.toString(16).padStart(16, '0')}`;
    const text = formatDiscovery({
      id,
      type: 'rule',
      content: `Rule ${i}: ${sentence(i, 24)}.`,
      module: '',
      session: '',
      dateMs: 1_700_000_000_000 + i,
      origin: 'agent',
      confidence: 1,
      evidence: [],
      contradicts: [],
      supersededBy: null,
    });
    writeFileSync(join(folder, `${id}.md`), text);
  }
}

function makeHistory(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  const commits = Array.from({ length: COUNT }, (_, i) => {
    const subject = i % 4 === 0 ? `Fix crash ${i} of the ${sentence(i, 3)}` : `Step ${i}`;
    const message = i % 4 === 0 ? `${subject}\n\nIt happened because ${sentence(i, 30)}.` : subject;
    return `commit refs/heads/main\ncommitter b <b@localhost> ${1_500_000_000 + i * 60} +0000\ndata ${message.length}\n${message}\n`;
  });
  const file = 'export const answer = 42;\n';
  commits[0] += `M 100644 inline answer.ts\ndata ${file.length}\n${file}\n`;
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], {
    input: `${commits.join('')}done\n`,
    maxBuffer: 1024 * 1024,
  });
  execFileSync('git', ['-C', folder, 'reset', '-q', '--hard', 'main']);
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}

/** A search in a new process of each kind, and ten more in the same one. */
async function searches(engine: Engine, folder: string): Promise<{ readonly first: number; readonly median: number }> {
  const ask = (i: number) =>
    timed(() => engine.contextSearch(folder, { query: `why does the ${sentence(i + 7, 2)} crash`, limit: 5 }));
  const first = (await ask(0)).ms;
  const later: number[] = [];
  for (let i = 1; i <= 10; i++) later.push((await ask(i)).ms);
  later.sort((a, b) => a - b);
  return { first, median: later[5]! };
}

export async function measureScale(scratch: string, newEngine: (home: string) => Engine): Promise<string[]> {
  const lines: string[] = [
    '| memory | first search ever | first of a later process | then (median) | recording one more |',
    '|---|---:|---:|---:|---:|',
  ];
  const row = async (name: string, home: string, folder: string) => {
    let engine = newEngine(home);
    const fresh = await searches(engine, folder);
    let rounds = 1;
    // What there was no time for comes with later calls: until there is nothing left to do but search.
    for (let ms = Number.POSITIVE_INFINITY; ms > SETTLED_MS && rounds < 100; rounds++)
      ms = (await timed(() => engine.contextSearch(folder, { query: 'anything' }))).ms;
    await engine.close();
    engine = newEngine(home);
    const later = await searches(engine, folder);
    const said = await timed(() =>
      engine.remember(folder, { type: 'rule', content: 'Never hold the lock while the socket writes.' }),
    );
    await engine.close();
    const ms = (value: number) => `${Math.round(value)} ms`;
    lines.push(`| ${name} | ${ms(fresh.first)} | ${ms(later.first)} | ${ms(later.median)} | ${ms(said.ms)} |`);
  };
  const many = join(scratch, 'many');
  mkdirSync(many);
  writeFileSync(join(many, 'answer.ts'), 'export const answer = 42;\n');
  const home = join(scratch, 'home-many');
  const engine = newEngine(home);
  await engine.index(many);
  const { storeFolder } = await engine.project(many);
  await engine.close();
  writeDiscoveries(join(storeFolder, 'memory'));
  await row(`${COUNT.toLocaleString('en')} recorded discoveries`, home, many);
  const long = join(scratch, 'long');
  makeHistory(long);
  const other = newEngine(join(scratch, 'home-long'));
  await other.index(long);
  await other.close();
  await row(`a history of ${COUNT.toLocaleString('en')} commits`, join(scratch, 'home-long'), long);
  return lines;
}
