/** locate_symbol and search_code: symbols by name or handle, code by question. */
import type { ProjectStatus } from '../../engine/engine.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { isHandle } from '../../model/records/ids.ts';
import type { Hit, LocatedSymbol, QueryIntent, SearchAnswer, SymbolInfo } from '../../model/records/query.ts';
import { defineTool, type Tool, type ToolResult } from '../contract.ts';
import { linkFiles } from '../kit/file-links.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import { LOCATE_INPUT, LOCATE_OUTPUT, SEARCH_INPUT, SEARCH_OUTPUT } from './codecompass-schemas.ts';
import { contractIntent } from './contract-intent.ts';
import { type Completeness, metadataOf, openWorkspace, stateAfter } from './metadata.ts';
import { actionsAfterHits, actionsForNames, type NextAction } from './next-actions.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const SNIPPET_LINES = 60;

const FUNCTION = /^(?:fn|func|function|def)$/i;
const GONE =
  'Nothing has this id any more: what it named has changed since that answer. Search again; a symbol_stable_id ' +
  'outlives changes around the symbol.';

export const locateSymbol = defineTool({
  name: 'locate_symbol',
  title: 'Locate symbol',
  description:
    'Find symbol definitions by name. Returns precise file:line locations. Definitions are ranked before references.',
  input: LOCATE_INPUT,
  output: LOCATE_OUTPUT,
  annotations: READS,
  icons: pathIcon(ICON_PATHS.search),
  async handle({ name, kind, language, ref, limit }, ctx): Promise<ToolResult> {
    if (name.trim() === '') throw new EngineError('invalid_input', { reason: 'Missing required input: name' });
    const workspace = await openWorkspace(ctx, ref);
    const answer = await unlessNotIndexed(() =>
      ctx.engine.locate(workspace.path, {
        name,
        limit,
        exactFirst: true,
        // The contract separates functions from methods: its `fn` excludes methods.
        ...(FUNCTION.test(kind ?? '') ? { exactKinds: ['function'] as const } : kind && { kind }),
        ...(language && { language }),
        ...(ref && { ref }),
      }),
    );
    const status = await stateAfter(workspace, ctx, ref);
    if (!answer)
      return {
        structured: {
          results: [],
          total_candidates: 0,
          ...notIndexedPayload(status),
          metadata: metadataOf(status, 'partial'),
        },
      };
    const { symbols, nearestNames } = answer;
    // The handle belongs to a result without a symbol, so the answer is the text of that result.
    const chunks = symbols.length === 0 ? answer.chunks : [];
    const results = [...symbols.map(presentLocated), ...chunks.map((chunk) => presentHit(chunk))];
    const total = Math.max(answer.totalCandidates, results.length);
    const missing = isHandle(name.trim()) ? GONE : noMatchWithFilters({ kind, language });
    const message = results.length === 0 ? missing : undefined;
    const actions = results.length === 0 ? actionsForNames(nearestNames, status.ref) : [];
    return {
      structured: {
        results,
        total_candidates: total,
        ...(message && { message }),
        ...(actions.length > 0 && { suggested_next_actions: actions }),
        metadata: metadataOf(status, total > results.length ? 'truncated' : 'complete'),
      },
      content: linkFiles(status.project.root, [
        ...symbols.map((symbol) => ({ ...symbol, title: symbol.qualifiedName })),
        ...chunks,
      ]),
    };
  },
});

/** `debug` adds how many results could be joined with a symbol. */
export function searchCode(debug: boolean): Tool {
  return defineTool({
    name: 'search_code',
    title: 'Search code',
    description: 'Search across symbols, snippets, and files with query intent classification.',
    input: SEARCH_INPUT,
    output: SEARCH_OUTPUT,
    annotations: READS,
    icons: pathIcon(ICON_PATHS.search),
    async handle({ query, ref, language, limit }, ctx): Promise<ToolResult> {
      if (query.trim() === '') throw new EngineError('invalid_input', { reason: 'Missing required input: query' });
      const workspace = await openWorkspace(ctx, ref);
      const answer = await unlessNotIndexed(() =>
        ctx.engine.search(workspace.path, {
          query,
          limit,
          ...(ref && { ref }),
          ...(language && { filters: { languages: [language] } }),
          signal: ctx.signal,
        }),
      );
      const status = await stateAfter(workspace, ctx, ref);
      if (!answer)
        return {
          structured: {
            results: [],
            query_intent: contractIntent(query, await ctx.engine.intentOf(query)),
            total_candidates: 0,
            ...notIndexedPayload(status),
            ...(debug && joinStatus([])),
            metadata: metadataOf(status, 'partial'),
          },
        };
      return {
        structured: searchPayload({ query, language }, answer, status, debug),
        content: linkFiles(
          status.project.root,
          answer.hits.map((hit) => ({ ...hit, title: hit.symbol?.qualifiedName ?? hit.title })),
        ),
      };
    },
  });
}

function searchPayload(
  { query, language }: { readonly query: string; readonly language?: string | undefined },
  answer: SearchAnswer,
  status: ProjectStatus,
  debug: boolean,
): Record<string, unknown> {
  const { hits, intent, nearestNames, notices } = answer;
  const total = Math.max(answer.totalCandidates, hits.length);
  const message = hits.length === 0 ? noMatchWithFilters({ language }) : undefined;
  const completeness: Completeness =
    notices.length > 0 ? 'partial' : hits.length > 0 && total > hits.length ? 'truncated' : 'complete';
  return {
    results: hits.map((hit) => presentHit(hit, isNamed(hit, intent, query))),
    query_intent: contractIntent(query, intent),
    total_candidates: total,
    ...(message && { message }),
    suggested_next_actions:
      hits.length > 0 ? actionsAfterHits(query, hits, status.ref) : actionsForNames(nearestNames, status.ref),
    ...(notices.length > 0 && { notices }),
    ...(debug && joinStatus(hits)),
    metadata: metadataOf(status, completeness),
  };
}

function joinStatus(hits: readonly Hit[]) {
  const joined = hits.filter(({ symbol }) => symbol !== null).length;
  return { debug: { join_status: { hits: joined, misses: hits.length - joined } } };
}

/** An index that is not ready differs from "nothing found": the metadata say so, and this adds the next step. */
function notIndexedPayload({ indexing, ref, failure }: ProjectStatus) {
  const action: NextAction = indexing === 'indexing' ? { tool: 'index_status', ref } : { tool: 'index_repo', ref };
  const message =
    indexing === 'indexing'
      ? `The first index of ${ref} is being made. Search again when index_status says ready.`
      : indexing === 'failed'
        ? `${ref} could not be indexed: ${(failure ?? 'index_status has the job').replace(/[^.!?]$/, '$&.')} Call ` +
          'index_repo again when that is mended.'
        : `${ref} is not indexed yet. Call index_repo, then search again.`;
  return { message, suggested_next_actions: [action] };
}

/** Suggested names do not help when the caller's own filters exclude their files. */
function noMatchWithFilters(filters: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = Object.entries(filters).flatMap(([name, value]) => (value ? [`${name} "${value}"`] : []));
  return named.length > 0 ? `Nothing matches with ${named.join(' and ')}: call again without.` : undefined;
}

async function unlessNotIndexed<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'not_indexed' || error.code === 'index_not_ready')) return null;
    throw error;
  }
}

function presentLocated(symbol: LocatedSymbol): Record<string, unknown> {
  return {
    symbol_id: symbol.symbolId,
    symbol_stable_id: symbol.stableId,
    path: symbol.path,
    line_start: symbol.startLine,
    line_end: symbol.endLine,
    kind: shortKind(symbol),
    name: symbol.name,
    qualified_name: symbol.qualifiedName,
    signature: symbol.signature,
    language: symbol.language,
    score: rounded(symbol.score),
  };
}

function isNamed({ symbol }: Hit, intent: QueryIntent, query: string): boolean {
  return intent === 'symbol' && symbol?.name.toLowerCase() === query.trim().replace(/\(\)$/, '').toLowerCase();
}

function presentHit(hit: Hit, named = false): Record<string, unknown> {
  const { symbol } = hit;
  const lines = hit.content.split('\n');
  return {
    result_id: hit.resultId,
    ...(symbol && { symbol_id: symbol.symbolId, symbol_stable_id: symbol.stableId }),
    result_type: named ? 'symbol' : hit.resultType === 'file' ? 'file' : 'snippet',
    path: hit.path,
    line_start: hit.startLine,
    line_end: hit.endLine,
    ...(symbol && { kind: shortKind(symbol), name: symbol.name, qualified_name: symbol.qualifiedName }),
    language: hit.language,
    score: rounded(hit.score),
    snippet: lines.length > SNIPPET_LINES ? `${lines.slice(0, SNIPPET_LINES).join('\n')}\n…` : hit.content,
  };
}

function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}

/** The contract's abbreviation of a symbol kind; it spells out all other kinds. */
function shortKind({ kind }: SymbolInfo): string {
  return kind === 'function' ? 'fn' : kind;
}
