/**
 * `npm run bench:workspace -- --bench DIR --layout DIR [--clones DIR] [--home DIR] [--write]`: the repositories of the
 * public benchmark's open half as one workspace. Questions do not say which repository they mean; a hit is right where
 * its repository and its file are. `--clones`: the time of an answer in a workspace of all clones in a folder, too.
 * Folders are watched as a server watches them. With --write the section goes to docs/workspaces.md.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineConfig } from '../test/engine-config.ts';
import { builtEngine } from './built-engine.ts';
import { mean } from './quality/figures.ts';
import { loadQuestions, ndcg, type Question } from './quality/set.ts';

const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const [bench, layout] = [option('--bench'), option('--layout')];
if (!bench || !layout) {
  console.error('usage: npm run bench:workspace -- --bench DIR --layout DIR [--home DIR] [--write]');
  process.exit(2);
}
const NAME = 'open-half';
const home = option('--home') ?? mkdtempSync(join(tmpdir(), 'sextant-workspace-'));
const { createEngine } = await builtEngine();
const engine = createEngine(engineConfig(home));
const { questions, missing } = loadQuestions(bench, layout);
if (missing.length > 0) console.error(`not laid out, left out: ${missing.join(', ')}`);

interface Served {
  readonly scope: string;
  readonly repositories: number;
  readonly chunks: number;
  /** The name of the repository in a folder. */
  readonly nameOf: ReadonlyMap<string, string>;
}

/** Folders indexed, watched, and named as one workspace. */
async function serve(name: string, folders: readonly string[]): Promise<Served> {
  let chunks = 0;
  for (const folder of folders) {
    const { filesTotal, chunkCount } = await engine.index(folder);
    chunks += chunkCount;
    console.error(`${folder}: ${filesTotal} files, ${chunkCount} chunks`);
  }
  const { members } = await engine.addToWorkspace(name, folders);
  for (const { root } of members) await engine.watch(root);
  const nameOf = new Map(members.map((member) => [member.root, member.name]));
  return { scope: `workspace:${name}`, repositories: members.length, chunks, nameOf };
}

interface Judged {
  readonly together: number;
  readonly firstIsOfRepository: boolean;
  readonly ofRepository: number;
  readonly alone: number;
}

async function judge({ scope, nameOf }: Served, { repository, query, targets }: Question): Promise<Judged> {
  const folder = join(layout!, repository);
  const name = nameOf.get(folder)!;
  const { hits } = await engine.search(scope, { query, limit: 10, stateless: true });
  const own = hits.map(({ path, startLine, endLine }) => {
    const isOwn = path.startsWith(`${name}/`);
    return { path: isOwn ? path.slice(name.length + 1) : `\0${path}`, startLine, endLine };
  });
  const alone = await engine.search(folder, { query, limit: 10, stateless: true });
  const count = own.filter(({ path }) => !path.startsWith('\0')).length;
  return {
    together: ndcg(own, targets),
    firstIsOfRepository: own.length > 0 && !own[0]!.path.startsWith('\0'),
    ofRepository: own.length === 0 ? 0 : count / own.length,
    alone: ndcg(alone.hits, targets),
  };
}

/** What an agent waits for in a running server: freshness of every repository included, nothing cached. */
async function timesOf({ scope }: Served): Promise<string> {
  const ask = (query: string) => engine.search(scope, { query, limit: 10 });
  for (const { query } of questions.slice(0, 30)) await ask(`${query} warm up`);
  const times: number[] = [];
  for (const { query } of questions) {
    const started = performance.now();
    await ask(query);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)]!.toFixed(1);
  return `${at(0.5)} / ${at(0.95)} ms`;
}

const memory = () => `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`;
const repositories = [...new Set(questions.map(({ repository }) => repository))];
const open = await serve(
  NAME,
  repositories.map((repository) => join(layout, repository)),
);
const judged: Judged[] = [];
for (const question of questions) judged.push(await judge(open, question));
const figure = (of: (one: Judged) => number) => mean(judged.map(of)).toFixed(3);
const number = (value: number) => value.toLocaleString('en');
let text = `${open.repositories} repositories of the public benchmark as one workspace (${number(open.chunks)} chunks), ${questions.length} questions that do not name their repository, \`npm run bench:workspace\`:

| | |
|---|---|
| NDCG@10, repository and file together | ${figure(({ together }) => together)} |
| NDCG@10 where the repository is named (asked alone) | ${figure(({ alone }) => alone)} |
| the first result is of the right repository | ${figure(({ firstIsOfRepository }) => Number(firstIsOfRepository))} |
| share of the first ten that is of the right repository | ${figure(({ ofRepository }) => ofRepository)} |
| an answer in a running server, p50 / p95 | ${await timesOf(open)} |
| memory of the process | ${memory()} |
`;
const clones = option('--clones');
if (clones) {
  const names = readdirSync(clones).sort();
  const large = await serve(
    'clones',
    names.map((name) => join(clones, name)),
  );
  text += `| an answer among ${large.repositories} whole repositories and ${number(large.chunks)} chunks, p50 / p95 | ${await timesOf(large)} |
| memory of the process with both workspaces | ${memory()} |
`;
}
console.log(text);
if (argv.includes('--write')) {
  const page = join(dirname(fileURLToPath(import.meta.url)), '../docs/workspaces.md');
  const [before] = readFileSync(page, 'utf8').split('\n## How well');
  writeFileSync(page, `${before!.trimEnd()}\n\n## How well\n\n${text}`);
}
await engine.close();
if (!option('--home')) rmSync(home, { recursive: true, force: true });
