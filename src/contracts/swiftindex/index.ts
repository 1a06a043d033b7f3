/**
 * The swiftindex contract: index, search code and documentation, research; three formats; errors as sentences; tasks
 * and progress.
 */
import type { Hit, SearchAnswer, SearchFilters, Synthesis } from '../../model/records/query.ts';
import { type CallContext, type CreateProfile, defineTool, ToolRegistry } from '../contract.ts';
import { assistedSearch } from '../kit/assist-client.ts';
import { listErrors } from '../kit/error-list.ts';
import { linkFiles } from '../kit/file-links.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import { reportIndexProgress } from '../kit/index-progress.ts';
import { folderWithin, placesIn, projectPath } from '../kit/project-path.ts';
import { staleNotices } from '../kit/stale-notices.ts';
import { writeResult } from './formats.ts';
import { PROSE_SPARE, preferProse } from './prefer-prose.ts';
import { fitResearch } from './research-tool.ts';
import { sentence, swiftErrors } from './swiftindex-errors.ts';
import {
  INDEX_INPUT,
  INDEX_OUTPUT,
  RESEARCH_INPUT,
  RESEARCH_OUTPUT,
  SEARCH_CODE_INPUT,
  SEARCH_CODE_OUTPUT,
  SEARCH_DOCS_INPUT,
  SEARCH_DOCS_OUTPUT,
} from './swiftindex-schemas.ts';

/** The contract's default weight means the balance that the ranker was trained with. */
/** Documents considered for one answer, if the limit is not larger. */
const MAX_CONSIDERED = 60;
const DEFAULT_WEIGHT = SEARCH_CODE_INPUT.properties.semantic_weight.default;
/**
 * The ends of the scale order by words or by meaning alone, and relevance is still judged by both: a search that looks
 * at one of them only gives the same place another percentage.
 */
const LEAST_WEIGHT = 0.001;
const NOTHING_LEFT = 'Nothing matches within path, path_filter and extensions: call again without them.';
const MAX_FOLLOW_UPS = 5;
/** The contract's content is code; for a whole file, its first lines. */
const OVERVIEW_LINES = 40;
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const INSTRUCTIONS = `Search a codebase by meaning before reading files.
- search_code: where is …, how does …, or a symbol's name. Narrow with path_filter ("Sources/Auth/**") and extensions \
("swift,m"). expand_query adds related terms; synthesize adds a summary and follow-up questions.
- search_docs: README, guides, design notes.
- code_research: questions that need several steps: who calls this, what conforms to that, what depends on it. depth \
1-5; focus architecture, dependencies, patterns or flow.
- "No index found": call index_codebase once with the absolute path; afterwards only changed files are read again. It \
reports progress and can run as a task.`;

export const createProfile: CreateProfile = ({ version }) => ({
  name: 'swiftindex',
  serverInfo: { name: 'swiftindex', title: 'SwiftIndex', version, icons: pathIcon(ICON_PATHS.search) },
  instructions: INSTRUCTIONS,
  tools: new ToolRegistry([indexCodebase, searchCode, searchDocs, codeResearch]),
  errors: swiftErrors,
});

const indexCodebase = defineTool({
  name: 'index_codebase',
  title: 'Index codebase',
  description: 'Index a Swift codebase for semantic search',
  input: INDEX_INPUT,
  output: INDEX_OUTPUT,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  icons: pathIcon(ICON_PATHS.index),
  taskSupport: 'optional',
  async handle(args, ctx) {
    const report = await ctx.engine.index(await projectPath(args.path, ctx), {
      force: args.force,
      onProgress: reportIndexProgress(ctx),
      signal: ctx.signal,
    });
    return {
      structured: {
        path: report.project.root,
        mode: report.mode,
        files: report.filesTotal,
        files_indexed: report.filesIndexed,
        files_unchanged: report.filesUnchanged,
        files_removed: report.filesRemoved,
        files_skipped: report.filesSkipped,
        files_failed: report.filesFailed,
        chunks: report.chunkCount,
        symbols: report.symbolCount,
        ...listErrors([
          ...(report.vectorError ? [{ path: '', line: 0, message: report.vectorError.message }] : []),
          ...report.problems,
        ]),
        duration_seconds: Number((report.durationMs / 1000).toFixed(2)),
      },
    };
  },
});

const searchCode = defineTool({
  name: 'search_code',
  title: 'Search code',
  description: 'Semantic search in indexed Swift codebase',
  input: SEARCH_CODE_INPUT,
  output: SEARCH_CODE_OUTPUT,
  annotations: READ_ONLY,
  icons: pathIcon(ICON_PATHS.search),
  taskSupport: 'optional',
  async handle(args, ctx) {
    if (args.query.trim() === '') return sentence('Query cannot be empty');
    const path = await projectPath(args.path, ctx);
    const extensions = args.extensions?.split(',').flatMap((extension) => extension.trim() || []);
    const filters = { ...(extensions?.length && { extensions }), ...(await places(args, path, ctx)) };
    const answer = await assistedSearch(ctx, path, {
      query: args.query,
      limit: args.limit,
      ...(args.semantic_weight !== DEFAULT_WEIGHT && { semanticWeight: besideEnds(args.semantic_weight) }),
      filters,
      overviewLines: OVERVIEW_LINES,
      expandQuery: args.expand_query,
      synthesize: args.synthesize,
      signal: ctx.signal,
    });
    const { expansion } = answer;
    const synthesis = answer.synthesis ?? (args.synthesize ? nothingFound(args.query, answer) : null);
    const payload = {
      query: args.query,
      results: answer.hits.map(codeResult),
      ...answerFields(answer, filters),
      ...(expansion && { expanded_query: expansion }),
      ...(synthesis && {
        summary: synthesis.summary,
        summary_source: synthesis.source,
        ...(synthesis.model && { summary_model: synthesis.model }),
        follow_ups: synthesis.followUps,
      }),
    };
    return { ...(await writeResult(payload, args.format)), content: await links(ctx, path, answer) };
  },
});

function besideEnds(weight: number): number {
  if (weight === 0) return LEAST_WEIGHT;
  return weight === 1 ? 1 - LEAST_WEIGHT : weight;
}

const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search documentation',
  description: 'Search indexed documentation using full-text search',
  input: SEARCH_DOCS_INPUT,
  output: SEARCH_DOCS_OUTPUT,
  annotations: READ_ONLY,
  icons: pathIcon(ICON_PATHS.docs),
  taskSupport: 'optional',
  async handle(args, ctx) {
    if (args.query.trim() === '') return sentence('Query cannot be empty');
    const path = await projectPath(args.path, ctx);
    const filters = await places(args, path, ctx);
    const found = await ctx.engine.search(path, {
      query: args.query,
      limit: Math.max(args.limit, Math.min(PROSE_SPARE * args.limit, MAX_CONSIDERED)),
      filters: { chunkTypes: ['documentation'], ...filters },
      signal: ctx.signal,
    });
    const answer = { ...found, hits: preferProse(found.hits).slice(0, args.limit) };
    const results = answer.hits.map((hit) => ({ ...placeOf(hit), ...(hit.title && { breadcrumb: hit.title }) }));
    const payload = { query: args.query, results, ...answerFields(answer, filters) };
    return { ...(await writeResult(payload, args.format)), content: await links(ctx, path, answer) };
  },
});

const codeResearch = defineTool({
  name: 'code_research',
  title: 'Research code',
  description: 'Deep architectural analysis with multi-hop search',
  input: RESEARCH_INPUT,
  output: RESEARCH_OUTPUT,
  annotations: READ_ONLY,
  icons: pathIcon(ICON_PATHS.research),
  taskSupport: 'optional',
  async handle(args, ctx) {
    if (args.query.trim() === '') return sentence('Query cannot be empty');
    const path = await projectPath(args.path, ctx);
    const answer = await ctx.engine.research(path, {
      query: args.query,
      depth: args.depth,
      ...(args.focus && { focus: args.focus }),
      onHop: (hop, total, found) => ctx.progress(hop, total, `Hop ${hop} of ${total}: ${found} found`),
      signal: ctx.signal,
    });
    const root = await ctx.engine.root(path);
    const places = answer.evidence.map((place) => ({ ...place, title: place.why, score: 1 / (1 + place.hop) }));
    return {
      structured: fitResearch(
        { query: args.query, depth: args.depth, ...(args.focus && { focus: args.focus }) },
        answer,
      ),
      content: linkFiles(root, places),
    };
  },
});

async function places({ path_filter }: { readonly path_filter?: string }, path: string, ctx: CallContext) {
  return placesIn(path, { folder: await folderWithin(path, ctx), pattern: path_filter }, ctx);
}

async function links(ctx: CallContext, path: string, answer: SearchAnswer) {
  const root = await ctx.engine.root(path);
  return linkFiles(
    root,
    answer.hits.map((hit) => ({ ...hit, title: hit.symbol?.qualifiedName ?? hit.title })),
  );
}

function placeOf(hit: Hit) {
  return {
    content: hit.content,
    path: hit.path,
    start_line: hit.startLine,
    end_line: hit.endLine,
    relevance_percent: Math.round(hit.score * 100),
  };
}

function codeResult(hit: Hit) {
  const { symbol } = hit;
  return {
    ...placeOf(hit),
    kind: symbol?.kind ?? hit.chunkType,
    symbols: hit.symbolNames,
    ...(symbol?.signature && { signature: symbol.signature }),
    ...(symbol && symbol.breadcrumb.length > 0 && { breadcrumb: [...symbol.breadcrumb, symbol.name].join(' > ') }),
    ...(symbol?.doc && { doc_comment: symbol.doc }),
  };
}

/** The caller wants a summary and there are results. */
function nothingFound(query: string, { nearestNames, expansion }: SearchAnswer): Synthesis {
  const named = nearestNames.map((name) => `Where is ${name} defined?`);
  const used = expansion?.terms.map((term) => `Where is "${term}" used?`) ?? [];
  return {
    source: 'builtin',
    summary: `Nothing matches "${query}".`,
    followUps: [...named, ...used].slice(0, MAX_FOLLOW_UPS),
  };
}

function answerFields(answer: SearchAnswer, filters: SearchFilters) {
  const isNarrowed = answer.hits.length === 0 && Object.keys(filters).length > 0;
  const notices = [...(isNarrowed ? [NOTHING_LEFT] : []), ...answer.notices, ...staleNotices(answer.freshness)];
  return {
    // Candidates are counted by file; a file may appear at two places.
    total: Math.max(answer.totalCandidates, answer.hits.length),
    ...(answer.nearestNames.length > 0 && { suggestions: answer.nearestNames }),
    ...(notices.length > 0 && { notices }),
  };
}
