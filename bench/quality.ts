/**
 * `npm run bench:quality -- --bench DIR --layout DIR [--folds DIR] [--issues FILE] [--mirror DIR] [--home DIR]
 * [--quick] [--write]`: how well questions are answered, and whether a score can be trusted. DIR of --bench holds
 * repos.json and annotations/ of the public benchmark's open half, that of --layout its repositories; --mirror holds
 * bare snapshots (OWNER+NAME/repo) for --issues and for bench/questions/. With --folds, repositories are asked with
 * weights that never saw them. --quick leaves out ablations and speed. With --write the sections go to docs/quality.md.
 *
 * `npm run bench:quality -- --issues FILE --mirror DIR [--folds DIR] [--home DIR] [--write]` measures issues alone;
 * --write then replaces only their section.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { taskSection } from './agent-tasks/section.ts';
import { openEngines } from './quality/engines.ts';
import { type Issue, loadIssues, measureIssues } from './quality/issues.ts';
import { ask, grepAndRead, type Outcome } from './quality/open-half.ts';
import { loadFunctionQuestions, measureQuestions, type QuestionSources } from './quality/questions.ts';
import { codeSubjects, refusedShare } from './quality/refusals.ts';
import * as report from './quality/report.ts';
import { loadQuestions, type Question } from './quality/set.ts';
import { localClone } from './quality/snapshots.ts';
import { measureSpeed, type Speed } from './quality/speed.ts';

const MODES = ['hybrid', 'keyword', 'vector'] as const;
const ISSUES = 'Issues and the code that fixed them';
/** Of each repository of bench/questions/. */
const SUBJECTS = 100;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const argv = process.argv.slice(2);
const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const [bench, layout, mirror] = [option('--bench'), option('--layout'), option('--mirror')];
const isOfIssues = !bench && !layout && mirror !== undefined && option('--issues') !== undefined;
if (!isOfIssues && (!bench || !layout)) {
  console.error(
    'usage: npm run bench:quality -- --bench DIR --layout DIR [--folds DIR] [--issues FILE] [--mirror DIR] [--home DIR] [--quick] [--write]\n' +
      '       npm run bench:quality -- --issues FILE --mirror DIR [--folds DIR] [--home DIR] [--write]',
  );
  process.exit(2);
}
const isQuick = argv.includes('--quick');
const isUnseen = option('--folds') !== undefined;
const home = option('--home') ?? mkdtempSync(join(tmpdir(), 'sextant-quality-'));
const work = mkdtempSync(join(tmpdir(), 'sextant-quality-work-'));
const clones = join(home, 'clones');
mkdirSync(clones, { recursive: true });
const engines = await openEngines(home, work, option('--folds'));
const sections: string[] = [];
const say = (title: string, text: string) => {
  sections.push(`## ${title}\n\n${text}`);
  console.log(`\n## ${title}\n\n${text}`);
};

const [benchmark, checkouts] = [bench ?? '', layout ?? ''];
if (isOfIssues) {
  const { outcomes, missing: unknown } = await measureIssues(loadIssues(option('--issues')!), {
    mirror: mirror!,
    clones,
    engineFor: engines.unseen,
  });
  say(ISSUES, report.issueSection(outcomes, unknown.length));
  await engines.close();
  rmSync(work, { recursive: true, force: true });
  if (!option('--home')) rmSync(home, { recursive: true, force: true });
  if (argv.includes('--write')) {
    const document = join(root, 'docs/quality.md');
    writeFileSync(document, withSection(readFileSync(document, 'utf8'), ISSUES, sections[0]!));
  }
  process.exit(0);
}

const { questions, missing } = loadQuestions(benchmark, checkouts);
if (missing.length > 0) console.error(`not laid out, left out: ${missing.join(', ')}`);
const chunksOf = new Map<string, number>();
for (const repository of new Set(questions.map((question) => question.repository))) {
  const folder = join(checkouts, repository);
  chunksOf.set(repository, (await engines.shipped.index(folder)).chunkCount);
  await engines.shipped.watch(folder);
  await engines.shipped.search(folder, { query: 'warm up', waitFreshMs: 60_000 });
}
const shipped = await ask(() => engines.shipped, checkouts, questions);
const byMode = new Map<string, Outcome[]>();
for (const mode of MODES) byMode.set(mode, await ask(engines.unseen, checkouts, questions, { mode }));
const others: [string, Outcome[]][] = [
  ['keyword mode', byMode.get('keyword')!],
  ['vector mode', byMode.get('vector')!],
];
if (!isQuick) {
  const plain = engines.untrained();
  others.push(
    ['without the learned ranker', await ask(() => plain, checkouts, questions)],
    ['with expand_query (built in)', await ask(engines.unseen, checkouts, questions, { expandQuery: true })],
  );
}
say(
  'Files: the public benchmark',
  report.openHalfSection({ isUnseen, shipped, unseen: byMode.get('hybrid')!, others }),
);

const sources: QuestionSources | null = mirror ? { mirror, clones, engineFor: engines.unseen } : null;
const functionQuestions = sources ? loadFunctionQuestions(join(root, 'bench/questions')) : [];
const scoreRows = MODES.map((mode) =>
  report.scoreRow(
    `files, ${mode}`,
    byMode.get(mode)!.map(({ scores }) => scores),
  ),
);
for (const mode of sources && functionQuestions.length > 0 ? MODES : []) {
  const outcomes = await measureQuestions(functionQuestions, sources!, { mode });
  if (mode === 'hybrid') say('Functions: questions written from the code', report.questionSection(outcomes));
  const kept = outcomes.filter(({ question }) => question.split === 'kept');
  scoreRows.push(
    report.scoreRow(
      `functions kept apart, ${mode}`,
      kept.map(({ scores }) => scores),
    ),
  );
}
const issues = option('--issues') ? loadIssues(option('--issues')!) : [];
const judged: Issue[] = [];
if (sources && issues.length > 0) {
  const { outcomes, missing: unknown } = await measureIssues(issues, sources);
  judged.push(...outcomes.map(({ issue }) => issue));
  say(ISSUES, report.issueSection(outcomes, unknown.length));
}
say('Can the score be trusted?', report.table(report.SCORE_HEAD, scoreRows));
say('"Nothing matches"', report.refusalSection(await refusals()));
if (!isQuick) {
  const grep: number[] = [];
  for (const question of questions) grep.push(await grepAndRead(engines.shipped, checkouts, question));
  say('What an agent reads', report.readingSection(shipped, grep));
}
await engines.close();
if (!isQuick) {
  const speeds: Speed[] = [];
  for (const wanted of [10_000, 100_000])
    speeds.push(await measureSpeed(engines.another, checkouts, work, questions, chunksOf, wanted));
  say('Speed', report.speedSection(shipped, speeds));
}
rmSync(work, { recursive: true, force: true });
if (!option('--home')) rmSync(home, { recursive: true, force: true });
if (argv.includes('--write')) writeFileSync(join(root, 'docs/quality.md'), documentOf(sections));

/** Asked where they belong they must be answered; asked of another repository, they had better not be. */
async function refusals(): Promise<[string, number, number, number][]> {
  const away = Math.floor(questions.length / 2);
  const asked = (shift: number) =>
    questions.map(({ query }: Question, i) => ({
      query,
      folder: join(checkouts, questions[(i + shift) % questions.length]!.repository),
    }));
  const rows: [string, number, number, number][] = [];
  const add = async (name: string, list: Parameters<typeof refusedShare>[0]) => {
    const { share, low, refused } = await refusedShare(list, engines.shipped);
    rows.push([name, list.length, share, low]);
    if (argv.includes('--misses')) console.error(`${name}:\n  ${refused.join('\n  ')}`);
  };
  await add('the public benchmark, where the questions belong', asked(0));
  await add('the public benchmark, of another repository', asked(away));
  const places = new Map(functionQuestions.map(({ repo, revision }) => [repo, revision]));
  const subjects = [...places].flatMap(([repo, revision]) => {
    const clone = localClone(mirror!, repo, clones);
    return clone
      ? codeSubjects(clone, revision, SUBJECTS).map((query) => ({ query, folder: clone, ref: revision }))
      : [];
  });
  if (subjects.length > 0) await add('subjects of commits that touch code', subjects);
  const titles = judged.flatMap(({ repo, base, issue }) => {
    const clone = sources && localClone(sources.mirror, repo, clones);
    return clone ? [{ query: issue.split('\n')[0]!.trim(), folder: clone, ref: base }] : [];
  });
  if (titles.length > 0)
    await add(
      'titles of issues',
      titles.filter(({ query }) => query),
    );
  return rows;
}

/** The document with this section in the place of the one of that title, or before the first other one. */
function withSection(document: string, title: string, section: string): string {
  const parts = document.split(/\n(?=## )/);
  const at = parts.findIndex((part) => part.startsWith(`## ${title}\n`));
  parts.splice(at < 0 ? 1 : at, at < 0 ? 0 : 1, `${section}\n`);
  return parts.join('\n');
}

function documentOf(parts: readonly string[]): string {
  const tasks = taskSection(readFileSync(join(root, 'docs/quality.md'), 'utf8'));
  const command = '`npm run bench:quality -- --bench DIR --layout DIR --folds DIR --issues FILE --mirror DIR --write`';
  const weights = isUnseen
    ? '"Cross-validated": asked with weights that never saw the repository (training/README.md).'
    : 'All figures are those of the weights that ship.';
  return `# Answer quality\n\nMade by ${command}. ${weights}\n\n${parts.join('\n\n')}\n${tasks && `\n${tasks}\n`}`;
}
