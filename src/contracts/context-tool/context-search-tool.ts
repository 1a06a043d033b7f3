/** context_search searches the team's knowledge; remember records it. */
import type { Evidence } from '../../model/records/discovery.ts';
import { defineTool } from '../contract.ts';
import { linkFiles } from '../kit/file-links.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import { workspaceFolder } from '../kit/project-path.ts';
import { shownContent } from '../kit/untrusted-text.ts';
import { refuseSensitive } from './blocked-paths.ts';
import {
  CONTEXT_SEARCH_INPUT,
  CONTEXT_SEARCH_OUTPUT,
  REMEMBER_INPUT,
  REMEMBER_OUTPUT,
} from './context-tool-schemas.ts';

export const contextSearch = defineTool({
  name: 'context_search',
  title: 'Context search',
  description:
    'Search project context semantically using RAG. Returns relevant discoveries, patterns, rules, and past decisions.',
  input: CONTEXT_SEARCH_INPUT,
  output: CONTEXT_SEARCH_OUTPUT,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  icons: pathIcon(ICON_PATHS.search),
  async handle(args, ctx) {
    const path = await workspaceFolder(ctx);
    const {
      results: found,
      totalFound,
      durationMs,
    } = await ctx.engine.contextSearch(path, {
      query: args.query,
      type: args.type,
      ...(args.module && { module: args.module }),
      limit: args.limit,
      requireVector: true,
      signal: ctx.signal,
    });
    // Leaves out results from files that read_file refuses.
    const results = found.filter(({ source, evidence }) => source !== 'code' || !evidence.some(isRefused));
    const root = await ctx.engine.root(path);
    const places = results.flatMap(({ evidence, score, content }) =>
      evidence.flatMap(({ path: file, startLine, endLine }) =>
        file === undefined
          ? []
          : [
              {
                path: file,
                title: content.slice(0, 80),
                score,
                ...(startLine !== undefined && { startLine, endLine: endLine ?? startLine }),
              },
            ],
      ),
    );
    return {
      structured: {
        results: results.map(({ dateMs, evidence, ...result }) => ({
          id: result.id,
          type: result.type,
          ...shownContent(result.content, evidence[0]?.path),
          module: result.module,
          session: result.session,
          date: new Date(dateMs).toISOString(),
          score: Math.round(result.score * 1e4) / 1e4,
          source: result.source,
          ...filesOf(evidence),
          ...(result.status && { status: result.status }),
          ...(result.supersededBy && { supersededBy: result.supersededBy }),
          ...(result.contradicts && { contradicts: result.contradicts }),
        })),
        query: args.query,
        totalFound: totalFound - (found.length - results.length),
        searchTime: Math.round(durationMs),
      },
      content: linkFiles(root, places),
    };
  },
});

function isRefused({ path }: Evidence): boolean {
  return path !== undefined && refuseSensitive(path.toLowerCase()) !== null;
}

/** Paths in the form that read_file and remember accept: links are for people, and agents may not see them. */
function filesOf(evidence: readonly Evidence[]): { readonly files?: readonly string[] } {
  const files = new Set(evidence.flatMap(({ path }) => path ?? []));
  return files.size > 0 ? { files: [...files] } : {};
}

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Record a pattern, rule, decision or issue of this project so that context_search finds it in later sessions.',
  input: REMEMBER_INPUT,
  output: REMEMBER_OUTPUT,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  icons: pathIcon(ICON_PATHS.docs),
  async handle(args, ctx) {
    const { discovery, outcome } = await ctx.engine.remember(await workspaceFolder(ctx), {
      type: args.type,
      content: args.content,
      ...(args.module && { module: args.module }),
      ...(args.files?.length && { evidence: args.files.map((path) => ({ path })) }),
      session: ctx.session,
      origin: 'agent',
    });
    const { id, type, module, session, dateMs, contradicts, formerly } = discovery;
    const date = new Date(dateMs).toISOString();
    return {
      structured: {
        id,
        outcome,
        type,
        module,
        session,
        date,
        ...(contradicts.length > 0 && { contradicts }),
        ...(outcome === 'updated' && formerly && { formerly }),
      },
    };
  },
});
