/** What the tools of this profile share: which project a call means, how hits and lists are made to fit. */
import type { Freshness } from '../../model/records/query.ts';
import { formatScope, parseScope } from '../../model/records/scope.ts';
import { type CallContext, defineTool, type Tool, type ToolDefinition } from '../contract.ts';
import type { ObjectSchema } from '../kit/json-schema.ts';
import { folderInScope, folderWithin, projectPath } from '../kit/project-path.ts';
import { firstCharacters, firstLines, listPart, namedList, namedText, type Part } from '../kit/token-budget.ts';
import { briefOutput } from './sextant-outputs.ts';
import { brief } from './sextant-schemas.ts';
import { shortText } from './short-text.ts';

/** The protocol gives the other hints a meaning for tools that write. */
export const READS = { readOnlyHint: true, openWorldHint: false };
export const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Files newer than the index that are named. */
const MAX_PENDING = 10;

/** Of what the caller sent, enough to know it by: the budget is for what he does not know. */
export const ECHOED_TEXT = 120;
/** What an answer takes at most when the caller names no max_tokens. */
export const SHORT_TOKENS = 2000;

/** In every tool: which repositories are meant, Handlers see them as their workspace. */
const REPOS = { type: 'array', items: { type: 'string' }, maxItems: 1000, description: 'Repositories' } as const;

export function sextantTool<const S extends ObjectSchema>(
  definition: Omit<ToolDefinition<S>, 'icons' | 'listed'>,
): Tool {
  const input = { ...definition.input, properties: { ...definition.input.properties, repos: REPOS } };
  const handle: typeof definition.handle = async (args, ctx) => {
    const { repos } = args as { readonly repos?: readonly string[] };
    const result = await definition.handle(args, repos?.length ? withRepos(ctx, repos) : ctx);
    const text = shortText(result.structured);
    return text === null ? result : { ...result, shortText: text };
  };
  // A picture for each would cost as much as its description; the server has one.
  return defineTool({
    ...definition,
    input,
    handle,
    // The instructions name `repos`: in every tool it would take a tenth of the list.
    listed: brief(definition.input),
    output: briefOutput(definition.output),
    icons: [],
  } as ToolDefinition<S>);
}

/**
 * The call as it would be in a server of these repositories alone: some of the workspace that is served, or registered
 * projects.
 */
function withRepos(ctx: CallContext, repos: readonly string[]): CallContext {
  const workspace = async () => {
    const served = await ctx.workspace();
    return formatScope({ workspace: (served !== null && parseScope(served)?.workspace) || '', repos });
  };
  const { engine, signal, session, log, releaseStream } = ctx;
  return {
    engine,
    signal,
    session,
    log,
    workspace,
    progress: (...step) => ctx.progress(...step),
    notify: (level, data) => ctx.notify(level, data),
    canAsk: (kind) => ctx.canAsk(kind),
    ask: (key, question) => ctx.ask(key, question),
    ...(releaseStream && { releaseStream: () => releaseStream.call(ctx) }),
  };
}

/** The folder a call means. */
export const project = projectPath;

/**
 * The folder that a call names inside an indexed project, '' where it names none: the workspace is meant as a whole.
 */
export async function folderOf(path: string | undefined, ctx: CallContext): Promise<string> {
  if (path === undefined) return '';
  const place = await project(path, ctx);
  return parseScope(place) ? folderInScope(place, path, ctx) : folderWithin(place, ctx);
}

export function shortenContent<T extends { readonly content: string }>(item: T, count: number): T {
  const content = firstLines(item.content, count);
  return content === item.content ? item : { ...item, content };
}

/** What is left of a line that shows a use, at the least. */
const SHORT_TEXT = 60;

export function shortenText<T extends { readonly text?: string; readonly signature?: string }>(
  item: T,
  count: number,
): T {
  const room = SHORT_TEXT * count;
  return {
    ...item,
    ...(item.text !== undefined && { text: firstCharacters(item.text, room) }),
    ...(item.signature !== undefined && { signature: firstCharacters(item.signature, room) }),
  };
}

/** What makes an answer less than it could be; nothing when all is well. */
export function stateParts(freshness: Freshness): readonly Part[] {
  const { missing = [], snapshot } = freshness;
  const left = missing.map(({ name, reason }) => `${name}: ${reason}`);
  return [
    ...(left.length > 0 ? [namedList('not_asked', { items: left })] : []),
    ...(snapshot === undefined ? [] : [namedText('snapshot', snapshot)]),
    ...ageParts(freshness),
  ];
}

function ageParts({ status, pending, failure, moved, outdated, ref }: Freshness): readonly Part[] {
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
