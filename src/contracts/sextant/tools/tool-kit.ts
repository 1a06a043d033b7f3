/** Functions that the tools of this profile share: the project of a call, and fitting results into a budget. */
import type { Freshness } from '../../../model/records/query.ts';
import { formatScope, parseScope } from '../../../model/records/scope.ts';
import { type CallContext, defineTool, type Tool, type ToolDefinition } from '../../contract.ts';
import type { ObjectSchema } from '../../kit/json-schema.ts';
import { folderInScope, folderWithin, projectPath } from '../../kit/project-path.ts';
import { firstCharacters, firstLines, listPart, namedList, namedText, type Part } from '../../kit/token-budget.ts';
import { briefOutput } from '../sextant-outputs.ts';
import { brief, REPOS } from '../sextant-schemas.ts';
import { shortText } from '../short-text.ts';

/** The protocol defines the other hints only for tools that write. */
export const READS = { readOnlyHint: true, openWorldHint: false };
export const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** How many files newer than the index are named. */
const MAX_PENDING = 10;

/** The caller's own input is cut to this length where an answer repeats it, to leave the budget to the results. */
export const ECHOED_TEXT = 120;
/** Budget of an answer if the caller sets no max_tokens. */
export const SHORT_TOKENS = 2000;

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
  // The server has an icon; one for each tool would cost as much as its description.
  return defineTool({
    ...definition,
    input,
    handle,
    listed: brief(input),
    output: briefOutput(definition.output),
    icons: [],
  } as ToolDefinition<S>);
}

/**
 * The context of a call that is limited to these repositories: some of the served workspace's, or registered projects.
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

/** The folder of a call. */
export const project = projectPath;

/** The call's folder inside an indexed project; '' if the call has no path and means the whole workspace. */
export async function folderOf(path: string | undefined, ctx: CallContext): Promise<string> {
  if (path === undefined) return '';
  const place = await project(path, ctx);
  return parseScope(place) ? folderInScope(place, path, ctx) : folderWithin(place, ctx);
}

export function shortenContent<T extends { readonly content: string }>(item: T, count: number): T {
  const content = firstLines(item.content, count);
  return content === item.content ? item : { ...item, content };
}

/** Minimum length of a shortened line that shows a use. */
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

/** Reasons why an answer may be incomplete or stale; empty if there are none. */
export function stateParts(freshness: Freshness): readonly Part[] {
  const { missing = [], snapshot } = freshness;
  const left = missing.map(({ name, reason }) => `${name}: ${reason}`);
  return [
    ...(left.length > 0 ? [namedList('not_asked', { items: left })] : []),
    ...snapshotPart({ snapshot }),
    ...ageParts(freshness),
  ];
}

/** The note on an answer that comes from snapshots of a fleet. */
export function snapshotPart({ snapshot }: { readonly snapshot?: string | undefined }): readonly Part[] {
  return snapshot === undefined ? [] : [namedText('snapshot', snapshot)];
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
