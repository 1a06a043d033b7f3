/**
 * `npm run bench:impact -- --repos DIR [--commits N] [--half tuned|kept] [--only NAME]`: measures by history how well
 * the tests to run are chosen. DIR contains git repositories with their history, as NAME or OWNER+NAME/repo. For each
 * real commit that changed source and tests together, the engine sees the source alone. Counted are the share of the
 * changed tests that it names, and the share of the suite that it names.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../../src/engine/index.ts';
import { engineConfig } from '../../test/engine-config.ts';
import { judgedCommits } from './judged-commits.ts';
import { type JudgedRepository, REPOSITORIES } from './repositories.ts';

const COMMITS = 30;
const LOOK = 3_000;

interface Judged {
  readonly repository: JudgedRepository;
  readonly recall: number;
  readonly share: number;
  readonly named: number;
  readonly needless: number;
  readonly suite: number;
}

const option = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const repos = option('repos');
if (!repos) {
  console.error(
    'usage: npm run bench:impact -- --repos DIR [--commits N] [--half tuned|kept] [--only NAME] [--trace FILE]',
  );
  process.exit(2);
}
const trace = option('trace');

async function judge(repository: JudgedRepository): Promise<Judged[]> {
  const short = repository.name.split('/')[1]!;
  const places = [join(repos!, short), join(repos!, repository.name.replace('/', '+'), 'repo')];
  const source = places.find((place) => existsSync(place));
  if (!source) {
    console.log(`${repository.name}: not in ${repos}`);
    return [];
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-impact-')));
  const clone = join(folder, short);
  const engine = createEngine(engineConfig(join(folder, 'home')));
  try {
    execFileSync('git', ['clone', '-q', '--no-checkout', '--no-local', source, clone], { stdio: 'ignore' });
    const judged: Judged[] = [];
    for (const { id, sourceOnly, tests } of judgedCommits(clone, Number(option('commits') ?? COMMITS), LOOK)) {
      await engine.index(clone, { ref: sourceOnly });
      const answer = await engine.impact(clone, { ref: sourceOnly, diff: `${sourceOnly}^!` });
      const named = new Set(answer.tests.map(({ path }) => path));
      const hit = tests.filter((path) => named.has(path)).length;
      const suite = answer.suiteFiles;
      judged.push({
        repository,
        recall: hit / tests.length,
        share: named.size / Math.max(1, suite),
        named: named.size,
        needless: named.size - hit,
        suite,
      });
      if (trace)
        appendFileSync(trace, `${JSON.stringify({ name: repository.name, id, tests, suite, chosen: answer.tests })}\n`);
      await engine.dropRef(clone, sourceOnly);
    }
    return judged;
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function row(name: string, judged: readonly Judged[]): string {
  const of = (pick: (each: Judged) => number) => mean(judged.map(pick));
  const cells = [
    name,
    String(judged.length),
    of(({ suite }) => suite).toFixed(0),
    of(({ recall }) => recall).toFixed(2),
    `${(100 * of(({ share }) => share)).toFixed(1)} %`,
    of(({ named }) => named).toFixed(1),
    of(({ needless }) => needless).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

const all: Judged[] = [];
const [half, only] = [option('half'), option('only')];
for (const repository of REPOSITORIES) {
  if ((half && repository.half !== half) || (only && !repository.name.endsWith(only))) continue;
  const judged = await judge(repository);
  all.push(...judged);
  if (judged.length > 0) console.error(row(repository.name, judged));
}
for (const part of ['kept', 'tuned'] as const) {
  const ofHalf = all.filter(({ repository }) => repository.half === part);
  if (ofHalf.length === 0) continue;
  console.log(`\n${part === 'kept' ? 'Kept apart' : 'Tuned on'}\n`);
  console.log('| | commits | test files | changed tests that were named | of the suite | named | needlessly |');
  console.log('|---|---|---|---|---|---|---|');
  for (const language of [...new Set(ofHalf.map(({ repository }) => repository.language))])
    console.log(
      row(
        language,
        ofHalf.filter(({ repository }) => repository.language === language),
      ),
    );
  for (const repository of [...new Set(ofHalf.map((each) => each.repository))])
    console.log(
      row(
        repository.name,
        ofHalf.filter((each) => each.repository === repository),
      ),
    );
  console.log(row('all', ofHalf));
}
