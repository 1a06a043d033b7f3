/** Questions that do not say which repository they mean: time, and whether repository and file are right. */
import { crossOf } from '../../test/fleet/cross-under-test.ts';
import { mean } from '../quality/figures.ts';
import { ndcg, type Question } from '../quality/set.ts';
import type { BenchedFleet } from './fleet.ts';

export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** Of one question, whatever else the machine does. */
export interface CpuMs {
  readonly cluster: number;
  readonly asker: number;
}

const WARM_UP = 20;
const LIMIT = 10;

/** `questions`: those behind `asked`, one by one; empty where nothing is judged. */
export async function askAcross(
  fleet: BenchedFleet,
  asked: readonly string[],
  questions: readonly Question[],
  isAsked?: (repository: string) => boolean,
) {
  const cross = await crossOf(fleet, isAsked);
  for (const query of asked.slice(0, WARM_UP)) await cross.search({ query: `${query} warm up`, limit: LIMIT });
  const before = await cpuOf(fleet);
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
  const after = await cpuOf(fleet);
  const each = (of: keyof CpuMs) => (after[of] - before[of]) / asked.length;
  const cpu: CpuMs = { cluster: each('cluster'), asker: each('asker') };
  const quality =
    scores.length === 0
      ? null
      : { together: mean(scores.map(({ together }) => together)), first: mean(scores.map(({ first }) => first)) };
  return { latency: latencyOf(times), cpu, quality };
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { p50: at(0.5), p95: at(0.95) };
}

/** All nodes of OpenSearch together, and this process, since they began. */
export async function cpuOf({ connection }: Pick<BenchedFleet, 'connection'>): Promise<CpuMs> {
  interface Stats {
    readonly nodes: Readonly<Record<string, { process: { cpu: { total_in_millis: number } } }>>;
  }
  const { body } = await connection.ask<Stats>({ method: 'GET', path: '/_nodes/stats/process' });
  const { user, system } = process.cpuUsage();
  const nodes = Object.values(body.nodes).map(({ process: { cpu } }) => cpu.total_in_millis);
  return { cluster: nodes.reduce((sum, ms) => sum + ms, 0), asker: (user + system) / 1000 };
}
