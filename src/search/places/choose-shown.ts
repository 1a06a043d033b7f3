/**
 * Chooses the places that a search shows of its ranked files: the best place of each, then second places, then further
 * matches if files are few.
 */
import { type Candidates, DEFAULT_LIMIT, MIN_CANDIDATES, type SearchInput } from '../scoring/collect-candidates.ts';
import type { FileRanking } from '../scoring/rank-files.ts';
import {
  findFurtherPlaces,
  findPlaces,
  findSymbolPlaces,
  placeOfFile,
  placeOfMessage,
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
  /** The hit is a whole file instead of a place in it. */
  readonly isWhole: boolean;
}

export interface ChosenPlaces {
  readonly shown: readonly ShownPlace[];
  /** Number of results that pass the filters, including those beyond the limit. */
  readonly total: number;
}

/** With at most this many files, all of their matching places are shown. */
const FEW_FILES = 10;

/** A file whose further places may be shown: the query neither names it nor quotes its text. */
interface PlainFile {
  readonly candidate: number;
  readonly relevance: number;
  readonly places: readonly ChunkPlace[];
}

export function chooseShown(input: SearchInput, found: Candidates, ranking: FileRanking): ChosenPlaces {
  const limit = input.request.limit ?? DEFAULT_LIMIT;
  const minRelevance = input.request.filters?.minRelevance ?? 0;
  // With more matching files than candidates, files outside the candidates exist and are not listed.
  const mayBeFew = found.scores.touched.size <= MIN_CANDIDATES;
  // With so few files, all places are listed at every limit, so the total is exact. Quoted text is counted separately.
  const isListed = minRelevance > 0 || (mayBeFew && input.understood.phrases.length === 0);
  const enough = isListed ? Number.POSITIVE_INFINITY : mayBeFew ? Math.max(limit, FEW_FILES + 1) : limit;
  const { first, further, plain } = placesByFile(input, found, ranking, enough);
  const isFew = mayBeFew && first.length <= FEW_FILES;
  const rest = isFew ? placesOfFewFiles(input, found, plain, Math.min(1, ...first.map(({ score }) => score))) : [];
  // Second places follow the best places of all files: interleaving them cost 0.02 of NDCG@10. A report is an
  // exception, because its fix often changes several functions of one file.
  const ordered = isReport(input) ? orderReportPlaces(first, further) : [...first, ...further];
  const passing = [...ordered, ...rest].filter(({ score }) => score >= minRelevance);
  const total = isListed || isFew || passing.length === 0 ? passing.length : countResults(input, found);
  const shown = passing.slice(0, Math.min(limit, total)).sort((a, b) => b.score - a.score);
  return { shown, total };
}

/** Chooses places file by file, until `enough` files have one or the relevance falls below the caller's minimum. */
function placesByFile(input: SearchInput, found: Candidates, ranking: FileRanking, enough: number) {
  const { request, understood, view } = input;
  const { files, mentioned } = found;
  const minRelevance = request.filters?.minRelevance ?? 0;
  const first: ShownPlace[] = [];
  const further: ShownPlace[] = [];
  const plain: PlainFile[] = [];
  // A search that asks for related words returns the files that contain them, even if nothing answers the query itself.
  const widened = !ranking.isAnswered && (request.expandQuery || request.expansion) ? relatedContents(input) : null;
  const lineOf = new Map(mentioned.map(({ file, line }) => [files.indexOf(file), line]));
  const inFolder = new Set(mentioned.flatMap(({ file, inFolder: is }) => (is ? files.indexOf(file) : [])));
  // A file in a folder that the query names beside other words is shown by the place that contains those words.
  const isWhole = (i: number) => lineOf.has(i) && !(inFolder.has(i) && understood.text.includes(' '));
  const named = [...lineOf.keys()].filter((i) => !inFolder.has(i));
  const requested = new Set([...named, ...ranking.order.filter((i) => inFolder.has(i)), ...ranking.order]);
  for (const i of ranking.isAnswered || widened ? requested : []) {
    const file = files[i]!;
    if (widened && !widened.has(view.contentOf[file]!)) continue;
    const relevance = lineOf.has(i) ? 1 : ranking.relevanceOf(i);
    if (relevance < minRelevance || first.length >= enough) break;
    const whole = isWhole(i);
    const shownPlaces = whole
      ? withShares(input, placeOfFile(input, found.masks, file, lineOf.get(i)))
      : placesIn(input, found, ranking, i);
    // No place of a file that was found by its name alone may pass the filters; then the file is skipped.
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

/** The first places of a report are ordered by score alone; after them, best places of files precede further ones. */
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
  const verbatim = found.verbatimMatches?.get(i);
  if (verbatim) return withShares(input, placeOfMessage(input, file, verbatim.chunk));
  if (understood.phrases.length > 0) return withShares(input, placeOfPhrase(input, found.scores, found.masks, file));
  const ranked = understood.intent === 'symbol' ? [] : (definitions?.of(file) ?? []);
  if (ranked.length === 0) return withShares(input, findPlaces(input, found, file));
  if (isReport(input)) return placesOfReport(input, ranked, (behind) => ranker.furtherPlaceShare(behind));
  return placesOfDefinitions(input, ranked, (behind) => ranker.secondPlaceShare(behind));
}

/** Without compared definitions, a second place gets the share of one that scores as high as the first. */
function withShares({ ranker }: Pick<SearchInput, 'ranker'>, shown: readonly ChunkPlace[]): WeighedPlace[] {
  return shown.map((place, n) => ({ place, share: n === 0 ? 1 : ranker.secondPlaceShare(0) }));
}

/** Further places with words of the question in a few files; `maxScore` puts them behind every file's best place. */
function placesOfFewFiles(
  input: SearchInput,
  found: Candidates,
  plain: readonly PlainFile[],
  maxScore: number,
): ShownPlace[] {
  return plain.flatMap(({ candidate, relevance, places: shown }) => {
    const file = found.files[candidate]!;
    // In a single file, every symbol with a word of the question is a result.
    const symbols = plain.length === 1 ? findSymbolPlaces(input, found.masks, file, shown) : [];
    const further = findFurtherPlaces(input, found, file, [...shown, ...symbols.map(({ place }) => place)]);
    return [...symbols, ...further].map(({ place, share }) => ({
      place,
      score: Math.min(maxScore, round(relevance * input.ranker.secondPlaceShare(0) * share)),
      candidate,
      isWhole: false,
    }));
  });
}

/** Contents that contain a related term. */
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
