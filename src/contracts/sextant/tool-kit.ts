/** What the tools of this profile share: which project a call means, how hits and lists are made to fit. */
import type { Freshness, SearchAnswer, SearchFilters } from '../../model/records/query.ts';
import { type CallContext, defineTool, type Tool, type ToolDefinition, type ToolResult } from '../contract.ts';
import { linkFiles } from '../kit/file-links.ts';
import type { ObjectSchema } from '../kit/json-schema.ts';
import { folderWithin, projectPath } from '../kit/project-path.ts';
import type { Icon } from '../kit/text-content.ts';
import { firstLines, fitParts, listPart, namedList, namedText, type Part } from '../kit/token-budget.ts';
import { type PresentedHit, presentHit } from './present-answers.ts';
import { brief } from './sextant-schemas.ts';

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Files newer than the index that are named. */
const MAX_PENDING = 10;

const NOTHING_LEFT = 'Nothing matches within path, path_filter and filters: call again without them.';

/** One small picture for all, a blue square: ten different ones would cost more than the descriptions, and so would any drawing. */
export const ICONS: readonly Icon[] = [
  { src: 'data:image/gif;base64,R0lGODlhAQABAIAAACVj6wAAACwAAAAAAQABAAACAkQBADs=' },
];

export function sextantTool<const S extends ObjectSchema>(
  definition: Omit<ToolDefinition<S>, 'icons' | 'listed'>,
): Tool {
  return defineTool({ ...definition, listed: brief(definition.input), icons: ICONS } as ToolDefinition<S>);
}

/** The folder a call means. */
export const project = projectPath;

/** The folder that a call names inside an indexed project, '' where it names none: the workspace is meant as a whole. */
export async function folderOf(path: string | undefined, ctx: CallContext): Promise<string> {
  return path === undefined ? '' : folderWithin(await project(path, ctx), ctx);
}

export interface HitsOptions {
  readonly maxTokens: number;
  /** What the call leaves out by itself: then nothing found may be its own doing. */
  readonly filters: SearchFilters;
}

export async function hitsResult(
  ctx: CallContext,
  path: string,
  answer: SearchAnswer,
  { maxTokens, filters }: HitsOptions,
): Promise<ToolResult> {
  const { hits, nearestNames, related = [], expansion, synthesis, notices } = answer;
  const frame = {
    ...(hits.length === 0 && { message: Object.keys(filters).length > 0 ? NOTHING_LEFT : 'Nothing matches.' }),
    ...(expansion && { expansion }),
    ...(synthesis && { summary_by: synthesis.model ?? synthesis.source }),
  };
  const parts = [
    listPart({
      items: hits.map(presentHit),
      shorten: shortenHit,
      show: (results, missing, shortened) => ({
        results,
        ...omission(missing),
        ...(shortened > 0 && { shortened: `${shortened}: read_file shows them whole` }),
      }),
    }),
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
    ...stateParts(answer.freshness),
  ];
  return {
    structured: fitParts(maxTokens, frame, parts),
    content: linkFiles(
      await ctx.engine.root(path),
      hits.map((hit) => ({ ...hit, title: hit.symbol?.qualifiedName ?? hit.title })),
    ),
  };
}

/** Of an explanation, what counted most. */
export function shortenHit(hit: PresentedHit, count: number): PresentedHit {
  const short = shortenContent(hit, count);
  const features = Object.entries(hit.explanation ?? {});
  if (features.length <= count) return short;
  const most = features.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, count);
  return { ...short, explanation: Object.fromEntries(most) };
}

export function shortenContent<T extends { readonly content: string }>(item: T, count: number): T {
  const content = firstLines(item.content, count);
  return content === item.content ? item : { ...item, content };
}

/** What makes an answer less than it could be; nothing when all is well. */
export function stateParts({ status, pending, failure, moved, outdated, ref }: Freshness): readonly Part[] {
  if (status === 'fresh') return [];
  const hint = moved
    ? `The ref has moved since it was indexed; call index_codebase with ${JSON.stringify({ ref })} to follow it.`
    : outdated
      ? 'Another version of Sextant made this index; call index_codebase to make it anew.'
      : 'These files changed after indexing; call index_codebase to include them.';
  const shown = pending.slice(0, MAX_PENDING);
  return [
    listPart({
      items: shown,
      more: pending.length - shown.length,
      show: (files, missing) => ({
        index: status,
        ...(failure !== undefined && { last_update_failed: failure }),
        ...(pending.length > 0 && { not_yet_indexed: files }),
        ...(status === 'stale' && (pending.length > 0 || outdated) && { hint }),
        ...(missing > 0 && { more_not_yet_indexed: missing }),
      }),
    }),
  ];
}

export function omission(count: number): { readonly omitted?: number } {
  return count > 0 ? { omitted: count } : {};
}
