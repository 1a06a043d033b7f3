/** What the tools of this profile share: which project a call means, how hits and lists are made to fit. */
import { EngineError } from '../../model/errors.ts';
import type { SearchAnswer } from '../../model/query.ts';
import type { Icon } from '../content.ts';
import { type CallContext, defineTool, type Tool, type ToolDefinition, type ToolResult } from '../contract.ts';
import { linkFiles } from '../file-links.ts';
import type { ObjectSchema } from '../json-schema.ts';
import { projectPath } from '../project-path.ts';
import { presentHit, presentSearchFields } from './present.ts';
import { brief } from './schemas.ts';
import { estimateTokens, firstLines, fitItems } from './token-budget.ts';

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Room for the fields around the items of an answer. */
export const FRAME_TOKENS = 80;

/** One small picture for all: ten different ones would cost more than the descriptions. */
export const ICONS: readonly Icon[] = [
  { src: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>" },
];

export function sextantTool<const S extends ObjectSchema>(
  definition: Omit<ToolDefinition<S>, 'icons' | 'listed'>,
): Tool {
  return defineTool({ ...definition, listed: brief(definition.input), icons: ICONS } as ToolDefinition<S>);
}

/** The folder a call means. Throws where nothing says which. */
export async function project(path: string | undefined, ctx: CallContext): Promise<string> {
  const found = await projectPath(path, ctx);
  if (found !== null) return found;
  throw new EngineError('invalid_input', {
    reason:
      'Which project? Pass its folder as an absolute path: this server was started without --workspace and the client names no root.',
  });
}

export async function hitsResult(
  ctx: CallContext,
  path: string,
  answer: SearchAnswer,
  maxTokens: number,
): Promise<ToolResult> {
  const frame = presentSearchFields(answer);
  const budget = maxTokens - FRAME_TOKENS - estimateTokens(frame);
  const fitted = fitItems(answer.hits.map(presentHit), budget, shortenContent);
  const root = await ctx.engine.root(path);
  return {
    structured: {
      results: fitted.items,
      ...omission(fitted.omitted),
      ...(fitted.shortened > 0 && { shortened: `${fitted.shortened}: read_file shows them whole` }),
      ...frame,
    },
    content: linkFiles(
      root,
      answer.hits.map((hit) => ({ ...hit, title: hit.symbol?.qualifiedName ?? hit.title })),
    ),
  };
}

export function shortenContent<T extends { readonly content: string }>(item: T, count: number): T {
  const content = firstLines(item.content, count);
  return content === item.content ? item : { ...item, content };
}

export function omission(count: number): { readonly omitted?: number } {
  return count > 0 ? { omitted: count } : {};
}
