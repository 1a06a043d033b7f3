/** search_code, search_docs and grep_codebase. */
import type { SearchFilters } from '../../../model/records/query.ts';
import { parseScope } from '../../../model/records/scope.ts';
import type { CallContext } from '../../contract.ts';
import { assistedSearch } from '../../kit/assist-client.ts';
import { linkFiles, linkRoots } from '../../kit/file-links.ts';
import type { ValueOf } from '../../kit/json-schema.ts';
import { placeIn, placesIn } from '../../kit/project-path.ts';
import { firstCharacters, fitParts, listPart } from '../../kit/token-budget.ts';
import { ANSWER_VIEW } from '../answer-view.ts';
import { hitsResult } from '../hits-answer.ts';
import { type PresentedMatch, presentMatch } from '../present-answers.ts';
import * as output from '../sextant-outputs.ts';
import * as schema from '../sextant-schemas.ts';
import {
  ECHOED_TEXT,
  folderOf,
  omission,
  project,
  READS,
  SHORT_TOKENS,
  sextantTool,
  shortenText,
  snapshotPart,
} from './tool-kit.ts';

/** Results and matches listed if the caller sets no limit. */
const RESULTS = 10;
const MATCHES = 20;
/** How many files of a grep get links. */
const MAX_LINKS = 5;
/** How long an agent waits for an answer before it gives up. */
const WAIT_FRESH_MS = 10_000;

export const searchCode = sextantTool({
  name: 'search_code',
  title: 'Search code',
  description:
    'Find code by a question, name, path or error message. Use it before grep or reading files. Not for exact text ' +
    '(grep_codebase) or a known name (locate_symbol). Gives ranked places with their code.',
  meta: { 'anthropic/alwaysLoad': true },
  view: ANSWER_VIEW,
  input: schema.SEARCH_CODE,
  output: output.HITS,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const filters = { ...(await placesOf(args, ctx)), ...filtersOf(args) };
    const answer = await assistedSearch(ctx, path, {
      query: args.query,
      limit: args.limit ?? RESULTS,
      mode: args.mode,
      ...(args.filters.semantic_weight !== undefined && { semanticWeight: args.filters.semantic_weight }),
      filters,
      ...(args.ref && { ref: args.ref }),
      ...(args.filters.wait_fresh && { waitFreshMs: WAIT_FRESH_MS }),
      ...(args.filters.explain && { explain: true }),
      ...(args.expand_query && { expandQuery: true }),
      ...(args.synthesize && { synthesize: true }),
      signal: ctx.signal,
    });
    return hitsResult(ctx, path, answer, { ...sizesOf(args), filters });
  },
});

export const searchDocs = sextantTool({
  name: 'search_docs',
  title: 'Search docs',
  description: 'Find sections of README, guides, documents. Not for code. Gives ranked sections.',
  view: ANSWER_VIEW,
  input: schema.SEARCH_DOCS,
  output: output.HITS,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const filters = await placesOf(args, ctx);
    const answer = await ctx.engine.search(path, {
      query: args.query,
      limit: args.limit ?? RESULTS,
      filters: { chunkTypes: ['documentation'], ...filters },
      signal: ctx.signal,
    });
    return hitsResult(ctx, path, answer, { ...sizesOf(args), filters });
  },
});

export const grepCodebase = sextantTool({
  name: 'grep_codebase',
  title: 'Grep',
  description:
    'Find every occurrence of exact text or a regular expression in the files as they are. Not for ideas ' +
    '(search_code). Gives matching lines and their number.',
  input: schema.GREP_CODEBASE,
  output: output.MATCHES,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const folder = await folderOf(args.path, ctx);
    const isScope = parseScope(path) !== null;
    const below = folder && !isScope ? `${folder}/` : '';
    const named = args.file_pattern && (await placeIn(path, args.file_pattern, ctx));
    const pattern = isScope && folder && !named?.startsWith(`${folder}/`) ? `${folder}/${named || '**'}` : named;
    const answer = await ctx.engine.grep(folder ? path : await ctx.engine.root(path), {
      pattern: args.pattern,
      limit: args.limit ?? MATCHES,
      contextLines: args.context_lines,
      ...(pattern && { filePattern: pattern.startsWith(below) ? pattern.slice(below.length) : pattern }),
      caseSensitive: args.case_sensitive ?? 'smart',
      ...(args.literal && { literal: true }),
      signal: ctx.signal,
    });
    // Paths from the project's root, as in other tools.
    const found = answer.matches.map((match) => ({ ...match, path: below + match.path }));
    const frame = {
      total: answer.totalMatches,
      files: answer.filesMatched,
      ...(found.length === 0 && {
        message:
          pattern && answer.filesSearched === 0
            ? `No file matches ${firstCharacters(pattern, ECHOED_TEXT)}.`
            : 'Nothing matches.',
      }),
    };
    const matches = listPart({
      items: found.map(presentMatch),
      more: answer.totalMatches - found.length,
      shorten: shortenMatch,
      show: (items, missing) => ({ matches: items, ...omission(missing) }),
    });
    return {
      structured: fitParts(args.max_tokens ?? SHORT_TOKENS, frame, [matches, ...snapshotPart(answer)]),
      content: linkFiles(
        await linkRoots(ctx.engine, path),
        found.slice(0, MAX_LINKS).map((match) => ({
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

/** Under a budget context lines are cut first, the farthest first. */
function shortenMatch(match: PresentedMatch, count: number): PresentedMatch {
  const { before, after, ...rest } = shortenText(match, count);
  const around = Math.floor(count / 2);
  return {
    ...rest,
    ...(before && around > 0 && { before: before.slice(-around) }),
    ...(after && around > 0 && { after: after.slice(0, around) }),
  };
}

function sizesOf({ query, limit, max_tokens: maxTokens }: { query: string; limit?: number; max_tokens?: number }) {
  return { query, limit, maxTokens };
}

async function placesOf(
  { path, path_filter }: { readonly path?: string; readonly path_filter?: string },
  ctx: CallContext,
): Promise<SearchFilters> {
  return placesIn(await project(path, ctx), { folder: await folderOf(path, ctx), pattern: path_filter }, ctx);
}

function filtersOf({ filters }: ValueOf<typeof schema.SEARCH_CODE>): SearchFilters {
  return {
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
