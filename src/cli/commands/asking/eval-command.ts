import { isAbsolute, posix, relative, resolve } from 'node:path';
import type { Engine } from '../../../engine/engine.ts';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { ndcg } from '../../../model/text/ndcg.ts';
import { defineCommand } from '../../parsing/command.ts';
import { readNamedFile } from '../../parsing/named-file.ts';
import { PATH_FLAG, YES_FLAG } from '../../parsing/project-flags.ts';
import { quoted, UsageError } from '../../parsing/usage-error.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';
import { withIndex } from '../../running/index-first.ts';

export const evaluate = defineCommand({
  name: 'eval',
  group: 'ask',
  summary: 'Score the search on your own questions with known answers',
  details:
    'The file is a YAML or JSON list. Each entry has `query` and `expect` (one or more paths, from the project’s ' +
    'root). Prints NDCG@10, the share of right first results, and the questions that failed. Recent reads do not ' +
    'count, so the same index gives the same figures.',
  operands: { file: { value: 'FILE', required: true, completes: 'file', help: 'Questions and expected paths' } },
  flags: { path: PATH_FLAG, format: FORMAT_FLAG, yes: YES_FLAG },
  examples: [{ line: 'sextant eval questions.yml', meaning: 'ten questions, say, with the files that answer them' }],
  json: [
    { field: 'ndcg_at_10', meaning: 'mean over the questions, 0 to 1' },
    { field: 'first_right', meaning: 'share of questions whose first result is right' },
    { field: 'in_first_ten', meaning: 'share of questions with a right result among ten' },
    { field: 'questions[].query', meaning: 'the question' },
    { field: 'questions[].score', meaning: 'its NDCG@10' },
    { field: 'questions[].rank', meaning: 'rank of the first right result; null when there is none' },
    { field: 'questions[].first', meaning: 'path of the first result; null when nothing matches' },
    { field: 'questions[].not_indexed[]', meaning: 'expected paths that are not indexed' },
    { field: 'notices[]', meaning: 'reasons why answers were incomplete' },
  ],
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const file = resolve(session.cwd, operands.file);
    const text = await readNamedFile(file);
    const { parseQuestions } = await import('../../parsing/question-file.ts');
    const questions = parseQuestions(file, text);
    const engine = await session.engine(path);
    const notices = new Set<string>();
    const results = await withIndex(session, path, { yes: flags.yes, ref: undefined }, async () => {
      const root = await engine.root(path);
      const scored = [];
      for (const [i, { query, expect }] of questions.entries()) {
        const { hits, notices: said } = await engine
          .search(path, { query, limit: 10, stateless: true, signal: session.signal })
          .catch((error: unknown) => {
            if (!(error instanceof EngineError) || error.code !== 'invalid_input') throw error;
            throw new UsageError(`Question ${i + 1}, ${quoted(query)}: ${error.message}`, 'Correct the question.');
          });
        for (const notice of said) notices.add(notice);
        const files = [...new Set(hits.map((hit) => hit.path))];
        const wanted = [...new Set(expect.map((file) => insideOf(root, file)))];
        const ranks = wanted.map((file) => files.findIndex((found) => isMeant(found, file)) + 1);
        // Two spellings of one path count as one file.
        const distinct = ranks.filter((place, n) => place === 0 || ranks.indexOf(place) === n);
        const rank = Math.min(...ranks.filter((place) => place > 0));
        scored.push({
          query,
          score: ndcg(distinct),
          rank: Number.isFinite(rank) ? rank : null,
          first: files[0] ?? null,
          expect,
          notIndexed: await notIndexed(
            engine,
            path,
            wanted.filter((_, n) => ranks[n] === 0),
          ),
        });
      }
      return scored;
    });
    const share = (test: (result: (typeof results)[number]) => boolean) => results.filter(test).length / results.length;
    const data = {
      ndcg_at_10: results.reduce((sum, { score }) => sum + score, 0) / results.length,
      first_right: share(({ rank }) => rank === 1),
      in_first_ten: share(({ rank }) => rank !== null),
      questions: results.map(({ query, score, rank, first, notIndexed: missing }) => ({
        query,
        score,
        rank,
        first,
        not_indexed: missing,
      })),
      notices: [...notices],
    };
    await printAnswer(session, flags.format, data, ({ style }) => [
      `NDCG@10 ${data.ndcg_at_10.toFixed(3)} over ${plural(results.length, 'question')}; first result right ` +
        `${Math.round(data.first_right * 100)} %, among ten ${Math.round(data.in_first_ten * 100)} %`,
      ...results
        .filter(({ rank, notIndexed: missing }) => rank !== 1 || missing.length > 0)
        .flatMap(({ query, rank, first, expect, notIndexed: missing }) => [
          printableLine(`  ${rank ? `rank ${rank}` : 'missed'}: ${query}`),
          printableLine(`    wanted ${expect.join(', ')}; first was ${first ?? 'nothing'}`),
          ...(missing.length > 0 ? [printableLine(`    not in the index: ${missing.join(', ')}`)] : []),
        ]),
      ...data.notices.map((notice) => style.yellow(printableLine(notice))),
    ]);
  },
});

/** Converts paths to the form of results: relative to the project's root. */
function insideOf(root: string, file: string): string {
  return posix.normalize(isAbsolute(file) ? relative(root, file) : file);
}

const isMeant = (found: string, wanted: string) => found === wanted || found.endsWith(`/${wanted}`);

/** Rejects unindexed paths: a misspelt one would count as a failure of the search. */
async function notIndexed(engine: Engine, path: string, files: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const file of files) {
    const alike = await engine.findPaths(path, file, Number.MAX_SAFE_INTEGER);
    if (!alike.some((found) => isMeant(found, file))) missing.push(file);
  }
  return missing;
}
