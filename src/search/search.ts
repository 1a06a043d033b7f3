/**
 * One search: find candidates, rank, shape. Synchronous and pure over a published tree, so that the same
 * question always gets the same answer.
 */
import type { Contribution, Hit } from '../model/records/query.ts';
import { nameKey } from '../model/text/terms.ts';
import { nearestNames } from './locate/locate.ts';
import { furtherPlaces, placeOfChunk, placeOfFile, placeOfPhrase, places } from './places/choose-places.ts';
import { countResults } from './places/count-results.ts';
import { type ChunkPlace, presentChunk } from './places/present-hits.ts';
import { preferenceOf } from './places/shown-symbol.ts';
import { CANDIDATES, DEFAULT_LIMIT, findCandidates, modeOf, type SearchInput } from './scoring/collect-candidates.ts';
import type { Wording } from './scoring/message-match.ts';
import type { Ranker } from './scoring/ranker.ts';
import { addMentions, FEATURES } from './scoring/ranking-features.ts';
import { giveBack } from './scoring/score-files.ts';
import { nthHighest } from './scoring/top-k.ts';

export interface Ranked {
  readonly hits: readonly Hit[];
  /** Results that pass the filters, shown or not. */
  readonly totalCandidates: number;
  readonly nearestNames: readonly string[];
}

/** Files beyond the limit whose order is made sure: some have no place to show. */
const SPARE = 10;
/** What a file's score gains that says the whole question in the same words: more than any other feature, since nothing else tells as much. */
const WORDING = 6;
/** And one that has a setting, a flag or a route of the question to the letter. */
const KEYED = 10;
/** A further place in a file that is shown already. */
const SECOND_PLACE = 0.62;
/** No more files to choose from than this: the caller narrowed the search to them, or there are no others. Then all of their places are told. */
const FEW_FILES = 10;

export function search(input: SearchInput): Ranked {
  const { request, understood } = input;
  const limit = request.limit ?? DEFAULT_LIMIT;
  const { files, rows, scores, masks, names, asked, wordings, keyed } = findCandidates(input);
  const raises = raisesOf(input, files);
  const said = wordings && files.map((file, i) => weightOf(keyed, file) * (wordings.get(i)?.share ?? 0) ** 2);
  const least = request.filters?.minRelevance ?? 0;
  // Who asks for a relevance is told how many have it: then all must be known.
  const contenders = contendersFor(least > 0 ? files.length : 2 * limit + SPARE, input, rows, [said, raises]);
  addMentions(input, rows, files, contenders);
  const plain = added(input.ranker.score(rows, understood.intent), said);
  const ranked = added(plain, raises);
  // Files are in the order of their paths.
  const order = [...files.keys()].sort((a, b) => ranked[b]! - ranked[a]! || a - b);
  const relevanceOf = input.ranker.relevance(rows, ranked, order[0] ?? 0);
  // The floor decides whether there is an answer at all; once there is one, the rest of the list may be long shots.
  // Whether there is one was learned from words and meaning together: where the caller wants one of them, or another balance, it says nothing.
  const ownBalance = modeOf(request) !== 'hybrid' || request.semanticWeight !== undefined;
  const unfloored = understood.phrases.length > 0 || asked.length > 0 || keyed.size > 0 || ownBalance;
  // Judged without the context: what was read before makes nothing an answer.
  const best = order.reduce((a, b) => (plain[b]! > plain[a]! ? b : a), order[0] ?? 0);
  const answered =
    order.length > 0 && (unfloored || isAnswered(input.ranker, input.ranker.relevance(rows, plain, best), rows, best));
  const { contextLines, overviewLines } = request;
  const prefer = request.plainChunks
    ? {}
    : { prefer: preferenceOf(understood, { ...understood.filters, ...request.filters }) };
  const show = { contextLines, overviewLines, ...prefer };
  const first: Shown[] = [];
  const further: Shown[] = [];
  /** Shown by what they have of the question's words and meaning. */
  const plainly: { readonly candidate: number; readonly relevance: number; readonly shownPlaces: ChunkPlace[] }[] = [];
  // Who asks for related words wants what has them, however far it is from the question as it was put.
  const widened = !answered && (request.expandQuery || request.expansion) ? relatedContents(input) : null;
  const named = new Map(asked.map(({ file, line }) => [files.indexOf(file), line]));
  const inFolder = new Set(asked.flatMap(({ file, inFolder: is }) => (is ? files.indexOf(file) : [])));
  /** Shown as a file; one of a folder that was asked for with other words, where it has them. */
  const isWhole = (i: number) => named.has(i) && !(inFolder.has(i) && understood.text.includes(' '));
  const asAsked = [...[...named.keys()].filter((i) => !inFolder.has(i)), ...order.filter((i) => inFolder.has(i))];
  // Of files beyond the candidates nobody knows how many there are.
  const mayBeFew = scores.touched.size <= CANDIDATES;
  const enough = mayBeFew ? Math.max(limit, FEW_FILES + 1) : limit;
  for (const i of answered || widened ? [...new Set([...asAsked, ...order])] : []) {
    const file = files[i]!;
    if (widened && !widened.has(input.view.contentOf[file]!)) continue;
    const relevance = named.has(i) ? 1 : relevanceOf(i);
    if (relevance < least || (least === 0 && first.length >= enough)) break;
    const isPlain = !isWhole(i) && !wordings?.has(i) && understood.phrases.length === 0;
    const shownPlaces = isWhole(i)
      ? placeOfFile(input, masks, file, named.get(i))
      : wordings?.has(i)
        ? placeOfChunk(input, file, wordings.get(i)!.chunk)
        : understood.phrases.length > 0
          ? placeOfPhrase(input, scores, masks, file)
          : places(input, { scores, masks, names }, file);
    // A file that only a name brought in may have no place that passes the filters: it takes nobody's turn.
    shownPlaces.forEach((place, n) => {
      const score = round(n === 0 ? relevance : relevance * SECOND_PLACE);
      if (score >= least) (n === 0 ? first : further).push({ place, score, candidate: i });
    });
    if (isPlain) plainly.push({ candidate: i, relevance, shownPlaces });
  }
  const isFew = mayBeFew && first.length <= FEW_FILES;
  // None of them comes before another file.
  const most = Math.min(1, ...first.map(({ score }) => score));
  const rest = (isFew ? plainly : []).flatMap(({ candidate, relevance, shownPlaces }) =>
    furtherPlaces(input, { scores, names }, files[candidate]!, shownPlaces)
      .map(({ place, share }) => ({ place, score: Math.min(most, round(relevance * SECOND_PLACE * share)), candidate }))
      .filter(({ score }) => score >= least),
  );
  // A second place in a file fills the list up; it never takes the turn of another file (measured: 0.02 of NDCG@10).
  const passing = [...first, ...further, ...rest];
  const shown = passing.slice(0, limit).sort((a, b) => b.score - a.score);
  const passed = passing.length;
  const all = passed < limit || least > 0 || isFew ? passed : countResults(input, { scores, masks, names });
  const totalCandidates = Math.max(all, shown.length);
  giveBack(scores, files);
  return {
    // Put into words last: reading contents is most of the work, and only what is shown is worth it.
    hits: shown.map(({ place, score, candidate }) => ({
      ...presentChunk(input, place, score, show),
      ...(isWhole(candidate) ? { resultType: 'file' as const } : {}),
      ...(request.explain
        ? {
            explanation: [
              ...input.ranker.explain(rows, candidate, understood.intent),
              ...explainWording(said?.[candidate] ?? 0, weightOf(keyed, files[candidate]!)),
              ...explainRaise(input, raises?.[candidate] ?? 0),
            ],
          }
        : {}),
    })),
    totalCandidates,
    nearestNames: shown.length === 0 ? nearest(input) : [],
  };
}

/** Candidates that may be among the first `count` once they have their mentions, from 0 to 1 each: the others' need not be known. */
function contendersFor(
  count: number,
  { ranker, understood }: SearchInput,
  rows: Float32Array,
  raises: readonly (ArrayLike<number> | null)[],
): number[] {
  const scores = raises.reduce<Float32Array>(added, ranker.score(rows, understood.intent));
  const span = Math.abs(ranker.weightOf('mentions', understood.intent));
  const least = scores.length <= count ? Number.NEGATIVE_INFINITY : nthHighest(scores, count) - span;
  const contenders: number[] = [];
  for (let i = 0; i < scores.length; i++) if (scores[i]! >= least) contenders.push(i);
  return contenders;
}

function added(scores: Float32Array, more: ArrayLike<number> | null): Float32Array {
  return more ? scores.map((score, i) => score + more[i]!) : scores;
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

/** Null where nothing was read or found lately: the answer is then what the ranker says. */
function raisesOf({ context, view }: SearchInput, files: readonly number[]): Float32Array | null {
  if (!context || context.bound <= 0) return null;
  return Float32Array.from(
    files,
    (file) => context.bound * Math.min(1, Math.max(0, context.of(view.files[file]!.path))),
  );
}

function explainRaise({ context }: SearchInput, raise: number): Contribution[] {
  if (!context || raise === 0) return [];
  return [{ feature: 'context', value: raise / context.bound, weight: context.bound, contribution: raise }];
}

/** What it is worth that the file says the question to the letter. */
function weightOf(keyed: ReadonlyMap<number, Wording>, file: number): number {
  return keyed.has(file) ? KEYED : WORDING;
}

function explainWording(raise: number, weight: number): Contribution[] {
  return raise === 0 ? [] : [{ feature: 'wording', value: raise / weight, weight, contribution: raise }];
}

interface Shown {
  readonly place: ChunkPlace;
  readonly score: number;
  /** Its file's row among the candidates. */
  readonly candidate: number;
}

const COVERAGE = FEATURES.indexOf('coverage');
/** A file with this share of the question's words, by their rarity, is an answer whatever the model thinks of it. */
const ENOUGH = 0.65;

function isAnswered(ranker: Ranker, relevanceOf: (index: number) => number, rows: Float32Array, best: number): boolean {
  return relevanceOf(best) >= ranker.floor || rows[best * FEATURES.length + COVERAGE]! >= ENOUGH;
}

/** A name that was meant may be far off; a word of a sentence is no name unless it nearly is one. */
function nearest(input: SearchInput): string[] {
  const { identifiers, text, intent } = input.understood;
  const words = text.split(/\s+/);
  const named = intent === 'symbol' || intent === 'path' ? [text, ...identifiers] : identifiers;
  const near = [
    ...named.map((name) => nearestNames(input, nameKey(name), 3)),
    ...words.filter((word) => word.length > 3).map((word) => nearestNames(input, nameKey(word), 3, word.length >> 2)),
  ];
  return [...new Set(near.slice(0, 6).flat())].slice(0, 5);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
