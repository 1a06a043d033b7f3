/**
 * `npm run bench:large -- --repo DIR [--home DIR]`: a very large tree. Indexes it by the shipped command
 * (wall, CPU, peak memory of the process tree), starts the server again and asks over MCP as a client does: the first
 * question after the start, then subjects of the repository's own commits (p50, p95), and questions of 3,000
 * characters made of its latest long commit messages. Where questions.json has the folder's name, prints the place of
 * each right function, too. DIR is a clone of the repository named there, at its revision. With --home, an index that
 * is already there is brought up to date, and the line says so.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { measure, plainEnvironment } from '../measure.ts';
import { codeSubjects } from '../quality/refusals.ts';

interface LargeQuestion {
  readonly question: string;
  readonly expected: { readonly path: string; readonly symbol: string };
}
type QuestionSets = Readonly<Record<string, { readonly questions: readonly LargeQuestion[] }>>;
interface Answer {
  readonly ms: number;
  readonly results: readonly { readonly path: string; readonly name?: string }[];
}

const LONG = 3000;
const LONG_QUESTIONS = 20;
const SHORT_QUESTIONS = 100;
const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '../../dist/main.js');
const { values } = parseArgs({
  options: { repo: { type: 'string' }, home: { type: 'string' } },
});
if (values.repo === undefined) throw new Error('--repo DIR is needed: a clone of a large repository');
const repo = values.repo;
const home = values.home ?? mkdtempSync(join(tmpdir(), 'sextant-large-'));
const env = plainEnvironment({ SEXTANT_HOME: home });
const sets = JSON.parse(readFileSync(join(here, 'questions.json'), 'utf8')) as QuestionSets;
const questions = sets[basename(repo)]?.questions ?? sets.go!.questions;

const isNamed = (name: string | undefined, expected: string) => name?.split(/[.:#]+/).at(-1) === expected;
const share = (all: readonly number[], part: number) =>
  [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? Number.NaN;
const spread = (all: readonly number[]) =>
  `p50 ${share(all, 0.5).toFixed(1)} ms, p95 ${share(all, 0.95).toFixed(1)} ms`;

try {
  await printIndexing();
  const { client, close } = await openServer();
  try {
    await printAnswers(client);
  } finally {
    await close();
  }
} finally {
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}

async function printIndexing(): Promise<void> {
  const isIndexed = existsSync(home) && readdirSync(home).length > 0;
  const { wallS, cpuS, peakMb, code, output } = await measure(process.execPath, [program, 'index', repo], { env });
  if (code !== 0) throw new Error(`index ended with ${code}: ${output.slice(-2000)}`);
  const figures = `wall ${wallS.toFixed(1)} s, CPU ${cpuS.toFixed(1)} s, peak ${Math.round(peakMb)} MB`;
  console.log(
    `${isIndexed ? 'update of an index that was there' : 'full index'}: ${figures}, load ${loadavg()[0]!.toFixed(1)}`,
  );
}

async function openServer() {
  const client = new Client({ name: 'large-tree', version: '1' });
  const args = [program, 'serve-mcp', '--workspace', repo];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: env as Record<string, string> }),
  );
  return { client, close: () => client.close() };
}

async function ask(client: Client, query: string): Promise<Answer> {
  const started = performance.now();
  const answer = await client.callTool({ name: 'search_code', arguments: { query } });
  const ms = performance.now() - started;
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
  return { ms, results: (answer.structuredContent as { results?: Answer['results'] }).results ?? [] };
}

async function printAnswers(client: Client): Promise<void> {
  const first = await ask(client, questions[0]!.question);
  // Each is asked once, so that no cache answers.
  const short: number[] = [];
  for (const query of new Set(codeSubjects(repo, 'HEAD', SHORT_QUESTIONS))) short.push((await ask(client, query)).ms);
  const long: number[] = [];
  for (const query of longQuestions()) long.push((await ask(client, query)).ms);
  console.log(`first question after a start: ${first.ms.toFixed(0)} ms, load ${loadavg()[0]!.toFixed(1)}`);
  console.log(`later, ${short.length} questions: ${spread(short)}`);
  console.log(`of ${LONG} characters, ${long.length} questions: ${spread(long)}`);
  console.log(`a long one's median is ${(share(long, 0.5) / share(short, 0.5)).toFixed(1)} times a short one's`);
  for (const { question, expected } of questions) {
    const { results } = await ask(client, question);
    const rank = results.findIndex(({ path, name }) => path === expected.path && isNamed(name, expected.symbol));
    const file = results.findIndex(({ path }) => path === expected.path);
    console.log(`function ${rank + 1 || '-'}, file ${file + 1 || '-'}: ${question} (${results[0]?.path})`);
  }
}

/** The latest commit messages that are long enough, cut. */
function longQuestions(): string[] {
  const { stdout } = spawnSync('git', ['-C', repo, 'log', '-n', '20000', '--no-merges', '--format=%B%x00'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const messages = stdout.split('\0').filter((message) => message.length >= LONG);
  return messages.slice(0, LONG_QUESTIONS).map((message) => message.trim().slice(0, LONG));
}
