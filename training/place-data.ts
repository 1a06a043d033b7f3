/**
 * Makes the training data of the place ranker: `node --import tsx training/place-data.ts SOURCE --mirror DIR --work DIR
 * --out FILE [REPOSITORY…]`, where SOURCE is `questions` (bench/questions/, the open half; of the repositories named, or
 * all), `benchmark=BENCH,LAYOUT`, `history` or `docs` (of the repositories named), or `issues=FILE` (for
 * report-ranker.ts).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { Definitions } from '../bench/quality/definitions.ts';
import { loadIssues } from '../bench/quality/issues.ts';
import { loadFunctionQuestions } from '../bench/quality/questions.ts';
import { covers, loadQuestions, type Place } from '../bench/quality/set.ts';
import { hasCommit, localClone, snapshotOf } from '../bench/quality/snapshots.ts';
import { createEngine, type Engine } from '../src/engine/index.ts';
import type { SearchMode } from '../src/model/records/query.ts';
import { PROMINENT_KINDS, type SymbolRecord } from '../src/model/records/symbol.ts';
import { Ranker, type RankerModels } from '../src/search/index.ts';
import { engineConfig } from '../test/engine-config.ts';
import { commitQuestions } from './commit-questions.ts';
import { hideDoc, questionOf } from './doc-questions.ts';
import { type PlaceSample, Sampler, type Tree } from './place-samples.ts';

export interface LabelledSample {
  readonly source: string;
  readonly sample: PlaceSample;
  /** 1 for the files, and for the definitions, that answer. */
  readonly fileLabels: Uint8Array;
  readonly labels: Uint8Array;
  /** Number of definitions that answer, collected or not. */
  readonly wanted: number;
  /** For an issue: the files of its fix, and for each fixed function the places with its name. */
  readonly fix?: { readonly files: readonly string[]; readonly functions: readonly (readonly Place[])[] };
}

const COMMITS = 24;
const DOCS = 60;
/** Maximum number per file. */
const MAX_DOCS_PER_FILE = 2;
/** Every n-th question contains the name too. */
const NAMED = 4;
/** Maximum number per repository. */
const NAMES = 24;

interface Making {
  readonly mirror: string;
  readonly work: string;
  readonly engine: Engine;
  readonly sampler: Sampler;
  readonly made: LabelledSample[];
}

type Wanted = (path: string, symbol: string, startLine: number, endLine: number) => boolean;

async function add(
  making: Making,
  source: string,
  repository: string,
  tree: Tree,
  query: string,
  wanted: number,
  isWanted: Wanted,
  isFile: (path: string) => boolean,
  mode: SearchMode = 'hybrid',
  fix?: LabelledSample['fix'],
) {
  const sample = await making.sampler.sample(repository, tree, query, mode);
  const labels = Uint8Array.from(sample.definitions, ({ file, symbol, startLine, endLine }) =>
    isWanted(sample.paths[file]!, symbol, startLine, endLine) ? 1 : 0,
  );
  const fileLabels = Uint8Array.from(sample.paths, (path) => (isFile(path) ? 1 : 0));
  making.made.push({ source, sample, labels, fileLabels, wanted, ...(fix ? { fix } : {}) });
}

async function treeOf({ engine }: Making, clone: string, ref: string): Promise<Tree> {
  const status = await engine.status(clone, ref);
  const { project } = status.indexing === 'ready' ? status : await engine.index(clone, { ref });
  return { storeFolder: project.storeFolder, root: project.root, ref };
}

const withDots = (name: string) => `.${name.replace(/::|->|[#/\\$]/g, '.')}`;

/** Asks each question in every mode, and once of another repository (`foreign`), where nothing answers. */
async function addQuestions(making: Making, only: readonly string[]): Promise<void> {
  const folder = fileURLToPath(new URL('../bench/questions', import.meta.url));
  const trees: Tree[] = [];
  const isAsked = (repo: string) => only.length === 0 || only.includes(repo);
  const open = loadFunctionQuestions(folder).filter(({ split, repo }) => split !== 'kept' && isAsked(repo));
  for (const { repo, revision, question, expected } of open) {
    const clone = localClone(making.mirror, repo, making.work);
    if (!clone || !hasCommit(clone, revision)) continue;
    const tree = await treeOf(making, clone, revision);
    const isWanted = (path: string, symbol: string) =>
      expected.some((one) => one.path === path && withDots(symbol).endsWith(withDots(one.symbol ?? symbol)));
    const isFile = (path: string) => expected.some((one) => one.path === path);
    for (const mode of ['hybrid', 'keyword', 'vector'] as const) {
      const source = mode === 'hybrid' ? 'questions' : `questions-${mode}`;
      await add(making, source, repo, tree, question, expected.length, isWanted, isFile, mode);
    }
    if (trees.at(-1)?.storeFolder !== tree.storeFolder) trees.push(tree);
  }
  const no = () => false;
  for (const [i, { repo, question }] of open.entries()) {
    const away = trees[Math.floor((i * trees.length) / open.length + trees.length / 2) % trees.length]!;
    await add(making, 'foreign', repo, away, question, 0, no, no);
  }
}

/** Questions of the public benchmark's open half, which labels files only. */
async function addBenchmark(making: Making, bench: string, layout: string): Promise<void> {
  const no = () => false;
  const trees = new Map<string, Tree>();
  for (const { repository, query, targets } of loadQuestions(bench, layout).questions) {
    let tree = trees.get(repository);
    if (!tree) {
      const { project } = await making.engine.index(join(layout, repository));
      tree = { storeFolder: project.storeFolder, root: project.root, ref: 'live' };
      trees.set(repository, tree);
    }
    const isFile = (path: string) => targets.some((target) => covers({ path, startLine: 1, endLine: 1e9 }, target));
    await add(making, 'benchmark', repository, tree, query, targets.length, no, isFile);
  }
}

async function addIssues(making: Making, file: string): Promise<void> {
  for (const { repo, base, issue, files, functions } of loadIssues(file).sort((a, b) => (a.repo < b.repo ? -1 : 1))) {
    const clone = localClone(making.mirror, repo, making.work);
    if (!clone || !hasCommit(clone, base)) continue;
    const tree = await treeOf(making, clone, base);
    const definitions = new Definitions({ storeFolder: tree.storeFolder, root: tree.root });
    const places = functions.map((one) => {
      const colon = one.lastIndexOf(':');
      return definitions.find(base, one.slice(0, colon), one.slice(colon + 1));
    });
    definitions.close();
    const isOne = (path: string, startLine: number, endLine: number) =>
      places.flat().some((one) => one.path === path && one.startLine === startLine && one.endLine === endLine);
    await add(
      making,
      'issues',
      repo,
      tree,
      issue.slice(0, 10_000),
      functions.length,
      (path, _symbol, startLine, endLine) => isOne(path, startLine, endLine),
      (path) => files.includes(path),
      'hybrid',
      { files, functions: places },
    );
  }
}

/** The innermost callable, or else the innermost symbol, around a line. */
function around(symbols: readonly SymbolRecord[], line: number): string | null {
  const holding = symbols.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
  const callable = holding.filter(({ kind }) => kind === 'function' || kind === 'method' || kind === 'macro');
  return callable[0]?.qualifiedName ?? holding.at(-1)?.qualifiedName ?? null;
}

async function addHistory(making: Making, repository: string): Promise<void> {
  const clone = localClone(making.mirror, repository, making.work);
  if (!clone) return;
  for (const { parent, query, changes } of commitQuestions(clone, 'HEAD', COMMITS)) {
    const tree = await treeOf(making, clone, parent);
    const reader = making.sampler.reader(tree);
    const view = reader.openTree({ root: tree.root, ref: tree.ref })!;
    const changed = new Set<string>();
    for (const { path, startLine, endLine } of changes) {
      const file = view.indexOfPath(path);
      if (file < 0) continue;
      const { symbols } = reader.detail(view.contentOf[file]!);
      for (const line of [startLine, endLine]) {
        const name = around(symbols, line);
        if (name) changed.add(`${path} ${name}`);
      }
    }
    if (changed.size === 0 || changed.size > 6) continue;
    const paths = new Set(changes.map(({ path }) => path));
    await add(
      making,
      'history',
      repository,
      tree,
      query,
      changed.size,
      (path, symbol) => changed.has(`${path} ${symbol}`),
      (path) => paths.has(path),
    );
  }
}

async function addDocs(making: Making, repository: string): Promise<void> {
  const snapshot = snapshotOf(making.mirror, repository);
  if (!snapshot) return;
  const folder = join(making.work, `docs-${repository.replace('/', '+')}`);
  if (!existsSync(folder))
    execFileSync('git', ['clone', '-q', '--depth=1', `file://${snapshot}`, folder], { stdio: 'pipe' });
  execFileSync('git', ['-C', folder, 'checkout', '-q', '--force', 'HEAD'], { stdio: 'pipe' });
  const { project } = await making.engine.index(folder);
  const tree = { storeFolder: project.storeFolder, root: project.root, ref: 'live' };
  const reader = making.sampler.reader(tree);
  const view = reader.openTree({ root: tree.root, ref: 'live' })!;
  const all: { path: string; symbol: SymbolRecord; query: string }[] = [];
  for (const [file, { path, flags }] of view.files.entries()) {
    if (flags !== 0) continue;
    const documented = reader.detail(view.contentOf[file]!).symbols.flatMap((symbol) => {
      const query = questionOf(symbol);
      return query ? [{ path, symbol, query }] : [];
    });
    const step = Math.max(1, Math.floor(documented.length / MAX_DOCS_PER_FILE));
    // From the end of the file to its beginning, so that later lines are still unchanged when a comment is found.
    all.push(...documented.filter((_, i) => i % step === 0).slice(0, MAX_DOCS_PER_FILE));
  }
  const step = Math.max(1, all.length / DOCS);
  const picked = Array.from({ length: Math.min(DOCS, all.length) }, (_, i) => all[Math.floor(i * step)]!);
  making.sampler.close();
  const asked = picked.filter(({ path, symbol }) => hideDoc(folder, path, symbol));
  await making.engine.index(folder);
  for (const [i, { path, symbol, query: sentence }] of asked.entries()) {
    // Some users know the name and mention it in the question.
    const query = i % NAMED === 0 ? `${symbol.name} ${sentence}` : sentence;
    await add(
      making,
      'docs',
      repository,
      tree,
      query,
      1,
      (p, name) => p === path && name === symbol.qualifiedName,
      (p) => p === path,
    );
  }
  await addNames(making, repository, tree);
}

/** Questions of a bare name, a name in a sentence, and a qualified name: every definition of it answers. */
async function addNames(making: Making, repository: string, tree: Tree): Promise<void> {
  const reader = making.sampler.reader(tree);
  const view = reader.openTree({ root: tree.root, ref: tree.ref })!;
  const code = view.files.flatMap(({ flags }, file) => (flags === 0 && view.symbolCountOf[file]! > 2 ? [file] : []));
  const step = Math.max(1, code.length / NAMES);
  for (let i = 0; i < Math.min(NAMES, code.length); i++) {
    const file = code[Math.floor(i * step)]!;
    const { symbols } = reader.detail(view.contentOf[file]!);
    const prominent = symbols.filter(({ kind, name }) => PROMINENT_KINDS.has(kind) && name.length > 1);
    const picked = prominent[Math.floor(prominent.length / 2)];
    if (!picked) continue;
    const { name, qualifiedName } = picked;
    const query = [name, qualifiedName, `where is ${name} defined`, `how does ${name} work`][i % 4]!;
    const wantsPath = query === qualifiedName && qualifiedName !== name ? view.files[file]!.path : null;
    await add(
      making,
      'names',
      repository,
      tree,
      query,
      1,
      (_path, own) => (wantsPath === null ? withDots(own).endsWith(`.${name}`) : own === qualifiedName),
      (p) => p === view.files[file]!.path,
    );
  }
}

const argv = process.argv.slice(2);
const option = (name: string) => argv[argv.indexOf(name) + 1]!;
const [source = ''] = argv;
const repositories = argv.slice(argv.indexOf('--out') + 2);
const work = option('--work');
mkdirSync(work, { recursive: true });
const model = JSON.parse(readFileSync(new URL('../models/ranker.json', import.meta.url), 'utf8')) as RankerModels;
const engine = createEngine(engineConfig(argv.includes('--home') ? option('--home') : join(work, 'home')));
const making: Making = { mirror: option('--mirror'), work, engine, sampler: new Sampler(new Ranker(model)), made: [] };
if (source === 'questions') await addQuestions(making, repositories);
else if (source.startsWith('benchmark=')) {
  const [bench = '', layout = ''] = source.slice('benchmark='.length).split(',');
  await addBenchmark(making, bench, layout);
} else if (source.startsWith('issues=')) await addIssues(making, source.slice('issues='.length));
else
  for (const repository of repositories) {
    await (source === 'docs' ? addDocs : addHistory)(making, repository);
    console.error(`${repository}: ${making.made.length}`);
  }
making.sampler.close();
await engine.close();
writeFileSync(option('--out'), serialize(making.made));
const found = making.made.filter(({ labels }) => labels.includes(1)).length;
const foundFile = making.made.filter(({ fileLabels }) => fileLabels.includes(1)).length;
console.log(
  `${making.made.length} questions; a right file is among the candidates of ${foundFile}, a right definition among those of ${found}`,
);
