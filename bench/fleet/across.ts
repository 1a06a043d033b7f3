/** Questions that do not say which repository they mean: time, and whether repository and file are right. */
import { crossOf } from '../../test/fleet/cross-under-test.ts';
import { mean } from '../quality/figures.ts';
import { ndcg, type Question } from '../quality/set.ts';
import type { BenchedFleet } from './fleet.ts';

export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

const WARM_UP = 20;
const LIMIT = 10;

/** `questions`: those behind `asked`, one by one; empty where nothing is judged. */
export async function askAcross(fleet: BenchedFleet, asked: readonly string[], questions: readonly Question[]) {
  const cross = await crossOf(fleet);
  for (const query of asked.slice(0, WARM_UP)) await cross.search({ query: `${query} warm up`, limit: LIMIT });
  const times: number[] = [];
  const scores: { together: number; first: number }[] = [];
  for (const [i, query] of asked.entries()) {
    const started = performance.now();
    const { hits } = await cross.search({ query, limit: LIMIT });
    times.push(performance.now() - started);
    const question = questions[i];
    if (!question) continue;
    const { repository, targets } = question;
    const own = hits.map((hit) => ({
      ...hit,
      path: hit.path.startsWith(`${repository}/`) ? hit.path.slice(repository.length + 1) : `\0${hit.path}`,
    }));
    scores.push({ together: ndcg(own, targets), first: Number(own[0]?.path.startsWith('\0') === false) });
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  const quality =
    scores.length === 0
      ? null
      : { together: mean(scores.map(({ together }) => together)), first: mean(scores.map(({ first }) => first)) };
  return { latency: { p50: at(0.5), p95: at(0.95) }, quality };
}
