/**
 * Real issues and the code that fixed them: each is asked as it was reported, of the commit before the fix. File Acc@k:
 * all files of the fix are among the first k files of the answer. Function Acc@k: every function of the fix overlaps
 * one of the first k places.
 */
import { readFileSync } from 'node:fs';
import type { Engine } from '../../src/engine/index.ts';
import type { SearchRequest } from '../../src/model/records/query.ts';
import { Definitions } from './definitions.ts';
import { mean, type Scored } from './figures.ts';
import type { Place } from './set.ts';
import { hasCommit, localClone } from './snapshots.ts';

export interface Issue {
  readonly id: string;
  readonly repo: string;
  readonly base: string;
  readonly issue: string;
  readonly files: readonly string[];
  readonly functions: readonly string[];
}

export interface IssueOutcome {
  readonly issue: Issue;
  /** Ranks from 1; 0 where it is not in the answer. */
  readonly fileRanks: readonly number[];
  /** The first place that overlaps each function of the fix. */
  readonly functionRanks: readonly number[];
  readonly firstScore: Scored | null;
  /** Of the issue, and of its title alone, both after the tree was asked once. */
  readonly durationMs: number;
  readonly titleMs: number;
}

/** The longest question that is read. */
const MAX_QUERY = 10_000;
const LIMIT = 10;

export function loadIssues(file: string): Issue[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Issue);
}

export interface IssueSources {
  readonly mirror: string;
  /** Where clones are made. */
  readonly clones: string;
  readonly engineFor: (repository: string) => Engine;
}

/** Issues whose repository or commit the mirror does not have are left out, and named in `missing`. */
export async function measureIssues(
  issues: readonly Issue[],
  { mirror, clones, engineFor }: IssueSources,
  request: Partial<SearchRequest> = {},
): Promise<{ outcomes: IssueOutcome[]; missing: string[] }> {
  const outcomes: IssueOutcome[] = [];
  const missing: string[] = [];
  for (const repository of [...new Set(issues.map(({ repo }) => repo))].sort()) {
    const own = issues.filter(({ repo }) => repo === repository);
    const clone = localClone(mirror, repository, clones);
    const engine = engineFor(repository);
    for (const issue of own) {
      if (!clone || !hasCommit(clone, issue.base)) missing.push(issue.id);
      else outcomes.push(await measureIssue(engine, clone, issue, request));
    }
  }
  return { outcomes, missing };
}

async function measureIssue(
  engine: Engine,
  clone: string,
  issue: Issue,
  request: Partial<SearchRequest>,
): Promise<IssueOutcome> {
  const ref = issue.base;
  const status = await engine.status(clone, ref);
  const { project } = status.indexing === 'ready' ? status : await engine.index(clone, { ref });
  const query = issue.issue.slice(0, MAX_QUERY);
  const ask = (text: string) => engine.search(clone, { query: text, ref, limit: LIMIT, ...request });
  const title = query.split('\n').find((line) => line.trim() !== '') ?? query;
  // The first question opens the tree.
  await ask('how does it work');
  const { durationMs: titleMs } = await ask(title);
  const { hits, durationMs } = await ask(query);
  const paths = [...new Set(hits.map(({ path }) => path))];
  const definitions = new Definitions(project);
  const functions = issue.functions.map((named) => {
    const colon = named.lastIndexOf(':');
    return definitions.find(ref, named.slice(0, colon), named.slice(colon + 1));
  });
  definitions.close();
  const rankOf = (places: readonly Place[]) => hits.findIndex((hit) => places.some((place) => overlap(hit, place))) + 1;
  const first = hits[0];
  return {
    issue,
    fileRanks: issue.files.map((path) => paths.indexOf(path) + 1),
    functionRanks: functions.map(rankOf),
    firstScore: first ? { score: first.score, isRight: issue.files.includes(first.path) } : null,
    durationMs,
    titleMs,
  };
}

export function overlap(a: Place, b: Place): boolean {
  return a.path === b.path && a.startLine <= b.endLine && b.startLine <= a.endLine;
}

export interface IssueFigures {
  readonly issues: number;
  readonly fileAcc5: number;
  readonly fileAcc10: number;
  readonly functionAcc5: number;
  readonly functionAcc10: number;
  readonly meanReciprocalRank: number;
}

export function issueFigures(outcomes: readonly IssueOutcome[]): IssueFigures {
  const within = (ranks: readonly number[], most: number) => (ranks.every((rank) => rank > 0 && rank <= most) ? 1 : 0);
  const withFunctions = outcomes.filter(({ functionRanks }) => functionRanks.length > 0);
  return {
    issues: outcomes.length,
    fileAcc5: mean(outcomes.map(({ fileRanks }) => within(fileRanks, 5))),
    fileAcc10: mean(outcomes.map(({ fileRanks }) => within(fileRanks, 10))),
    functionAcc5: mean(withFunctions.map(({ functionRanks }) => within(functionRanks, 5))),
    functionAcc10: mean(withFunctions.map(({ functionRanks }) => within(functionRanks, 10))),
    meanReciprocalRank: mean(outcomes.map(({ fileRanks }) => reciprocal(fileRanks))),
  };
}

function reciprocal(ranks: readonly number[]): number {
  const found = ranks.filter((rank) => rank > 0);
  return found.length === 0 ? 0 : 1 / Math.min(...found);
}
