/**
 * Chooses what to show of the ranked files: the best place of each, then second places, then further matches if files
 * are few.
 */
import { CANDIDATES, type Candidates, DEFAULT_LIMIT, type SearchInput } from '../scoring/collect-candidates.ts';
import type { FileRanking } from '../scoring/rank-files.ts';
import {
  findFurtherPlaces,
  findPlaces,
  findSymbolPlaces,
  placeOfChunk,
  placeOfFile,
  placeOfPhrase,
  placesOfDefinitions,
  placesOfReport,
  type WeighedPlace,
} from './choose-places.ts';
import { countResults } from './count-results.ts';
import type { ChunkPlace } from './present-hits.ts';

export interface ShownPlace {
  readonly place: ChunkPlace;
  readonly score: number;
  /** The index of the chunk's file among the candidates. */
  readonly candidate: number;
  /** Shown as a whole file instead of a place in it. */
  readonly isWhole: boolean;
}

export interface ChosenPlaces {
  readonly shown: readonly ShownPlace[];
  /** Results that pass the filters, shown or not. */
  readonly total: number;
}

/**
 * With no more files than this, all of their places are shown: the filters leave only these, or there are no others.
 */
const FEW_FILES = 10;

interface PlainFile {
  readonly candidate: number;
  readonly relevance: number;
  readonly places: readonly ChunkPlace[];
}

export function chooseShown(input: SearchInput, found: Candidates, ranking: FileRanking): ChosenPlaces {
  const limit = input.request.limit ?? DEFAULT_LIMIT;
  const least = input.request.filters?.minRelevance ?? 0;
  // Files beyond the candidates are not counted.
  const mayBeFew = found.scores.touched.size <= CANDIDATES;
  // With so few files all places are listed at every limit, so the total is exact. QuoteMatches text is counted separately.
  const isListed = least > 0 || (mayBeFew && input.understood.phrases.length === 0);
  const enough = isListed ? Number.POSITIVE_INFINITY : mayBeFew ? Math.max(limit, FEW_FILES + 1) : limit;
  const { first, further, plain } = placesByFile(input, found, ranking, enough);
  const isFew = mayBeFew && first.length <= FEW_FILES;
  const rest = isFew ? placesOfFewFiles(input, found, plain, Math.min(1, ...first.map(({ score }) => score))) : [];
  // A second place in a file fills the list up; it never takes the turn of another file (measured: 0.02 of NDCG@10),
  // unless a report is answered: its fix often changes several functions of one file.
  const ordered = isReport(input) ? orderReportPlaces(first, further) : [...first, ...further];
  const passing = [...ordered, ...rest].filter(({ score }) => score >= least);
  // Without an answer the total is zero.
  const total = isListed || isFew || passing.length === 0 ? passing.length : countResults(input, found);
  const shown = passing.slice(0, Math.min(limit, total)).sort((a, b) => b.score - a.score);
  return { shown, total };
}

/** Continues until `enough` files have a place or the relevance falls below the caller's minimum. */
function placesByFile(input: SearchInput, found: Candidates, ranking: FileRanking, enough: number) {
  const { request, understood, view } = input;
  const { files, mentioned } = found;
  const least = request.filters?.minRelevance ?? 0;
  const first: ShownPlace[] = [];
  const further: ShownPlace[] = [];
  const plain: PlainFile[] = [];
  // A search for related words returns the files that contain them, even far from the query itself.
  const widened = !ranking.isAnswered && (request.expandQuery || request.expansion) ? relatedContents(input) : null;
  const lineOf = new Map(mentioned.map(({ file, line }) => [files.indexOf(file), line]));
  const inFolder = new Set(mentioned.flatMap(({ file, inFolder: is }) => (is ? files.indexOf(file) : [])));
  /** Shown as a file; one of a folder that was asked for with other words, where it has them. */
  const isWhole = (i: number) => lineOf.has(i) && !(inFolder.has(i) && understood.text.includes(' '));
  const named = [...lineOf.keys()].filter((i) => !inFolder.has(i));
  const requested = new Set([...named, ...ranking.order.filter((i) => inFolder.has(i)), ...ranking.order]);
  for (const i of ranking.isAnswered || widened ? requested : []) {
    const file = files[i]!;
    if (widened && !widened.has(view.contentOf[file]!)) continue;
    const relevance = lineOf.has(i) ? 1 : ranking.relevanceOf(i);
    if (relevance < least || first.length >= enough) break;
    const whole = isWhole(i);
    const shownPlaces = whole
      ? withShares(input, placeOfFile(input, found.masks, file, lineOf.get(i)))
      : placesIn(input, found, ranking, i);
    // A file found by its name alone may have no place that passes the filters; it is skipped.
    shownPlaces.forEach(({ place, share }, n) => {
      const score = round(relevance * share);
      (n === 0 ? first : further).push({ place, score, candidate: i, isWhole: whole });
    });
    if (!whole && !found.verbatimMatches?.has(i) && understood.phrases.length === 0)
      plain.push({ candidate: i, relevance, places: shownPlaces.map(({ place }) => place) });
  }
  return { first, further, plain };
}

function isReport({ understood }: SearchInput): boolean {
  return understood.report !== undefined;
}

/** So many places of a report stand by their scores alone; behind them, further places do not take a file's turn. */
const TOP_PLACES_OF_REPORT = 5;

function orderReportPlaces(first: readonly ShownPlace[], further: readonly ShownPlace[]): ShownPlace[] {
  const all = [...first, ...further].sort((a, b) => b.score - a.score);
  const isFurther = new Set(further);
  const rest = all.slice(TOP_PLACES_OF_REPORT);
  const ofNewFiles = rest.filter((one) => !isFurther.has(one));
  return [...all.slice(0, TOP_PLACES_OF_REPORT), ...ofNewFiles, ...rest.filter((one) => isFurther.has(one))];
}

function placesIn(input: SearchInput, found: Candidates, { definitions }: FileRanking, i: number): WeighedPlace[] {
  const { understood, ranker } = input;
  const file = found.files[i]!;
  const wording = found.verbatimMatches?.get(i);
  if (wording) return withShares(input, placeOfChunk(input, file, wording.chunk));
  if (understood.phrases.length > 0) return withShares(input, placeOfPhrase(input, found.scores, found.masks, file));
  const ranked = understood.intent === 'symbol' ? [] : (definitions?.of(file) ?? []);
  if (ranked.length === 0) return withShares(input, findPlaces(input, found, file));
  if (isReport(input)) return placesOfReport(input, ranked, (behind) => ranker.furtherPlaceShare(behind));
  return placesOfDefinitions(input, ranked, (behind) => ranker.secondPlaceShare(behind));
}

/** Where definitions were not compared, a second place counts as one that is as good as the first. */
function withShares({ ranker }: Pick<SearchInput, 'ranker'>, shown: readonly ChunkPlace[]): WeighedPlace[] {
  return shown.map((place, n) => ({ place, share: n === 0 ? 1 : ranker.secondPlaceShare(0) }));
}

/** Further places of a few files that have the question's words; each ranks behind every file's best place. */
function placesOfFewFiles(
  input: SearchInput,
  found: Candidates,
  plain: readonly PlainFile[],
  most: number,
): ShownPlace[] {
  return plain.flatMap(({ candidate, relevance, places: shown }) => {
    const file = found.files[candidate]!;
    // Of one file, every symbol that has a word of the question is an answer.
    const symbols = plain.length === 1 ? findSymbolPlaces(input, found.masks, file, shown) : [];
    const further = findFurtherPlaces(input, found, file, [...shown, ...symbols.map(({ place }) => place)]);
    return [...symbols, ...further].map(({ place, share }) => ({
      place,
      score: Math.min(most, round(relevance * input.ranker.secondPlaceShare(0) * share)),
      candidate,
      isWhole: false,
    }));
  });
}

/** Contents that hold a word beside the question's own. */
function relatedContents({ reader, view, related = [] }: SearchInput): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const { term } of related)
    for (const id of reader.postings('text', term).docs) {
      const file = view.fileOfChunk[id] ?? -1;
      if (file >= 0) rows.add(view.contentOf[file]!);
    }
  return rows;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
