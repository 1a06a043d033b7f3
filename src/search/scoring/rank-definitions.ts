/** The second stage of ranking: the definitions of the files that rank first, scored with weights of their own. The best of them says where in a file the answer is, and which file comes first. */
import type { StoredDetail } from '../../store/store.ts';
import { preferenceOf } from '../places/shown-symbol.ts';
import type { Candidates, SearchInput } from './collect-candidates.ts';
import { collectDefinitions } from './collect-definitions.ts';
import {
  addUses,
  askedNames,
  DEFINITION_FEATURES,
  DEFINITION_WIDTH,
  type Definition,
  definitionRows,
} from './definition-features.ts';

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

/** `order`: indices of candidate files, the best first; `scores` theirs. Null where the ranker has no weights for definitions. */
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
  const collected = collectDefinitions(input, found, [...scoreOf.keys()], detailOf);
  const { peaks } = collected;
  const definitions = wantedKinds(input, collected.definitions, detailOf);
  const asked = askedNames(understood, found.scores.wordShares);
  const context = {
    view,
    asked,
    peaks,
    linesOf: (file: number, start: number, end: number) => reader.lines(view.contentOf[file]!, start, end),
    fileScore: (file: number) => scoreOf.get(file)!,
  };
  const rows = definitionRows(definitions, detailOf, context);
  const rank = () => rankRows(definitions, rows, weights);
  // Uses are looked up for those that they can bring to the front of their file.
  const span = Math.abs(ranker.definitionWeight('uses', understood.intent));
  const contenders = [...rank().values()].flatMap((list) => list.filter(({ score }) => score >= list[0]!.score - span));
  const named = contenders.flatMap(({ index, file, symbol }) => {
    const name = detailOf(file).symbol(symbol)?.name;
    return name === undefined ? [] : [[index, name] as const];
  });
  addUses({ reader, view }, rows, named);
  const ranked = rank();
  return {
    rowOf: (index) => rows.subarray(index * DEFINITION_WIDTH, (index + 1) * DEFINITION_WIDTH),
    of: (file) => ranked.get(file) ?? [],
    value: (index, feature) => rows[index * DEFINITION_WIDTH + DEFINITION_FEATURES.indexOf(feature as never)],
  };
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

function rankRows(
  definitions: readonly Definition[],
  rows: Float32Array,
  weights: Float32Array,
): Map<number, RankedDefinition[]> {
  const byFile = new Map<number, RankedDefinition[]>();
  definitions.forEach((definition, index) => {
    let score = 0;
    for (let column = 0; column < DEFINITION_WIDTH; column++)
      score += weights[column]! * rows[index * DEFINITION_WIDTH + column]!;
    const list = byFile.get(definition.file) ?? [];
    list.push({ ...definition, score, index });
    byFile.set(definition.file, list);
  });
  for (const list of byFile.values()) list.sort((a, b) => b.score - a.score || a.symbol - b.symbol);
  return byFile;
}
