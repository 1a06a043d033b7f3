/** Finding: by meaning, by name, by exact text. */
import { fileNamed } from '../../engine/projects/similar-paths.ts';
import { DISCOVERY_TYPES } from '../../model/records/discovery.ts';
import type { SearchFilters, SymbolDetail } from '../../model/records/query.ts';
import type { CallContext } from '../contract.ts';
import { assistedSearch } from '../kit/assist-client.ts';
import { linkFiles } from '../kit/file-links.ts';
import type { ValueOf } from '../kit/json-schema.ts';
import { placeIn, placesIn } from '../kit/project-path.ts';
import {
  firstCharacters,
  firstLines,
  fitParts,
  listPart,
  namedList,
  namedText,
  type Part,
} from '../kit/token-budget.ts';
import {
  detailParts,
  type PresentedMatch,
  type PresentedSymbol,
  presentHit,
  presentLocated,
  presentMatch,
  presentReference,
} from './present-answers.ts';
import * as schema from './sextant-schemas.ts';
import { folderOf, hitsResult, omission, project, READS, sextantTool, shortenHit, stateParts } from './tool-kit.ts';

/** What is left of a line that shows a use, at the least. */
const SHORT_TEXT = 60;
/** Of what the caller sent, enough to know it by: the budget is for what he does not know. */
const ECHOED_TEXT = 120;
const DISCOVERY_ID = new RegExp(`^(?:${DISCOVERY_TYPES.join('|')})-[0-9a-f]{16}$`);
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
    const filters = { ...(await placesOf(args, ctx)), ...filtersOf(args) };
    const answer = await assistedSearch(ctx, path, {
      query: args.query,
      limit: args.limit,
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
    return hitsResult(ctx, path, answer, { maxTokens: args.max_tokens, filters });
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
    const filters = await placesOf(args, ctx);
    const answer = await ctx.engine.search(path, {
      query: args.query,
      limit: args.limit,
      filters: { chunkTypes: ['documentation'], ...filters },
      signal: ctx.signal,
    });
    return hitsResult(ctx, path, answer, { maxTokens: args.max_tokens, filters });
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
    const folder = await folderOf(args.path, ctx);
    const answer = await ctx.engine.locate(path, {
      name: args.name,
      limit: args.limit,
      ...(folder && { folder }),
      ...(args.kind && { kind: args.kind }),
      ...(args.language && { language: args.language }),
      ...(args.ref && { ref: args.ref }),
      ...(args.references && { includeReferences: true }),
    });
    const [best] = answer.symbols;
    const detail = args.detail && best ? await ctx.engine.symbol(path, best.symbolId, args.ref) : null;
    const isKnown = best !== undefined || answer.chunks.length > 0;
    const narrowed = args.kind || args.language || folder ? ' of this kind, in this language and folder' : '';
    const isNamed = best?.match === 'exact' || best?.match === 'qualified' || answer.chunks.length > 0;
    const file = isNamed ? undefined : await fileNamed(ctx.engine, path, args.name);
    const frame = {
      ...(file
        ? { message: `No symbol, but a file: call read_file with path: "${file}", outline: true.` }
        : !isKnown && {
            message: DISCOVERY_ID.test(args.name)
              ? `No symbol, but a discovery: call context_search with query: "${args.name}".`
              : `No symbol ${firstCharacters(args.name, ECHOED_TEXT)}${narrowed}.`,
          }),
      ...(!isKnown && { nearest_names: answer.nearestNames }),
    };
    const more = Math.max(0, answer.totalCandidates - answer.symbols.length);
    const showResults = (results: readonly unknown[], missing: number) => ({ results, ...omission(missing) });
    const parts = [
      best
        ? listPart({ items: answer.symbols.map(presentLocated), more, shorten: shortenSymbol, show: showResults })
        : listPart({ items: answer.chunks.map(presentHit), shorten: shortenHit, show: showResults }),
      ...(args.references
        ? [
            namedList('references', {
              items: answer.references.map(presentReference),
              more: answer.totalReferences - answer.references.length,
              shorten: shortenText,
            }),
          ]
        : []),
      ...(detail ? aboutSymbol(detail) : []),
      ...stateParts(answer.freshness),
    ];
    const root = await ctx.engine.root(path);
    return {
      structured: fitParts(args.max_tokens, frame, parts),
      content: linkFiles(root, [
        ...answer.symbols.map((symbol) => ({ ...symbol, title: symbol.qualifiedName })),
        ...answer.chunks,
      ]),
    };
  },
});

/** What it is comes last: the first result says that already. */
function aboutSymbol(detail: SymbolDetail): readonly Part[] {
  const { symbol, lists } = detailParts(detail);
  return [
    namedText('source', detail.source),
    ...lists.map(({ name, items, total }) =>
      namedList(name, { items, more: total - items.length, shorten: shortenText }),
    ),
    listPart({ items: [symbol], shorten: shortenSymbol, show: ([shown]) => shown ?? {} }),
  ].map((part) => ({ ...part, under: 'detail' }));
}

/** The doc comment gives way first; one id is enough to ask again. */
function shortenSymbol(symbol: PresentedSymbol, count: number): PresentedSymbol {
  const { doc, stable_id, ...rest } = symbol;
  const short = { ...rest, signature: firstLines(symbol.signature, count) };
  return count === 1 ? short : { ...short, stable_id, ...(doc !== undefined && { doc: firstLines(doc, count) }) };
}

function shortenText<T extends { readonly text?: string; readonly signature?: string }>(item: T, count: number): T {
  const room = SHORT_TEXT * count;
  return {
    ...item,
    ...(item.text !== undefined && { text: firstCharacters(item.text, room) }),
    ...(item.signature !== undefined && { signature: firstCharacters(item.signature, room) }),
  };
}

export const grepCodebase = sextantTool({
  name: 'grep_codebase',
  title: 'Grep',
  description: 'Exact text or regex.',
  input: schema.GREP_CODEBASE,
  output: schema.OUTPUT,
  annotations: READS,
  async handle(args, ctx) {
    const path = await project(args.path, ctx);
    const folder = await folderOf(args.path, ctx);
    const below = folder && `${folder}/`;
    const pattern = args.file_pattern && (await placeIn(path, args.file_pattern, ctx));
    const root = await ctx.engine.root(path);
    const answer = await ctx.engine.grep(folder ? path : root, {
      pattern: args.pattern,
      limit: args.limit,
      contextLines: args.context_lines,
      ...(pattern && { filePattern: pattern.startsWith(below) ? pattern.slice(below.length) : pattern }),
      ...(args.case_sensitive && { caseSensitive: true }),
      ...(args.literal && { literal: true }),
      signal: ctx.signal,
    });
    // As other tools name files: from the root of the project.
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
      structured: fitParts(args.max_tokens, frame, [matches]),
      content: linkFiles(
        root,
        found.map((match) => ({
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

/** The lines around it give way first, the farthest first. */
function shortenMatch(match: PresentedMatch, count: number): PresentedMatch {
  const { before, after, ...rest } = shortenText(match, count);
  const around = Math.floor(count / 2);
  return {
    ...rest,
    ...(before && around > 0 && { before: before.slice(-around) }),
    ...(after && around > 0 && { after: after.slice(0, around) }),
  };
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
