/**
 * `npm run bench:refusals -- --repos DIR [--home DIR] [--misses]`: how often "nothing matches" is the answer, for each
 * repository of bench/questions that DIR holds: to subjects of its own commits that touch code, where it never should
 * be, and to questions about the other repositories, where it had better be.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { engineConfig } from '../../test/engine-config.ts';
import { builtEngine } from '../built-engine.ts';
import { loadFunctionQuestions } from '../question-set.ts';
import { codeSubjects, refusedShare } from './refusals.ts';

const SUBJECTS = 100;
const FOREIGN = 50;
const { values } = parseArgs({
  options: { repos: { type: 'string' }, home: { type: 'string' }, misses: { type: 'boolean', default: false } },
});
if (values.repos === undefined) throw new Error('--repos DIR is needed: a folder with a checkout of each repository');
const repos = values.repos;
const home = values.home ?? mkdtempSync(join(tmpdir(), 'sextant-refusals-'));
const { createEngine } = await builtEngine();
const engine = createEngine(engineConfig(home));
const questions = loadFunctionQuestions('open');
const names = [...new Set(questions.map(({ name }) => name))].filter((name) => existsSync(join(repos, name)));
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const totals = { subjects: 0, refusedSubjects: 0, foreign: 0, refusedForeign: 0, lowForeign: 0 };
try {
  for (const name of names) await printRepository(name);
  const { subjects, refusedSubjects, foreign, refusedForeign, lowForeign } = totals;
  console.log(`all: ${subjects} subjects, ${percent(refusedSubjects / subjects)} refused`);
  console.log(`all: ${foreign} foreign questions, ${percent(refusedForeign / foreign)} refused,`);
  console.log(`     ${percent(lowForeign / foreign)} answered with a first score that says it is a guess`);
} finally {
  await engine.close();
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
}

async function printRepository(name: string): Promise<void> {
  const folder = join(repos, name);
  await engine.index(folder);
  const subjects = codeSubjects(folder, 'HEAD', SUBJECTS).map((query) => ({ query, folder }));
  const others = questions.filter((question) => question.name !== name);
  // Evenly from all of the others, and the same ones at every run.
  const step = Math.max(1, Math.floor(others.length / FOREIGN));
  const foreign = others.filter((_, i) => i % step === 0).slice(0, FOREIGN);
  const own = await refusedShare(subjects, engine);
  const away = await refusedShare(
    foreign.map(({ question }) => ({ query: question, folder })),
    engine,
  );
  totals.subjects += subjects.length;
  totals.refusedSubjects += own.refused.length;
  totals.foreign += foreign.length;
  totals.refusedForeign += away.refused.length;
  totals.lowForeign += Math.round(away.low * foreign.length);
  console.log(`${name}: subjects refused ${percent(own.share)} of ${subjects.length}`);
  console.log(`  foreign refused ${percent(away.share)}, guesses ${percent(away.low)} of ${foreign.length}`);
  if (values.misses) for (const subject of own.refused) console.log(`  refused: ${subject}`);
}
