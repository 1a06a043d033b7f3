/**
 * The open half of the public benchmark: NDCG@10 by file, what an agent reads until the first right file, and how long
 * an answer takes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../src/engine/index.ts';
import type { SearchRequest } from '../../src/model/records/query.ts';
import { mean, type Scored } from './figures.ts';
import { covers, ndcg, type Question } from './set.ts';

export interface Outcome {
  readonly question: Question;
  readonly score: number;
  readonly durationMs: number;
  /** Characters an agent reads until the first right file. */
  readonly read: number;
  /** Of every result, and whether its file is right. */
  readonly scores: readonly Scored[];
}

export async function ask(
  engineFor: (repository: string) => Engine,
  layout: string,
  questions: readonly Question[],
  more: Partial<SearchRequest> = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    const request = { query: question.query, limit: 10, ...more };
    const { hits, durationMs } = await engineFor(question.repository).search(
      join(layout, question.repository),
      request,
    );
    const isRight = (hit: (typeof hits)[number]) => question.targets.some((target) => covers(hit, target));
    let read = 0;
    for (const hit of hits) {
      read += hit.content.length + hit.path.length + 40;
      if (isRight(hit)) break;
    }
    const scores = hits.map((hit) => ({ score: hit.score, isRight: isRight(hit) }));
    outcomes.push({ question, score: ndcg(hits, question.targets), durationMs, read, scores });
  }
  return outcomes;
}

export const ndcgOf = (outcomes: readonly Outcome[]): number => mean(outcomes.map(({ score }) => score));

/**
 * What an agent without an index does: grep for each longer word, open the files that match most of them, whole, until
 * the right one is read.
 */
export async function grepAndRead(engine: Engine, layout: string, question: Question): Promise<number> {
  const folder = join(layout, question.repository);
  const words = [...new Set(question.query.match(/[A-Za-z_]{4,}/g) ?? [])].slice(0, 6);
  const counts = new Map<string, number>();
  let read = 0;
  for (const word of words) {
    const { matches } = await engine.grep(folder, { pattern: word, literal: true, limit: 100, contextLines: 0 });
    for (const { path, text } of matches) {
      read += path.length + text.length + 8;
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  for (const [path] of [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    const file = join(folder, path);
    if (existsSync(file)) read += readFileSync(file).length;
    if (question.targets.some((target) => covers({ path, startLine: 1, endLine: 1e9 }, target))) break;
  }
  return read;
}

export function grouped(outcomes: readonly Outcome[], key: 'category' | 'language'): [string, number, number][] {
  const groups = new Map<string, number[]>();
  for (const { question, score } of outcomes) groups.set(question[key], [...(groups.get(question[key]) ?? []), score]);
  return [...groups].sort().map(([name, scores]) => [name, mean(scores), scores.length]);
}
