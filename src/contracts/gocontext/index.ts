/**
 * The gocontext contract: index, search and status by absolute path, with JSON-RPC errors. A project must have Go code,
 * unless the server was started with --any-language: then `go_version` is the version of the project's ecosystem.
 */
import { isAbsolute, normalize, posix, sep } from 'node:path';
import type { IndexReport, ProjectStatus } from '../../engine/engine.ts';
import type { Hit, SearchAnswer, SearchFilters } from '../../model/records/query.ts';
import type { ProjectKind, SkippedFile } from '../../model/records/source-file.ts';
import type { SymbolKind } from '../../model/records/symbol.ts';
import { type CallContext, type CreateProfile, defineTool, ToolRegistry, type ToolResult } from '../contract.ts';
import { listErrors } from '../kit/error-list.ts';
import { linkFiles } from '../kit/file-links.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import { reportIndexProgress } from '../kit/index-progress.ts';
import type { ValueOf } from '../kit/json-schema.ts';
import { folderWithin, placesIn } from '../kit/project-path.ts';
import { staleNotices } from '../kit/stale-notices.ts';
import { goError, goErrors, REBUILD } from './gocontext-errors.ts';
import {
  INDEX_INPUT,
  INDEX_OUTPUT,
  SEARCH_INPUT,
  SEARCH_OUTPUT,
  STATUS_INPUT,
  STATUS_OUTPUT,
} from './gocontext-schemas.ts';

const CONTRACT_VERSION = '1.0.0';
const CONTEXT_LINES = 5;
/** The contract's content is the code of the named lines; for a whole file, its first lines. */
const OVERVIEW_LINES = 40;
const NOTHING_LEFT = 'Nothing matches within path and filters: search again without filters, or in the whole project.';

const INSTRUCTIONS = `Search a codebase by meaning or by name before reading files.
- search_code: first choice for "where is …", "how does …" and for symbol names. Give the absolute project path. \
Narrow with filters: symbol_types, file_pattern, packages, ddd_patterns, min_relevance. search_mode "keyword" for \
exact names, "vector" for concepts, "hybrid" otherwise.
- error -32003 means the project has no index yet: call index_codebase once, then search again.
- index_codebase after larger changes: only changed files are read again. force_reindex only when the index is damaged.
- get_status tells whether an index exists, how large it is and whether it is healthy.`;

/** The contract's symbol kinds as kinds of every language. */
const KINDS: Readonly<Record<string, readonly SymbolKind[]>> = {
  function: ['function'],
  method: ['method'],
  struct: ['struct', 'class'],
  interface: ['interface', 'protocol', 'trait'],
  type: ['type'],
};

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The key `settings.gocontext`. */
interface GoSettings {
  /** Also indexes projects without Go. */
  readonly anyLanguage?: boolean;
}

const GO_PROJECT: ProjectKind = {
  language: 'go',
  manifest: 'go.mod',
  missing: 'it has neither go.mod nor a .go file; a server started with --any-language indexes other languages, too',
};

export const createProfile: CreateProfile = ({ settings }) => ({
  name: 'gocontext',
  serverInfo: {
    name: 'gocontext-mcp',
    title: 'GoContext',
    version: CONTRACT_VERSION,
    icons: pathIcon(ICON_PATHS.search),
  },
  instructions: INSTRUCTIONS,
  tools: new ToolRegistry([
    indexCodebase((settings?.gocontext as GoSettings | undefined)?.anyLanguage ?? false),
    searchCode,
    getStatus,
  ]),
  errors: goErrors,
});

const indexCodebase = (anyLanguage: boolean) =>
  defineTool({
    name: 'index_codebase',
    title: 'Index codebase',
    description: 'Index a Go codebase to make it searchable',
    input: INDEX_INPUT,
    output: INDEX_OUTPUT,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    icons: pathIcon(ICON_PATHS.index),
    taskSupport: 'optional',
    async handle(args, ctx) {
      const path = absolute(args.path);
      const report = await ctx.engine.index(path, {
        ...(anyLanguage ? { requireSource: true } : { requireProject: GO_PROJECT }),
        force: args.force_reindex,
        includeTests: args.include_tests,
        includeVendor: args.include_vendor,
        onProgress: reportIndexProgress(ctx),
        signal: ctx.signal,
      });
      const unreadable = (await ctx.engine.skipped(path)).filter(({ reason }) => reason === 'unreadable');
      return { structured: indexPayload(report, unreadable) };
    },
  });

const searchCode = defineTool({
  name: 'search_code',
  title: 'Search code',
  description: 'Search indexed Go codebase with natural language or keyword queries',
  input: SEARCH_INPUT,
  output: SEARCH_OUTPUT,
  annotations: READ_ONLY,
  icons: pathIcon(ICON_PATHS.search),
  handle: (args, ctx) => search(args, ctx),
});

const getStatus = defineTool({
  name: 'get_status',
  title: 'Index status',
  description: 'Query indexing status and statistics for a Go project',
  input: STATUS_INPUT,
  output: STATUS_OUTPUT,
  annotations: READ_ONLY,
  icons: pathIcon(ICON_PATHS.status),
  async handle(args, ctx) {
    return { structured: statusPayload(await ctx.engine.status(absolute(args.path))) };
  },
});

async function search(args: ValueOf<typeof SEARCH_INPUT>, ctx: CallContext): Promise<ToolResult> {
  if (args.query.trim() === '')
    throw goError('emptyQuery', { param: 'query', reason: 'Query parameter is empty or whitespace-only' });
  const path = absolute(args.path);
  const folder = await folderWithin(path, ctx);
  const places = await placesIn(path, { folder, pattern: args.filters.file_pattern }, ctx);
  const packages = await packageFolders(path, args.filters.packages ?? [], ctx);
  const filters = { ...toFilters({ ...args.filters, packages }), ...places };
  const answer = await ctx.engine.search(path, {
    query: args.query,
    limit: args.limit,
    mode: args.search_mode,
    filters,
    contextLines: CONTEXT_LINES,
    overviewLines: OVERVIEW_LINES,
    wholeSymbols: true,
    signal: ctx.signal,
  });
  // Without vectors, a vector search compares nothing, and an empty list would look like "no match".
  if (args.search_mode === 'vector' && answer.mode !== 'vector' && answer.notices.length > 0)
    throw goError('internal', {
      path,
      reason: answer.notices.join(' '),
      fix: 'Use search_mode "hybrid" or "keyword" meanwhile: words answer.',
    });
  const links = linkFiles(
    await ctx.engine.root(path),
    answer.hits.map((hit) => ({ ...hit, title: hit.symbol?.name ?? hit.title })),
  );
  return { structured: searchPayload(args.query, answer, Object.keys(filters).length > 0), content: links };
}

function absolute(path: string): string {
  if (!isAbsolute(path)) throw goError('invalidParams', { param: 'path', path, reason: 'Path must be absolute' });
  if (path.includes('\0')) throw goError('invalidParams', { param: 'path', path, reason: 'Path is not valid' });
  const plain = path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
  if (normalize(plain) !== plain)
    throw goError('invalidParams', {
      param: 'path',
      path,
      reason: `Path is not normalised: it has "..", "." or empty parts. Pass ${normalize(plain)} if that is meant.`,
    });
  return path;
}

function toFilters(filters: ValueOf<typeof SEARCH_INPUT>['filters']): SearchFilters {
  const { symbol_types, ddd_patterns, packages, min_relevance } = filters;
  return {
    ...(symbol_types?.length && { exactKinds: [...new Set(symbol_types.flatMap((type) => KINDS[type] ?? []))] }),
    ...(ddd_patterns?.length && { dddRoles: ddd_patterns }),
    ...(packages?.length && { packages }),
    ...(min_relevance !== undefined && { minRelevance: min_relevance }),
  };
}

/** Maps a whole import path of the project to its folder alone; leaves names and folders unchanged. */
async function packageFolders(path: string, packages: readonly string[], ctx: CallContext): Promise<string[]> {
  if (!packages.some((name) => name.includes('/'))) return [...packages];
  const { moduleName } = await ctx.engine.project(await ctx.engine.root(path));
  return packages.map((name) => {
    if (name === moduleName) return '.';
    return name.startsWith(`${moduleName}/`) ? `./${name.slice(moduleName.length + 1)}` : name;
  });
}

function searchPayload(query: string, answer: SearchAnswer, narrowed: boolean): Record<string, unknown> {
  const durationMs = Math.round(answer.durationMs);
  // Suggested names do not help when the caller's own filters exclude their files.
  const nothingLeft = narrowed && answer.hits.length === 0 ? [NOTHING_LEFT] : [];
  const notices = [...answer.notices, ...nothingLeft, ...staleNotices(answer.freshness)];
  const total = answer.totalCandidates;
  return {
    success: true,
    query,
    results: answer.hits.map(resultOf),
    statistics: {
      total_results: total,
      returned_results: answer.hits.length,
      search_duration_ms: durationMs,
      cache_hit: answer.cacheHit,
    },
    message: `Found ${total} results in ${durationMs}ms`,
    ...(answer.nearestNames.length > 0 && { suggestions: answer.nearestNames }),
    ...(notices.length > 0 && { notices }),
  };
}

function resultOf(hit: Hit, index: number): Record<string, unknown> {
  const folder = posix.dirname(hit.path);
  const { symbol } = hit;
  return {
    chunk_id: hit.chunkId,
    rank: index + 1,
    relevance_score: hit.score,
    symbol: symbol && {
      name: symbol.name,
      kind: symbol.kind,
      package: hit.package === '' || folder === '.' ? hit.package : folder,
      signature: symbol.signature,
      doc_comment: symbol.doc,
    },
    file: { path: hit.path, package: hit.package, start_line: hit.startLine, end_line: hit.endLine },
    content: hit.content,
    context_before: hit.contextBefore ?? '',
    context_after: hit.contextAfter ?? '',
  };
}

function indexPayload(report: IndexReport, unreadable: readonly SkippedFile[]): Record<string, unknown> {
  const seconds = tenths(report.durationMs / 1000);
  const lost = new Set(unreadable.map(({ path }) => path));
  const faulty = report.problems.filter(({ path }) => !lost.has(path));
  const broken = new Set(faulty.map(({ path }) => path));
  // Concerns no single file: some vectors of the provider are missing.
  const vectors = report.vectorError ? [{ file: '', error: report.vectorError.message }] : [];
  const errors = [
    ...vectors,
    ...unreadable.map(({ path, detail }) => ({ file: path, error: `cannot be read: ${detail ?? 'no reason known'}` })),
    ...faulty.map(({ path, line, message }) => ({ file: path, error: `line ${line}: ${message}` })),
  ];
  // A file with a syntax error is indexed as far as it could be parsed; it counts once, as failed.
  const indexed = report.filesIndexed + report.filesAdded - report.filesBroken;
  const all = report.filesIndexed + report.filesUnchanged + report.filesSkipped;
  const failed = lost.size + broken.size;
  return {
    success: true,
    project_id: report.project.numericId,
    statistics: {
      files_indexed: indexed,
      files_skipped: all - indexed - failed,
      files_failed: failed,
      symbols_extracted: report.made.symbols,
      chunks_created: report.made.chunks,
      embeddings_generated: report.made.vectors,
      duration_seconds: seconds,
      index_size_mb: megabytes(report.indexBytes),
    },
    ...listErrors(errors),
    message: `Successfully indexed ${indexed} files in ${seconds} seconds`,
  };
}

function statusPayload(status: ProjectStatus): Record<string, unknown> {
  if (status.schema === 'corrupt_manifest')
    throw goError('internal', {
      path: status.project.root,
      reason: 'The index is damaged and cannot be read.',
      error_code: 'store_corrupt',
      fix: REBUILD,
    });
  if (status.lastIndexedAtMs === null) {
    const message =
      status.indexing === 'indexing'
        ? 'Project not indexed. Its first indexing is in progress.'
        : 'Project not indexed. Run index_codebase to create index.';
    return { success: true, indexed: false, project: null, statistics: null, health: null, message };
  }
  const { project, health, freshness, pending, moved, outdated, failure, ref } = status;
  const notices = staleNotices({
    status: freshness,
    pending,
    ref,
    ...(moved && { moved }),
    ...(outdated && { outdated }),
    ...(failure !== null && { failure }),
  });
  return {
    success: true,
    indexed: true,
    project: {
      id: project.numericId,
      root_path: project.root,
      module_name: project.moduleName,
      go_version: project.languageVersion.replace(/^go /, ''),
      index_version: `${status.schemaVersion}.0.0`,
    },
    statistics: {
      total_files: status.fileCount,
      total_symbols: status.symbolCount,
      total_chunks: status.chunkCount,
      total_embeddings: status.vectorCount,
      index_size_mb: megabytes(status.indexBytes),
      last_indexed_at: new Date(status.lastIndexedAtMs).toISOString(),
      indexing_duration_seconds: tenths((status.lastDurationMs ?? 0) / 1000),
    },
    health: {
      database_accessible: health.storeReadable,
      embeddings_available: health.vectorsAvailable,
      fts_indexes_built: health.postingsBuilt,
    },
    message: `Project indexed successfully with ${status.fileCount} files`,
    ...(notices.length > 0 && { notices }),
  };
}

function megabytes(bytes: number): number {
  return tenths(bytes / (1024 * 1024));
}

function tenths(value: number): number {
  return Number(value.toFixed(1));
}
