/** Finding: by meaning, by name, by exact text. */
import type { SearchFilters } from '../../model/query.ts';
import { assistedSearch } from '../assist.ts';
import { linkFiles } from '../file-links.ts';
import type { ValueOf } from '../json-schema.ts';
import { presentDetail, presentLocated, presentMatch, presentReference, presentState } from './present.ts';
import * as schema from './schemas.ts';
import { estimateTokens, firstLines, fitItems, fitText } from './token-budget.ts';
import { FRAME_TOKENS, hitsResult, omission, project, READS, sextantTool } from './tool-kit.ts';

/** As long as an agent waits for an answer without wondering. */
const WAIT_FRESH_MS = 10_000;

export const searchCode = sextantTool({
  name: 'search_code',
  title: 'Search',
  description: 'Find code by meaning, name, path or error, before reading.',
  input: schema.SEARCH_CODE,
  output: schema.OUTPUT,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const answer = await assistedSearch(ctx, path, {
      query: args.query,
      limit: args.limit,
      mode: args.mode,
      ...(args.filters.semantic_weight !== undefined && { semanticWeight: args.filters.semantic_weight }),
      filters: filtersOf(args),
      ...(args.ref && { ref: args.ref }),
      ...(args.filters.wait_fresh && { waitFreshMs: WAIT_FRESH_MS }),
      ...(args.filters.explain && { explain: true }),
      ...(args.expand_query && { expandQuery: true }),
      ...(args.synthesize && { synthesize: true }),
      signal: ctx.signal,
    });
    return hitsResult(ctx, path, answer, args.max_tokens);
  },
});

export const searchDocs = sextantTool({
  name: 'search_docs',
  title: 'Docs',
  description: 'Find docs.',
  input: schema.SEARCH_DOCS,
  output: schema.OUTPUT,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const answer = await ctx.engine.search(path, {
      query: args.query,
      limit: args.limit,
      filters: { chunkTypes: ['documentation'], ...(args.path_filter && { paths: [args.path_filter] }) },
      signal: ctx.signal,
    });
    return hitsResult(ctx, path, answer, args.max_tokens);
  },
});

export const locateSymbol = sextantTool({
  name: 'locate_symbol',
  title: 'Locate',
  description: 'Definitions by name.',
  input: schema.LOCATE_SYMBOL,
  output: schema.OUTPUT,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const answer = await ctx.engine.locate(path, {
      name: args.name,
      limit: args.limit,
      ...(args.kind && { kind: args.kind }),
      ...(args.language && { language: args.language }),
      ...(args.ref && { ref: args.ref }),
      ...(args.references && { includeReferences: true }),
    });
    const [best] = answer.symbols;
    const detail = args.detail && best ? presentDetail(await ctx.engine.symbol(path, best.symbolId, args.ref)) : null;
    const budget = args.max_tokens - FRAME_TOKENS;
    const shown = detail && {
      ...detail,
      source: firstLines(detail.source, fitText(detail.source, budget / 2).lines),
    };
    const left = budget - (shown ? estimateTokens(shown) : 0);
    const fitted = fitItems(answer.symbols.map(presentLocated), args.references ? left / 2 : left, (item) => item);
    const uses = fitItems(answer.references.map(presentReference), left / 2, (item) => item);
    const root = await ctx.engine.root(path);
    return {
      structured: {
        results: fitted.items,
        ...omission(fitted.omitted + Math.max(0, answer.totalCandidates - answer.symbols.length)),
        ...(shown && { detail: shown }),
        ...(args.references && {
          references: uses.items,
          ...(uses.omitted > 0 && { more_references: uses.omitted }),
        }),
        ...(answer.symbols.length === 0 && {
          message: `No symbol ${args.name}.`,
          nearest_names: answer.nearestNames,
        }),
        ...presentState(answer.freshness),
      },
      content: linkFiles(
        root,
        answer.symbols.map((symbol) => ({ ...symbol, title: symbol.qualifiedName })),
      ),
    };
  },
});

export const grepCodebase = sextantTool({
  name: 'grep_codebase',
  title: 'Grep',
  description: 'Exact text or regex.',
  input: schema.GREP_CODEBASE,
  output: schema.OUTPUT,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const answer = await ctx.engine.grep(path, {
      pattern: args.pattern,
      limit: args.limit,
      contextLines: args.context_lines,
      ...(args.file_pattern && { filePattern: args.file_pattern }),
      ...(args.case_sensitive && { caseSensitive: true }),
      ...(args.literal && { literal: true }),
      signal: ctx.signal,
    });
    const fitted = fitItems(answer.matches.map(presentMatch), args.max_tokens - FRAME_TOKENS, (item) => item);
    const root = await ctx.engine.root(path);
    return {
      structured: {
        matches: fitted.items,
        total: answer.totalMatches,
        files: answer.filesMatched,
        ...(answer.matches.length === 0 && { message: 'Nothing matches.' }),
        ...omission(answer.totalMatches - fitted.items.length),
      },
      content: linkFiles(
        root,
        answer.matches.map((match) => ({
          path: match.path,
          startLine: match.line,
          endLine: match.line,
          title: match.path,
          score: 0.5,
        })),
      ),
    };
  },
});

function filtersOf({ path_filter, filters }: ValueOf<typeof schema.SEARCH_CODE>): SearchFilters {
  return {
    ...(path_filter && { paths: [path_filter] }),
    ...(filters.languages?.length && { languages: filters.languages }),
    ...(filters.kinds?.length && { kinds: filters.kinds }),
    ...(filters.packages?.length && { packages: filters.packages }),
    ...(filters.roles?.length && { dddRoles: filters.roles }),
    ...(filters.chunk_types?.length && { chunkTypes: filters.chunk_types }),
    ...(filters.tags?.length && { tags: filters.tags }),
    ...(filters.include_tests === false && { includeTests: false }),
    ...(filters.min_relevance !== undefined && { minRelevance: filters.min_relevance }),
  };
}
