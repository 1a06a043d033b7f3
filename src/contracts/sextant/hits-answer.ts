/**
 * Formats the answer of a search: the best results with their code, one line for each of the others, and how to see
 * more.
 */
import type { Hit, SearchAnswer, SearchFilters } from '../../model/records/query.ts';
import { excerpt } from '../../model/text/excerpt.ts';
import { queryTerms } from '../../model/text/query-matches.ts';
import { chooseDetail, quotedLines } from '../../model/text/result-list.ts';
import type { CallContext, ToolResult } from '../contract.ts';
import { linkFiles, linkRoots } from '../kit/file-links.ts';
import { fitParts, listPart, namedList, namedText, type Part } from '../kit/token-budget.ts';
import { type PresentedHit, placeText, presentHit, presentPlace } from './present-answers.ts';
import { omission, SHORT_TOKENS, stateParts } from './tools/tool-kit.ts';

const NOTHING_LEFT = 'Nothing matches within path, path_filter and filters: call again without them.';

export interface HitsOptions {
  readonly query: string;
  /** The caller's limit; with one, the answer lists all results. */
  readonly limit: number | undefined;
  /** The caller's token budget, which the answer fills. */
  readonly maxTokens: number | undefined;
  /** Filters of the call, named when nothing was found, because they may be the cause. */
  readonly filters: SearchFilters;
}

export async function hitsResult(
  ctx: CallContext,
  path: string,
  answer: SearchAnswer,
  { query, limit, maxTokens, filters }: HitsOptions,
): Promise<ToolResult> {
  const { hits, expansion, synthesis } = answer;
  const terms = queryTerms(query);
  const { items, also, linked, leftOut } =
    maxTokens === undefined
      ? presentHits(hits, terms, limit !== undefined)
      : { items: hits.map(presentHit), also: [], linked: hits, leftOut: 0 };
  const frame = {
    ...(hits.length === 0 && { message: Object.keys(filters).length > 0 ? NOTHING_LEFT : 'Nothing matches.' }),
    ...(expansion && { expansion }),
    ...(synthesis && { summary_by: synthesis.model ?? synthesis.source }),
    ...(leftOut > 0 && { more: `limit: ${hits.length} lists ${leftOut} weaker` }),
  };
  const results = listPart({
    items,
    shorten: (hit: PresentedHit, count) => shortenHit(hit, count, terms),
    show: (shown, missing, shortened) => ({
      results: shown,
      ...omission(missing),
      ...(shortened > 0 && { shortened: `${shortened}: read_file shows them whole` }),
    }),
  });
  return {
    structured: fitParts(maxTokens ?? SHORT_TOKENS, frame, [
      results,
      ...(also.length > 0 ? [namedList('also', { items: also })] : []),
      ...besideHits(answer),
    ]),
    content: linkFiles(
      await linkRoots(ctx.engine, path),
      linked.map((hit) => ({ ...hit, title: hit.symbol?.qualifiedName ?? hit.title })),
    ),
  };
}

function presentHits(hits: readonly Hit[], terms: ReadonlySet<string>, all: boolean) {
  const tellings = chooseDetail(
    hits.map(({ score }) => score),
    all,
  );
  const linked = hits.filter((_, i) => tellings[i] === 'quoted');
  const linesOf = (hit: Hit) => quotedLines(linked.indexOf(hit), linked.length);
  const rest = hits.filter((_, i) => tellings[i] === 'listed');
  const quotes = new Map(linked.map((hit) => [hit, shortenHit(presentHit(hit), linesOf(hit), terms)]));
  // A call with a limit gets one list; otherwise the results after the best ones take a line each.
  const items = all ? hits.map((hit) => quotes.get(hit) ?? presentPlace(hit)) : [...quotes.values()];
  const also = all ? [] : rest.map(placeText);
  return { items, also, linked, leftOut: hits.length - items.length - also.length };
}

function besideHits({ synthesis, notices, nearestNames, related = [], freshness }: SearchAnswer): readonly Part[] {
  return [
    ...(synthesis
      ? [namedText('summary', synthesis.summary), namedList('ask_next', { items: synthesis.followUps })]
      : []),
    ...(notices.length > 0 ? [namedList('notices', { items: notices })] : []),
    ...(nearestNames.length > 0 ? [namedList('nearest_names', { items: nearestNames })] : []),
    ...(related.length > 0
      ? [
          listPart({
            items: related.map(({ term, weight }) => [term, Number(weight.toFixed(3))] as const),
            show: (items) => ({ related: Object.fromEntries(items) }),
          }),
        ]
      : []),
    ...stateParts(freshness),
  ];
}

/** Lines around the match; of an explanation, the largest contributions. */
export function shortenHit(hit: PresentedHit, count: number, terms: ReadonlySet<string> = new Set()): PresentedHit {
  const content = hit.content && excerpt(hit.content, { terms, maxLines: count, name: String(hit.name) });
  const short = content === hit.content ? hit : { ...hit, content };
  const features = Object.entries(hit.explanation ?? {});
  if (features.length <= count) return short;
  const largest = features.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, count);
  return { ...short, explanation: Object.fromEntries(largest) };
}
