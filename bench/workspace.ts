/**
 * `npm run bench:workspace -- --bench DIR --layout DIR [--home DIR] [--write]`: the repositories of the public benchmark's open half as one workspace. Questions do not
 * say which repository they mean; a hit is right where its repository and its file are. With --write the section goes to docs/workspaces.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const SCOPE = `workspace:${NAME}`;
const home = option('--home') ?? mkdtempSync(join(tmpdir(), 'sextant-workspace-'));
const { createEngine } = await builtEngine();
const engine = createEngine(engineConfig(home));
const { questions, missing } = loadQuestions(bench, layout);
if (missing.length > 0) console.error(`not laid out, left out: ${missing.join(', ')}`);
const repositories = [...new Set(questions.map(({ repository }) => repository))];
let chunks = 0;
for (const repository of repositories) {
  const report = await engine.index(join(layout, repository));
  chunks += report.chunkCount;
  console.error(`${repository}: ${report.filesTotal} files, ${report.chunkCount} chunks`);
}
await engine.addToWorkspace(
  NAME,
  repositories.map((repository) => join(layout, repository)),
);
const { members } = (await engine.workspaces()).find(({ name }) => name === NAME)!;
const nameOf = new Map(members.map(({ name, root }) => [root.split('/').at(-1)!, name]));

interface Judged {
  readonly together: number;
  readonly firstIsOfRepository: boolean;
  readonly ofRepository: number;
  readonly alone: number;
  readonly durationMs: number;
}

async function judge(question: Question): Promise<Judged> {
  const { repository, query, targets } = question;
  const name = nameOf.get(repository)!;
  const started = performance.now();
  const { hits } = await engine.search(SCOPE, { query, limit: 10, stateless: true });
  const durationMs = performance.now() - started;
  const own = hits.map(({ path, startLine, endLine }) => {
    const isOwn = path.startsWith(`${name}/`);
    return { path: isOwn ? path.slice(name.length + 1) : `\0${path}`, startLine, endLine };
  });
  const alone = await engine.search(join(layout!, repository), { query, limit: 10, stateless: true });
  const count = own.filter(({ path }) => !path.startsWith('\0')).length;
  return {
    together: ndcg(own, targets),
    firstIsOfRepository: own.length > 0 && !own[0]!.path.startsWith('\0'),
    ofRepository: own.length === 0 ? 0 : count / own.length,
    alone: ndcg(alone.hits, targets),
    durationMs,
  };
}

for (const { query } of questions.slice(0, 20)) await engine.search(SCOPE, { query: `${query} warm up`, limit: 10 });
const judged: Judged[] = [];
for (const question of questions) judged.push(await judge(question));
const times = judged.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(share * times.length)]!.toFixed(1);
const figure = (of: (one: Judged) => number) => mean(judged.map(of)).toFixed(3);
const text = `${repositories.length} repositories of the public benchmark as one workspace (${chunks.toLocaleString('en')} chunks), ${questions.length} questions that do not name their repository, \`npm run bench:workspace\`:

| | |
|---|---|
| NDCG@10, repository and file together | ${figure(({ together }) => together)} |
| NDCG@10 where the repository is named (asked alone) | ${figure(({ alone }) => alone)} |
| the first result is of the right repository | ${figure(({ firstIsOfRepository }) => Number(firstIsOfRepository))} |
| share of the first ten that is of the right repository | ${figure(({ ofRepository }) => ofRepository)} |
| an answer in a running process, p50 / p95 | ${at(0.5)} / ${at(0.95)} ms |
| memory of the process | ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB |
`;
console.log(text);
if (argv.includes('--write')) {
  const page = join(dirname(fileURLToPath(import.meta.url)), '../docs/workspaces.md');
  const [before] = readFileSync(page, 'utf8').split('\n## How well');
  writeFileSync(page, `${before!.trimEnd()}\n\n## How well\n\n${text}`);
}
await engine.close();
if (!option('--home')) rmSync(home, { recursive: true, force: true });
