/**
 * `npm run bench:graph -- --repos DIR [--cache DIR] [--home DIR] [--python PYTHON] [--only LANGUAGE,…] [--part PART,…]
 * [--misses N] [--write]`: measures how far edges can be trusted. PART `calls`: edges between calls and definitions,
 * beside codegraph's at the same calls, common method names and claims of absence; `implementers`; `questions`
 * (questions.json); `both-ways`, only on request: imports and calls that are not found from their targets. The judges
 * are compilers and language servers, and labels made by hand for languages without one (labels/). DIR of --repos
 * contains the repositories, as NAME or OWNER+NAME; missing ones are reported and left out. --cache keeps the output of
 * judges and codegraph, --home the indexes. --write updates docs/graph.md; rows of languages that were left out stay,
 * so do codegraph's figures if it is not installed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Absences, judgeAbsences } from './absences.ts';
import { lookBothWays } from './both-ways.ts';
import { buildCodegraph, codegraphEdges } from './codegraph-edges.ts';
import { COMMON_NAMES } from './common-names.ts';
import type { CallEdges } from './edges.ts';
import { type ImplementerScore, judgeImplementers } from './implementers.ts';
import { type JudgedSite, labelledSites, readLabels } from './judged-sites.ts';
import { IMPLEMENTER_JUDGES, JUDGES, judgedSites, judgedText } from './judges.ts';
import { type OpenGraph, openGraph } from './open-graph.ts';
import { askQuestions, readQuestions } from './questions.ts';
import { document, type Figures, figuresOf, type Row, table } from './report.ts';
import { IMPLEMENTERS, JUDGED, TITLES } from './repositories.ts';
import { judge, type Score, score, sum, type Verdict } from './score.ts';
import { sextantEdges } from './sextant-edges.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const labels = join(root, 'bench/graph/labels');
const codegraph = join(root, 'bench/peers/node_modules/.bin/codegraph');

const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const repos = option('--repos');
if (!repos) {
  console.error(
    'usage: npm run bench:graph -- --repos DIR [--cache DIR] [--home DIR] [--python PYTHON] [--only LANGUAGE,…] [--part PART,…] [--misses N] [--write]',
  );
  process.exit(2);
}
// Indexing runs workers from dist/.
const build: { buildIfStale(): Promise<boolean> } = await import(pathToFileURL(join(root, 'scripts/build.mjs')).href);
await build.buildIfStale();
const cache = option('--cache') ?? mkdtempSync(join(tmpdir(), 'sextant-graph-cache-'));
mkdirSync(cache, { recursive: true });
const home = option('--home');
const tools = { cache, python: option('--python') ?? 'python3' };
const only = option('--only')?.split(',');
const misses = Number(option('--misses') ?? 0);
const parts = option('--part')?.split(',') ?? ['calls', 'implementers', 'questions'];

interface Tree {
  readonly repository: string;
  readonly folder: string;
  readonly commit: string;
}

function findTree(repository: string): Tree | null {
  const [owner, name] = repository.split('/') as [string, string];
  const folder = [join(repos!, `${owner}+${name}`), join(repos!, name)].find(existsSync);
  if (!folder) return null;
  const commit = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  return { repository, folder, commit };
}

/** Opened once: several languages and parts may use the same repository. */
const opened = new Map<string, Promise<OpenGraph>>();
function graphOf({ repository, folder }: Tree): Promise<OpenGraph> {
  let graph = opened.get(repository);
  if (!graph) {
    graph = openGraph(folder, home);
    opened.set(repository, graph);
  }
  return graph;
}

function peerEdges(tree: Tree): CallEdges | null {
  if (!existsSync(codegraph)) return null;
  const database = join(cache, `codegraph-${tree.repository.replace('/', '+')}-${tree.commit.slice(0, 12)}.db`);
  buildCodegraph(codegraph, tree.folder, database);
  return codegraphEdges(database);
}

interface Compared {
  readonly ours: Score;
  readonly theirs: Score | null;
  readonly common: Score;
  readonly absences: Absences;
}

async function compare(tree: Tree, sites: readonly JudgedSite[]): Promise<Compared> {
  const graph = await graphOf(tree);
  const edges = sextantEdges(graph);
  const seen = sites.filter(({ path }) => edges.has(path));
  const verdicts = judge(seen, edges, { anyOnLine: false });
  if (misses > 0) showMisses(verdicts);
  // codegraph does not read every language.
  const peer = peerEdges(tree);
  const theirs = peer && seen.some(({ path }) => peer.has(path)) ? score(judge(seen, peer, { anyOnLine: true })) : null;
  const common = score(verdicts.filter(({ site }) => COMMON_NAMES.has(site.name)));
  const absences = judgeAbsences(graph, seen);
  for (const wrong of absences.wrong.slice(0, misses)) console.error(`    not absent: ${wrong}`);
  return { ours: score(verdicts), theirs, common, absences };
}

/** Samples evenly over the tree, so that one file does not fill the list. */
function showMisses(verdicts: readonly Verdict[]): void {
  const spread = (list: readonly Verdict[]) =>
    list.filter((_, i) => Math.floor((i * misses) / list.length) !== Math.floor(((i - 1) * misses) / list.length));
  const show = ({ site, edge }: Verdict) =>
    console.error(
      `    ${site.path}:${site.line}:${site.column} ${site.name} → ${site.targets.join('|') || 'external'} (${site.kind}); ours: ${edge ? `${edge.targets.slice(0, 3).join(' ') || 'nothing'}${edge.sure ? ' exact' : edge.decided ? ' likely' : ' ambiguous'}` : 'no call'}`,
    );
  console.error('  wrong exact edges');
  spread(verdicts.filter(({ edge, right }) => edge?.sure && edge.decided && !right)).forEach(show);
  console.error('  wrong likely edges');
  spread(verdicts.filter(({ edge, right }) => edge && !edge.sure && edge.decided && !right)).forEach(show);
  console.error('  not found');
  spread(verdicts.filter(({ site, right }) => !right && site.kind === 'function' && site.targets.length > 0)).forEach(
    show,
  );
}

const rows: Row[] = [];
async function add(title: string, by: string, sets: readonly { tree: Tree; sites: readonly JudgedSite[] }[]) {
  const scores: Compared[] = [];
  for (const { tree, sites } of sets) {
    console.error(`${title}: ${tree.repository}`);
    scores.push(await compare(tree, sites));
  }
  const theirs = scores.map((each) => each.theirs).filter((each) => each !== null);
  const row = {
    title,
    by,
    trees: sets.map(({ tree }) => `${tree.repository} ${tree.commit.slice(0, 9)}`),
    ours: sum(scores.map((each) => each.ours)),
    theirs: theirs.length > 0 ? sum(theirs) : null,
    common: sum(scores.map((each) => each.common)),
    claims: by === 'labels' ? 0 : scores.reduce((total, { absences }) => total + absences.claimed, 0),
    falseClaims: scores.reduce((total, { absences }) => total + absences.wrong.length, 0),
  };
  rows.push(row);
  console.error(figuresOf(row));
}

for (const { language, title, judge: id, repositories, endings, flags = {} } of parts.includes('calls') ? JUDGED : []) {
  if (only && !only.includes(language)) continue;
  const judgeProgram = JUDGES[id]!;
  try {
    judgeProgram.check(tools);
  } catch {
    console.error(`${title}: no judge (${judgeProgram.needs}); left out`);
    continue;
  }
  const trees = repositories.map(findTree);
  repositories.forEach((name, i) => {
    if (!trees[i]) console.error(`${title}: ${name} is not in ${repos}; left out`);
  });
  const sets: { tree: Tree; sites: JudgedSite[] }[] = [];
  for (const tree of trees) {
    if (!tree) continue;
    try {
      const name = `${id}-${tree.repository.replace('/', '+')}`;
      const sites = judgedSites(judgeProgram, name, tree, flags[tree.repository] ?? [], tools);
      sets.push({ tree, sites: sites.filter(({ path }) => endings.test(path)) });
    } catch (error) {
      console.error(`${title}: the judge failed on ${tree.repository}, left out: ${(error as Error).message}`);
    }
  }
  if (sets.length > 0) await add(title, judgeProgram.title, sets);
}

const labelled = existsSync(labels)
  ? readdirSync(labels).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
  : [];
for (const language of parts.includes('calls') ? labelled.sort() : []) {
  if (only && !only.includes(language)) continue;
  const sets: { tree: Tree; sites: JudgedSite[] }[] = [];
  for (const set of readLabels(labels, language)) {
    const tree = findTree(set.repository);
    if (!tree) console.error(`${language}: ${set.repository} is not in ${repos}; left out`);
    else if (tree.commit !== set.commit)
      console.error(`${language}: ${set.repository} is at ${tree.commit}, not at ${set.commit}; left out`);
    else sets.push({ tree, sites: labelledSites(set) });
  }
  if (sets.length > 0) await add(TITLES[language] ?? language, 'labels', sets);
}

const implementers: Figures['implementers'][number][] = [];
for (const { language, title, judge: id, repositories } of parts.includes('implementers') ? IMPLEMENTERS : []) {
  if (only && !only.includes(language)) continue;
  const scores: ImplementerScore[] = [];
  const trees: string[] = [];
  for (const tree of repositories.map(findTree)) {
    if (!tree) continue;
    const text = await implementersOf(id, language, tree);
    if (text === null) continue;
    const found = judgeImplementers(await graphOf(tree), text);
    for (const missed of found.missed.slice(0, misses)) console.error(`    missed: ${missed}`);
    for (const invented of found.invented.slice(0, misses)) console.error(`    invented: ${invented}`);
    scores.push(found);
    trees.push(`${tree.repository} ${tree.commit.slice(0, 9)}`);
  }
  if (scores.length > 0)
    implementers.push({ title, by: id === 'labels' ? id : IMPLEMENTER_JUDGES[id]!.title, trees, scores });
}

/**
 * Implementers by a compiler or by labels; null if there is no judge. Swift's labels come from a search for
 * declarations and were reviewed in part only.
 */
async function implementersOf(id: string, language: string, tree: Tree): Promise<string | null> {
  if (id === 'labels') {
    const file = join(labels, 'implementers', `${language}-${tree.repository.replace('/', '+')}.tsv`);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }
  try {
    return judgedText(
      IMPLEMENTER_JUDGES[id]!,
      `implementers-${id}-${tree.repository.replace('/', '+')}`,
      tree,
      [],
      tools,
    );
  } catch (error) {
    console.error(`${language}: no judge of implementers for ${tree.repository}: ${(error as Error).message}`);
    return null;
  }
}

const questionFigures: Figures['questions'][number][] = [];
for (const set of parts.includes('questions') ? readQuestions(join(root, 'bench/graph/questions.json')) : []) {
  const tree = findTree(set.repository);
  if (!tree) {
    console.error(`questions: ${set.repository} is not in ${repos}; left out`);
    continue;
  }
  const answers = await askQuestions(await graphOf(tree), set);
  for (const { question, missing } of answers)
    if (missing.length > 0) console.error(`  ${set.repository}: ${question}\n    ${missing.join('\n    ')}`);
  const right = answers.filter(({ missing }) => missing.length === 0).length;
  questionFigures.push({ title: `${tree.repository} ${tree.commit.slice(0, 9)}`, asked: answers.length, right });
}
if (parts.includes('both-ways')) {
  const all = [...JUDGED, ...IMPLEMENTERS].filter(({ language }) => !only || only.includes(language));
  for (const repository of new Set(all.flatMap(({ repositories }) => repositories))) {
    const tree = findTree(repository);
    if (!tree) continue;
    const { imports, lostImports, calls, lostCalls } = lookBothWays(await graphOf(tree));
    console.log(
      `${repository} ${tree.commit.slice(0, 9)}: of ${imports} imports ${lostImports.length} and of ${calls} calls ` +
        `${lostCalls.length} are not found from what they mean`,
    );
    for (const lost of [...lostImports.slice(0, misses), ...lostCalls.slice(0, misses)]) console.error(`    ${lost}`);
  }
}
for (const each of opened.values()) await (await each).close();

const figures: Figures = { rows, implementers, questions: questionFigures };
console.log(table(figures));
if (argv.includes('--write')) {
  const page = join(root, 'docs/graph.md');
  const order = [...JUDGED.map(({ title }) => title), ...Object.values(TITLES)];
  writeFileSync(page, document(figures, peerVersion(), existsSync(page) ? readFileSync(page, 'utf8') : '', order));
}
if (!option('--cache')) rmSync(cache, { recursive: true, force: true });

function peerVersion(): string {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'bench/peers/package.json'), 'utf8'));
  return dependencies['@colbymchenry/codegraph'];
}
