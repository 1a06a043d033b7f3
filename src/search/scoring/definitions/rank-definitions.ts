/**
 * The second stage of ranking: scores the definitions of the best files by features of the file and of the definition.
 * A file's best definition is the place that is shown, and its score reorders the files.
 */

import type { StoredDetail } from '../../../store/store.ts';
import { preferenceOf } from '../../places/shown-symbol.ts';
import { toQueryNames } from '../../query/query-names.ts';
import { weightSetOf } from '../../query/understand-query.ts';
import type { Candidates, SearchInput } from '../collect-candidates.ts';
import { dot, type PlaceWeights } from '../ranker.ts';
import { collectDefinitions } from './collect-definitions.ts';
import { DEFINITION_FEATURES, DEFINITION_WIDTH } from './definition-columns.ts';
import { addRarity, addUses, type Definition, definitionRows } from './definition-features.ts';
import { addReportTexts, addTexts } from './definition-texts.ts';

/** Files whose definitions are scored: twice as many gave the same first results in twice the time. */
const MAX_FILES = 12;

export interface RankedDefinition extends Definition {
  /** The weighted sum of the file's features and its own. */
  readonly score: number;
  /** Its index in DefinitionRanking.rowOf. */
  readonly index: number;
}

export interface DefinitionRanking {
  /** A file's definitions, best first; empty for a file beyond the best or without a definition that may answer. */
  of(file: number): readonly RankedDefinition[];
  /** All features of a definition. */
  rowOf(index: number): Float32Array;
  /** One feature of a definition by its name. */
  value(index: number, feature: string): number | undefined;
  /** Scores of all collected definitions. */
  readonly scores: readonly number[];
}

/** `order`: indices of candidate files, best first. Null if the ranker has no weights for definitions. */
export function rankDefinitions(
  input: SearchInput,
  found: Candidates,
  order: readonly number[],
): DefinitionRanking | null {
  const { reader, view, ranker, understood } = input;
  const weights = ranker.definitionWeights(weightSetOf(understood));
  if (!weights || order.length === 0) return null;
  const fileParts = new Map(order.slice(0, MAX_FILES).map((i) => [found.files[i]!, filePart(found, i, weights)]));
  const details = new Map<number, StoredDetail>();
  const detailOf = (file: number): StoredDetail => {
    const known = details.get(file) ?? reader.detail(view.contentOf[file]!);
    details.set(file, known);
    return known;
  };
  const { definitions: collected, evidence } = collectDefinitions(input, found, [...fileParts.keys()], detailOf);
  const definitions = filterDefinitions(input, collected, detailOf);
  const context = {
    view,
    evidence,
    queryNames: toQueryNames(understood, found.scores.wordShares),
    linesOf: (file: number, start: number, end: number) => reader.lines(view.contentOf[file]!, start, end),
    ...(understood.report && found.report ? { report: { evidence: understood.report, match: found.report } } : {}),
  };
  const rows = definitionRows(definitions, detailOf, context);
  const scoreAt = (index: number) => fileParts.get(definitions[index]!.file)! + ownPart(rows, index, weights.ofPlace);
  const ranked: Scored[] = definitions.map((one, index) => ({ ...one, index, score: scoreAt(index), isRead: false }));
  const read = chooseRead(ranked, found.report ? MAX_READ_OF_REPORT : MAX_READ);
  const hits: (readonly number[])[] = [];
  for (const one of read) {
    const detail = detailOf(one.file);
    hits[one.index] = addTexts(rows, one.index, one, detail, context);
    const name = detail.symbol(one.symbol)?.name;
    if (name !== undefined && usesMatter(weights)) addUses(input, rows, [[one.index, name]]);
  }
  addRarity(rows, hits, context);
  addReportTexts(
    rows,
    read.map((one) => [one.index, one] as const),
    detailOf,
    context,
  );
  for (const one of read) {
    one.score = scoreAt(one.index);
    one.isRead = true;
  }
  const byFile = groupByFile(ranked);
  return {
    rowOf: (index) => rows.subarray(index * DEFINITION_WIDTH, (index + 1) * DEFINITION_WIDTH),
    of: (file) => byFile.get(file) ?? [],
    value: (index, feature) => rows[index * DEFINITION_WIDTH + DEFINITION_FEATURES.indexOf(feature as never)],
    scores: ranked.map(({ score }) => score),
  };
}

/** Definitions whose texts are read, beside the best of each file. */
const MAX_READ = 40;
/** The limit for a pasted issue, whose fix changes several definitions. */
const MAX_READ_OF_REPORT = 96;
/** With a smaller weight of the feature `uses`, looking up every name is not worth its time. */
const MIN_USES_WEIGHT = 0.2;

/** The definitions that score best by the cheap features, and the best one of each file. */
function chooseRead(ranked: readonly Scored[], limit: number): readonly Scored[] {
  const sorted = [...ranked].sort(byScore);
  const seen = new Set<number>();
  return sorted.filter(({ file }, place) => {
    const isFirst = !seen.has(file);
    seen.add(file);
    return isFirst || place < limit;
  });
}

function usesMatter({ ofPlace }: PlaceWeights): boolean {
  return Math.abs(ofPlace[DEFINITION_FEATURES.indexOf('uses')]!) >= MIN_USES_WEIGHT;
}

/** Drops definitions whose kind or role a filter excludes. */
function filterDefinitions(
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

interface Scored extends Definition {
  score: number;
  isRead: boolean;
  readonly index: number;
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.file - b.file || a.symbol - b.symbol;
}

function filePart({ rows }: Candidates, i: number, { ofFile }: PlaceWeights): number {
  return dot(ofFile, rows.subarray(i * ofFile.length, (i + 1) * ofFile.length));
}

function ownPart(rows: Float32Array, index: number, weights: Float32Array): number {
  return dot(weights, rows.subarray(index * DEFINITION_WIDTH, (index + 1) * DEFINITION_WIDTH));
}

/** Orders each file's definitions: read ones before unread ones, then by score. */
function groupByFile(ranked: readonly Scored[]): Map<number, Scored[]> {
  const byFile = new Map<number, Scored[]>();
  for (const one of ranked) {
    const list = byFile.get(one.file) ?? [];
    list.push(one);
    byFile.set(one.file, list);
  }
  for (const list of byFile.values()) list.sort((a, b) => Number(b.isRead) - Number(a.isRead) || byScore(a, b));
  return byFile;
}
