/**
 * Converts tools and results to wire form without the fields that the client's protocol version lacks. The SDK sends
 * newer fields to older clients, and a strict client may reject them.
 */
import {
  type ContentBlock,
  type Icon,
  type Profile,
  resultText,
  type Tool,
  type ToolResult,
} from '../../contracts/index.ts';

/** The protocol version that introduced each feature. Versions are dates and compare as text. */
const SINCE = {
  toolAnnotations: '2025-03-26',
  audio: '2025-03-26',
  completions: '2025-03-26',
  progressMessage: '2025-03-26',
  titles: '2025-06-18',
  structured: '2025-06-18',
  resourceLinks: '2025-06-18',
  icons: '2025-11-25',
  tasks: '2025-11-25',
} as const;

export function hasFeature(version: string, part: keyof typeof SINCE): boolean {
  return version >= SINCE[part];
}

type Wire = Record<string, unknown>;

export interface ToolListTarget {
  readonly version: string;
  readonly tasks: 'slot' | 'extension';
  /** Whether the client shows a server's views. */
  readonly showsViews: boolean;
}

export function toolToWire(tool: Tool, { version, tasks, showsViews }: ToolListTarget): Wire {
  const view = showsViews && tool.view !== undefined && { ui: { resourceUri: tool.view } };
  return {
    name: tool.name,
    ...titled(tool, version),
    description: tool.description,
    inputSchema: tool.listed,
    ...(hasFeature(version, 'structured') && { outputSchema: tool.output }),
    ...(hasFeature(version, 'toolAnnotations') && { annotations: tool.annotations }),
    ...(hasFeature(version, 'tasks') &&
      tasks === 'slot' &&
      tool.taskSupport !== 'forbidden' && { execution: { taskSupport: tool.taskSupport } }),
    ...((tool.meta || view) && { _meta: { ...tool.meta, ...view } }),
  };
}

export function titled(
  record: { readonly title?: string | undefined; readonly icons?: readonly Icon[] | undefined },
  version: string,
): Wire {
  return {
    ...(record.title !== undefined && hasFeature(version, 'titles') && { title: record.title }),
    ...(record.icons !== undefined &&
      record.icons.length > 0 &&
      hasFeature(version, 'icons') && { icons: record.icons }),
  };
}

export function resultToWire(result: ToolResult, version: string): Wire {
  const structured = hasFeature(version, 'structured') && !result.textOnly;
  const text: ContentBlock = { type: 'text', text: (structured && result.shortText) || resultText(result) };
  return {
    content: [...(result.contentOnly ? [] : [text]), ...(result.content ?? [])].flatMap((block) =>
      blockToWire(block, version),
    ),
    ...(structured && { structuredContent: result.structured }),
    ...(result.isError && { isError: true }),
  };
}

export function blockToWire(block: ContentBlock, version: string): readonly Wire[] {
  if (block.type === 'resource_link' && !hasFeature(version, 'resourceLinks')) return [];
  if (block.type === 'audio' && !hasFeature(version, 'audio'))
    return [{ type: 'text', text: `[${block.mimeType} audio, which this client's protocol version cannot carry]` }];
  return [block as unknown as Wire];
}

export function serverInfoToWire(
  info: Profile['serverInfo'],
  version: string,
): { name: string; version: string } & Wire {
  return {
    name: info.name,
    version: info.version,
    ...titled(info, version),
    ...(info.description !== undefined && hasFeature(version, 'icons') && { description: info.description }),
  };
}
