/** docs/quality.md, section by section. */
import { areaUnderCurve, calibrationError, mean, type Scored } from './figures.ts';
import { type IssueOutcome, issueFigures } from './issues.ts';
import { grouped, ndcgOf, type Outcome } from './open-half.ts';
import { type QuestionOutcome, questionFigures } from './questions.ts';
import type { Speed } from './speed.ts';

const three = (value: number) => value.toFixed(3);
const percent = (share: number, digits = 1) => `${(100 * share).toFixed(digits)} %`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Figures for the open half that the benchmark publishes. */
const PUBLISHED: readonly (readonly [string, number])[] = [
  ['CodeRankEmbed hybrid (137M-parameter transformer + BM25), published for the same half', 0.865],
  ['semble (BM25 + static model + heuristics), published for the same half', 0.85],
];
const PUBLISHED_ALL =
  'CodeRankEmbed hybrid 0.862, semble 0.854, CodeRankEmbed 0.765, ColGREP 0.693, BM25 0.673, potion-code-16M 0.650, grepai 0.561, probe 0.387, ripgrep 0.126';

export interface OpenHalf {
  /** Whether `unseen` was asked with weights that never saw the repository. */
  readonly isUnseen: boolean;
  readonly shipped: readonly Outcome[];
  readonly unseen: readonly Outcome[];
  readonly others: readonly (readonly [string, readonly Outcome[]])[];
}

export function openHalfSection({ isUnseen, shipped, unseen, others }: OpenHalf): string {
  const by = (key: 'category' | 'language') =>
    table(
      [key, 'NDCG@10', 'questions'],
      grouped(unseen, key).map(([name, score, count]) => [name, three(score), String(count)]),
    );
  return [
    table(
      ['', 'NDCG@10'],
      [
        ...(isUnseen ? [['**Sextant, cross-validated by repository**', `**${three(ndcgOf(unseen))}**`]] : []),
        ['Sextant, as shipped (its weights know these questions)', three(ndcgOf(shipped))],
        ...others.map(([name, outcomes]) => [`Sextant, ${name}`, three(ndcgOf(outcomes))]),
        ...PUBLISHED.map(([name, score]) => [name, three(score)]),
      ],
    ),
    by('category'),
    by('language'),
    `Published for all 63 repositories: ${PUBLISHED_ALL}.`,
  ].join('\n\n');
}

/** AUC and ECE of the relevance that answers state: for first results, and for all shown results. */
export function scoreRow(name: string, lists: readonly (readonly Scored[])[]): string[] {
  const first = lists.flatMap((list) => list.slice(0, 1));
  const all = lists.flat();
  return [name, ...[first, all].flatMap((some) => [three(areaUnderCurve(some)), three(calibrationError(some))])];
}

export const SCORE_HEAD = ['questions, mode', 'AUC of the first', 'ECE of the first', 'AUC of all', 'ECE of all'];

const ISSUE_COMMAND = '`npm run bench:quality -- --issues FILE --mirror DIR --folds DIR --write`';

export function issueSection(outcomes: readonly IssueOutcome[], missing: number): string {
  const { fileAcc5, fileAcc10, functionAcc5, functionAcc10, meanReciprocalRank } = issueFigures(outcomes);
  const times = outcomes.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const titleTimes = outcomes.map(({ titleMs }) => titleMs).sort((a, b) => a - b);
  return [
    `${outcomes.length} issues of ${new Set(outcomes.map(({ issue }) => issue.repo)).size} repositories, asked with their original text${missing ? ` (${missing} more were left out, because their commits were not available)` : ''}, with weights that never saw their repository. Made by ${ISSUE_COMMAND}, with the folds of \`training/report-ranker.ts\`.`,
    table(
      ['', 'all files of the fix'],
      [
        ['in the first 5 files', three(fileAcc5)],
        ['in the first 10 files', three(fileAcc10)],
        ['all functions of the fix in the first 5 places', three(functionAcc5)],
        ['all functions of the fix in the first 10 places', three(functionAcc10)],
        ['mean reciprocal rank of the first right file', three(meanReciprocalRank)],
        ['time of an answer: median, 95th percentile', `${at(times, 0.5)} ms, ${at(times, 0.95)} ms`],
        ['time with the title alone', `${at(titleTimes, 0.5)} ms, ${at(titleTimes, 0.95)} ms`],
      ],
    ),
  ].join('\n\n');
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
}

export function questionSection(outcomes: readonly QuestionOutcome[]): string {
  const row = (name: string, some: readonly QuestionOutcome[]) => {
    const { questions, firstIsRight, functionIn3, fileIn3 } = questionFigures(some);
    return [name, String(questions), three(firstIsRight), three(functionIn3), three(fileIn3)];
  };
  const repositories = [...new Set(outcomes.map(({ question }) => question.repo))].sort();
  return table(
    ['', 'questions', 'first result is the function', 'function in the first 3', 'file in the first 3'],
    [
      row(
        '**kept apart**',
        outcomes.filter(({ question }) => question.split === 'kept'),
      ),
      row(
        'open',
        outcomes.filter(({ question }) => question.split !== 'kept'),
      ),
      ...repositories.map((repo) =>
        row(
          repo,
          outcomes.filter(({ question }) => question.repo === repo),
        ),
      ),
    ],
  );
}

export function refusalSection(rows: readonly (readonly [string, number, number, number])[]): string {
  return table(
    ['asked', 'questions', '"nothing matches"', 'first result scored below 0.3'],
    rows.map(([name, count, share, low]) => [name, String(count), percent(share), percent(low)]),
  );
}

export function speedSection(outcomes: readonly Outcome[], speeds: readonly Speed[]): string {
  const times = outcomes.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  return [
    `A query took ${times[times.length >> 1]!.toFixed(1)} ms at the median and ${times[Math.floor(times.length * 0.95)]!.toFixed(1)} ms at the 95th percentile, in one process with all of these repositories open. By size, with several repositories as one project and nothing else open, median of three rounds:`,
    table(
      ['chunks', 'files', 'p50', 'p95'],
      speeds.map(({ chunks, files, p50, p95 }) => [
        chunks.toLocaleString('en'),
        files.toLocaleString('en'),
        `${p50.toFixed(1)} ms`,
        `${p95.toFixed(1)} ms`,
      ]),
    ),
  ].join('\n\n');
}

export function readingSection(outcomes: readonly Outcome[], grep: readonly number[]): string {
  const characters = mean(outcomes.map(({ read }) => read));
  const tokens = (length: number) => Math.round(length / 4).toLocaleString('en');
  return `Before it has the first right file, an agent reads ${tokens(characters)} tokens with Sextant and ${tokens(mean(grep))} with grep-and-read (${percent(characters / mean(grep))}).`;
}
