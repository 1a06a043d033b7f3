/**
 * The second stage of ranking: the definitions of the files that rank first, scored with weights of their own. The best
 * of them says where in a file the answer is, and which file comes first.
 */

import type { QueryIntent } from '../../model/records/query.ts';
import type { StoredDetail } from '../../store/store.ts';
import { preferenceOf } from '../places/shown-symbol.ts';
import { askedNames } from '../query/asked-names.ts';
import type { Candidates, SearchInput } from './collect-candidates.ts';
import { collectDefinitions } from './collect-definitions.ts';
import {
  addTexts,
  addUses,
  DEFINITION_FEATURES,
  DEFINITION_WIDTH,
  type Definition,
  definitionRows,
} from './definition-features.ts';
import type { Ranker } from './ranker.ts';

/** Files whose definitions are looked at: with twice as many the same are first, in twice the time. */
const FILES = 12;

export interface RankedDefinition extends Definition {
  readonly score: number;
  /** Its row (rowOf). */
  readonly index: number;
}

export interface DefinitionRanking {
  /** Of a file, the best first; empty where the file was not looked at, or has none that may answer. */
  of(file: number): readonly RankedDefinition[];
  /** The features of a definition; one of them by its name. */
  rowOf(index: number): Float32Array;
  value(index: number, feature: string): number | undefined;
}

/**
 * `order`: indices of candidate files, the best first; `scores` theirs. Null where the ranker has no weights for
 * definitions.
 */
export function rankDefinitions(
  input: SearchInput,
  found: Candidates,
  order: readonly number[],
  scores: ArrayLike<number>,
): DefinitionRanking | null {
  const { reader, view, ranker, understood } = input;
  const weights = ranker.definitionWeights(understood.intent);
  if (!weights || order.length === 0) return null;
  const best = scores[order[0]!]!;
  const looked = order.slice(0, FILES);
  const scoreOf = new Map(looked.map((i) => [found.files[i]!, scores[i]! - best]));
  const details = new Map<number, StoredDetail>();
  const detailOf = (file: number): StoredDetail => {
    const known = details.get(file) ?? reader.detail(view.contentOf[file]!);
    details.set(file, known);
    return known;
  };
  const { definitions: collected, evidence } = collectDefinitions(input, found, [...scoreOf.keys()], detailOf);
  const definitions = wantedKinds(input, collected, detailOf);
  const context = {
    view,
    evidence,
    asked: askedNames(understood, found.scores.wordShares),
    linesOf: (file: number, start: number, end: number) => reader.lines(view.contentOf[file]!, start, end),
    fileScore: (file: number) => scoreOf.get(file)!,
  };
  const rows = definitionRows(definitions, detailOf, context);
  const ranked = rankRows(definitions, rows, weights);
  for (const [file, list] of ranked) {
    const detail = detailOf(file);
    for (const one of list.slice(0, READ)) {
      addTexts(rows, one.index, one, detail, context);
      const name = detail.symbol(one.symbol)?.name;
      if (name !== undefined && usesMatter(ranker, understood.intent)) addUses(input, rows, [[one.index, name]]);
      one.score = scoreOfRow(rows, one.index, weights);
    }
    // Those that were not read stay behind those that were.
    ranked.set(file, [...list.slice(0, READ).sort(byScore), ...list.slice(READ)]);
  }
  return {
    rowOf: (index) => rows.subarray(index * DEFINITION_WIDTH, (index + 1) * DEFINITION_WIDTH),
    of: (file) => ranked.get(file) ?? [],
    value: (index, feature) => rows[index * DEFINITION_WIDTH + DEFINITION_FEATURES.indexOf(feature as never)],
  };
}

/** Definitions of a file whose texts are read: those that are likely by what is cheap to know. */
const READ = 4;
/** A lookup for each name is worth its time from this weight on. */
const LEAST_WEIGHT = 0.2;

function usesMatter(ranker: Ranker, intent: QueryIntent): boolean {
  return Math.abs(ranker.definitionWeight('uses', intent)) >= LEAST_WEIGHT;
}

/** Without those whose kind or role a filter excludes. */
function wantedKinds(
  { understood, request }: SearchInput,
  definitions: readonly Definition[],
  detailOf: (file: number) => StoredDetail,
): readonly Definition[] {
  const filters = { ...understood.filters, ...request.filters };
  if (!filters.kinds?.length && !filters.exactKinds?.length && !filters.dddRoles?.length) return definitions;
  const prefer = preferenceOf(understood, filters);
  return definitions.filter(({ file, symbol }) => {
    const record = detailOf(file).symbol(symbol);
    const role = detailOf(file).ddd.find((mark) => mark.symbol === symbol)?.role;
    return record !== undefined && prefer(record, role) >= 0;
  });
}

type Scored = { -readonly [K in keyof RankedDefinition]: RankedDefinition[K] };

function byScore(a: RankedDefinition, b: RankedDefinition): number {
  return b.score - a.score || a.symbol - b.symbol;
}

function scoreOfRow(rows: Float32Array, index: number, weights: Float32Array): number {
  const at = index * DEFINITION_WIDTH;
  let score = 0;
  for (let column = 0; column < DEFINITION_WIDTH; column++) score += weights[column]! * rows[at + column]!;
  return score;
}

/** By file, the best first. */
function rankRows(
  definitions: readonly Definition[],
  rows: Float32Array,
  weights: Float32Array,
): Map<number, Scored[]> {
  const byFile = new Map<number, Scored[]>();
  for (let index = 0; index < definitions.length; index++) {
    const { file, symbol, chunk, at } = definitions[index]!;
    const list = byFile.get(file) ?? [];
    list.push({ file, symbol, chunk, at, index, score: scoreOfRow(rows, index, weights) });
    byFile.set(file, list);
  }
  for (const list of byFile.values()) list.sort(byScore);
  return byFile;
}
