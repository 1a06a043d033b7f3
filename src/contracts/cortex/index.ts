/**
 * The cortex contract: one tool that searches chunks. It searches the chunk files that a cortex indexer wrote, with
 * queries embedded by the same service, if the project has such files; otherwise this program's own index. Settings:
 * `cortex`, see cortex-settings.ts.
 */
import { leadsOut } from '../../model/text/is-within.ts';
import { type CreateProfile, defineTool, type Tool, ToolRegistry } from '../contract.ts';
import { type LinkedPlace, linkFiles } from '../kit/file-links.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import type { CortexResult } from './cortex-chunk.ts';
import { cortexErrors, emptyQuery } from './cortex-errors.ts';
import { CHECKED_INPUT, LISTED_INPUT, MAX_LIMIT, OUTPUT } from './cortex-schemas.ts';
import type { CortexSettings } from './cortex-settings.ts';
import { ChunkSource } from './source.ts';

export type { CortexPlaces, CortexSettings } from './cortex-settings.ts';
export { writeCortexFiles } from './write-files.ts';

const CONTRACT_VERSION = '1.0.0';

const INSTRUCTIONS = `cortex_search finds code and documentation of this project by meaning. Ask it before reading \
files.
- query: plain words, "how does authentication work", or a name.
- chunk_types narrows: "documentation" (guides, decisions: why), "symbols" (overview of a file: what is where), \
"definitions" (signatures and bodies: how), "data" (constants, configuration). Leave it empty for the complete picture.
- tags: all must match, such as ["go", "code"] or ["documentation", "architecture"]. Languages, folders, front matter \
and #hashtags are tags.
- A result's metadata has file_path and lines: read there next. combined_score says how near it is.`;

export const createProfile: CreateProfile = ({ settings, log }) => {
  const source = new ChunkSource(settings?.cortex as CortexSettings | undefined, log);
  return {
    name: 'cortex',
    serverInfo: {
      name: 'cortex-mcp',
      title: 'Cortex',
      version: CONTRACT_VERSION,
      icons: pathIcon(ICON_PATHS.search),
    },
    instructions: INSTRUCTIONS,
    tools: new ToolRegistry([cortexSearch(source)]),
    errors: cortexErrors,
    start: () => source.start(),
    usesIndex: () => source.isOwnIndex(),
    stop: () => source.stop(),
  };
};

function cortexSearch(source: ChunkSource): Tool {
  return defineTool({
    name: 'cortex_search',
    title: 'Cortex search',
    description: 'Search for relevant context in the project codebase and documentation',
    input: CHECKED_INPUT,
    listed: LISTED_INPUT,
    output: OUTPUT,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    icons: pathIcon(ICON_PATHS.search),
    async handle(args, ctx) {
      if (args.query.trim() === '') throw emptyQuery();
      const path = (await ctx.workspace()) ?? '.';
      const results = await source.search(ctx, path, {
        query: args.query,
        limit: Math.min(MAX_LIMIT, Math.max(1, Math.floor(args.limit))),
        tags: args.tags ?? [],
        chunkTypes: args.chunk_types ?? [],
      });
      return {
        structured: { results, total: results.length },
        content: linkFiles(await ctx.engine.root(path), results.flatMap(placeOf)),
      };
    },
  });
}

/** The file of a result. A chunk of another program may name any path, so only paths inside the project are linked. */
function placeOf({ chunk, combined_score: score }: CortexResult): LinkedPlace[] {
  const { file_path: path, start_line: startLine, end_line: endLine } = chunk.metadata;
  if (typeof path !== 'string' || path === '' || leadsOut(path)) return [];
  const lines = typeof startLine === 'number' && typeof endLine === 'number' ? { startLine, endLine } : {};
  return [{ path, title: chunk.title, score, ...lines }];
}
