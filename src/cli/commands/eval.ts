import { resolve } from 'node:path';
import { ndcg } from '../../model/ndcg.ts';
import { defineCommand } from '../command.ts';
import { withIndex } from '../indexing.ts';
import { readNamedFile } from '../named-file.ts';
import { FORMAT_FLAG, printAnswer } from '../output.ts';
import { PATH_FLAG, YES_FLAG } from '../project-flags.ts';
import { plural } from '../render/units.ts';

export const evaluate = defineCommand({
  name: 'eval',
  group: 'ask',
  summary: 'Score the search on your own questions with known answers',
  details:
    'The file is a YAML or JSON list; each entry has `query` and `expect` (a path or several, from the project’s root). Prints NDCG@10, how often the first result is right, and the questions that failed.',
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
  ],
  async run({ flags, operands }, session) {
    const path = flags.path ?? '.';
    const file = resolve(session.cwd, operands.file);
    const text = await readNamedFile(file);
    const { parseQuestions } = await import('../question-file.ts');
    const questions = parseQuestions(file, text);
    const engine = await session.engine(path);
    const results = await withIndex(session, path, { yes: flags.yes, ref: undefined }, async () => {
      const scored = [];
      for (const { query, expect } of questions) {
        const { hits } = await engine.search(path, { query, limit: 10, signal: session.signal });
        const files = [...new Set(hits.map((hit) => hit.path))];
        const rankOf = (wanted: string) =>
          files.findIndex((found) => found === wanted || found.endsWith(`/${wanted}`)) + 1;
        const ranks = expect.map(rankOf);
        const rank = Math.min(...ranks.filter((place) => place > 0));
        scored.push({
          query,
          score: ndcg(ranks),
          rank: Number.isFinite(rank) ? rank : null,
          first: files[0] ?? null,
          expect,
        });
      }
      return scored;
    });
    const share = (test: (result: (typeof results)[number]) => boolean) => results.filter(test).length / results.length;
    const data = {
      ndcg_at_10: results.reduce((sum, { score }) => sum + score, 0) / results.length,
      first_right: share(({ rank }) => rank === 1),
      in_first_ten: share(({ rank }) => rank !== null),
      questions: results.map(({ query, score, rank, first }) => ({ query, score, rank, first })),
    };
    await printAnswer(session, flags.format, data, () => [
      `NDCG@10 ${data.ndcg_at_10.toFixed(3)} over ${plural(results.length, 'question')}; first result right ${Math.round(data.first_right * 100)} %, among ten ${Math.round(data.in_first_ten * 100)} %`,
      ...results
        .filter(({ rank }) => rank !== 1)
        .map(
          ({ query, rank, first, expect }) =>
            `  ${rank ? `rank ${rank}` : 'missed'}: ${query}\n    wanted ${expect.join(', ')}; first was ${first ?? 'nothing'}`,
        ),
    ]);
  },
});
