/** Converts the history to points of a chart. */
import type { RepositoryActivity } from '../../../model/records/browse.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Possible days per step; the chart uses the smallest that leaves its steps distinguishable. */
const STEPS = [1, 7, 28, 91];
const MAX_STEPS = 160;

export interface GrowthPoint {
  readonly startMs: number;
  readonly lines: number;
  readonly commits: number;
}

/** Every step from the first day to the last, including steps without a commit. */
export function growthOf({ days }: Pick<RepositoryActivity, 'days'>): GrowthPoint[] {
  if (days.length === 0) return [];
  const [first, last] = [days[0]!.startMs, days.at(-1)!.startMs];
  const length = (last - first) / DAY_MS + 1;
  const stepMs = (STEPS.find((step) => length / step <= MAX_STEPS) ?? STEPS.at(-1)!) * DAY_MS;
  const points: GrowthPoint[] = [];
  let lines = 0;
  let next = 0;
  for (let startMs = first; startMs <= last; startMs += stepMs) {
    let commits = 0;
    for (; next < days.length && days[next]!.startMs < startMs + stepMs; next++) {
      lines = Math.max(0, lines + days[next]!.added - days[next]!.removed);
      commits += days[next]!.commits;
    }
    points.push({ startMs, lines, commits });
  }
  return points;
}
