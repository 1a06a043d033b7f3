/**
 * Questions about functions (bench/questions/*.json), written from the code: is the first result the function that
 * answers? Half of them is kept apart (`split: "kept"`): nothing is learned or tuned on it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../src/engine/index.ts';
import type { Hit, SearchRequest } from '../../src/model/records/query.ts';
import { mean, type Scored } from './figures.ts';
import { hasCommit, localClone } from './snapshots.ts';

export interface FunctionQuestion {
  readonly repo: string;
  readonly revision: string;
  readonly question: string;
  /** Any of them is right. */
  readonly expected: readonly { readonly path: string; readonly symbol?: string }[];
  readonly split: 'open' | 'kept';
}

export interface QuestionOutcome {
  readonly question: FunctionQuestion;
  readonly first: Hit | undefined;
  readonly isRight: boolean;
  /** A right file, or function, is among the first three places. */
  readonly fileIn3: boolean;
  readonly functionIn3: boolean;
  /** The score of every place that was shown, and whether it is the function. */
  readonly scores: readonly Scored[];
}

export function loadFunctionQuestions(folder: string): FunctionQuestion[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const read = JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown;
      const list = Array.isArray(read) ? read : (read as { questions: unknown[] }).questions;
      const shared = Array.isArray(read) ? {} : (read as object);
      return list.map((one) => ({ ...shared, ...(one as object) }) as FunctionQuestion);
    });
}

export interface QuestionSources {
  readonly mirror: string;
  readonly clones: string;
  readonly engineFor: (repository: string) => Engine;
}

/** The clone of a question's repository with its revision indexed; null where the mirror lacks either. */
export async function indexedClone(
  { mirror, clones, engineFor }: QuestionSources,
  repository: string,
  revision: string,
): Promise<string | null> {
  const clone = localClone(mirror, repository, clones);
  if (!clone || !hasCommit(clone, revision)) return null;
  const engine = engineFor(repository);
  if ((await engine.status(clone, revision)).indexing !== 'ready') await engine.index(clone, { ref: revision });
  return clone;
}

export async function measureQuestions(
  questions: readonly FunctionQuestion[],
  sources: QuestionSources,
  request: Partial<SearchRequest> = {},
): Promise<QuestionOutcome[]> {
  const outcomes: QuestionOutcome[] = [];
  const clones = new Map<string, string | null>();
  for (const question of questions) {
    const { repo, revision } = question;
    const key = `${repo}@${revision}`;
    if (!clones.has(key)) clones.set(key, await indexedClone(sources, repo, revision));
    const clone = clones.get(key);
    if (!clone) continue;
    const { hits } = await sources
      .engineFor(repo)
      .search(clone, { query: question.question, ref: revision, limit: 10, ...request });
    outcomes.push({
      question,
      first: hits[0],
      isRight: hits[0] !== undefined && isExpected(hits[0], question),
      fileIn3: hits.slice(0, 3).some(({ path }) => question.expected.some((wanted) => wanted.path === path)),
      functionIn3: hits.slice(0, 3).some((hit) => isExpected(hit, question)),
      scores: hits.map((hit) => ({ score: hit.score, isRight: isExpected(hit, question) })),
    });
  }
  return outcomes;
}

/** The place shows the file, and is named after the symbol (any of its last parts: `Class.method`, `method`). */
export function isExpected({ path, symbol }: Hit, { expected }: FunctionQuestion): boolean {
  return expected.some((wanted) => {
    if (wanted.path !== path) return false;
    if (!wanted.symbol) return true;
    const own = partsOf(symbol?.qualifiedName ?? '');
    const parts = partsOf(wanted.symbol);
    return parts.length > 0 && parts.join('.') === own.slice(-parts.length).join('.');
  });
}

function partsOf(name: string): string[] {
  return name.split(/::|->|[.#/\\$]/).filter(Boolean);
}

export interface QuestionFigures {
  readonly questions: number;
  readonly firstIsRight: number;
  readonly functionIn3: number;
  readonly fileIn3: number;
}

export function questionFigures(outcomes: readonly QuestionOutcome[]): QuestionFigures {
  const share = (is: (outcome: QuestionOutcome) => boolean) => mean(outcomes.map((outcome) => (is(outcome) ? 1 : 0)));
  return {
    questions: outcomes.length,
    firstIsRight: share(({ isRight }) => isRight),
    functionIn3: share(({ functionIn3 }) => functionIn3),
    fileIn3: share(({ fileIn3 }) => fileIn3),
  };
}
