/** Input and output schemas of the contract, as clients see them. */
const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;
const amount = { type: 'number' } as const;
const flag = { type: 'boolean' } as const;

export const INDEX_INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path to Go project root' },
    force_reindex: { type: 'boolean', description: 'Force full re-index ignoring file hashes', default: false },
    include_tests: { type: 'boolean', description: 'Include *_test.go files in index', default: true },
    include_vendor: { type: 'boolean', description: 'Include vendor/ directory in index', default: false },
  },
  required: ['path'],
} as const;

export const SEARCH_INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path to indexed Go project' },
    query: { type: 'string', description: 'Search query (natural language or keywords)', maxLength: 1000 },
    limit: { type: 'integer', description: 'Maximum number of results (1-100)', minimum: 1, maximum: 100, default: 10 },
    filters: {
      type: 'object',
      description: 'Optional filters to narrow search',
      properties: {
        symbol_types: {
          type: 'array',
          description: 'Limit to specific symbol kinds',
          items: { type: 'string', enum: ['function', 'method', 'struct', 'interface', 'type'] },
        },
        file_pattern: { type: 'string', description: 'Limit to files matching glob pattern (e.g., "internal/**")' },
        ddd_patterns: {
          type: 'array',
          description: 'Limit to DDD pattern types',
          items: { type: 'string', enum: ['aggregate', 'entity', 'value_object', 'repository', 'service'] },
        },
        packages: { type: 'array', description: 'Limit to specific packages', items: { type: 'string' } },
        min_relevance: { type: 'number', description: 'Minimum relevance score threshold', minimum: 0, maximum: 1 },
      },
      default: {},
      // Refuses unknown filters: ignoring one would return results that look filtered and are not.
      additionalProperties: false,
    },
    search_mode: {
      type: 'string',
      enum: ['hybrid', 'vector', 'keyword'],
      description: 'Search strategy to use',
      default: 'hybrid',
    },
  },
  required: ['path', 'query'],
} as const;

export const STATUS_INPUT = {
  type: 'object',
  properties: { path: { type: 'string', description: 'Absolute path to Go project' } },
  required: ['path'],
} as const;

export const INDEX_OUTPUT = {
  type: 'object',
  properties: {
    success: flag,
    project_id: count,
    statistics: {
      type: 'object',
      properties: {
        files_indexed: count,
        files_skipped: count,
        files_failed: count,
        symbols_extracted: count,
        chunks_created: count,
        embeddings_generated: count,
        duration_seconds: amount,
        index_size_mb: amount,
      },
      required: ['files_indexed', 'files_skipped', 'files_failed', 'duration_seconds'],
    },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { file: text, error: text }, required: ['file', 'error'] },
    },
    errors_total: count,
    errors_omitted: count,
    message: text,
  },
  required: ['success', 'project_id', 'statistics', 'errors', 'message'],
} as const;

export const SEARCH_OUTPUT = {
  type: 'object',
  properties: {
    success: flag,
    query: text,
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          chunk_id: count,
          rank: count,
          relevance_score: amount,
          symbol: {
            type: ['object', 'null'],
            properties: { name: text, kind: text, package: text, signature: text, doc_comment: text },
          },
          file: {
            type: 'object',
            properties: { path: text, package: text, start_line: count, end_line: count },
            required: ['path', 'package', 'start_line', 'end_line'],
          },
          content: text,
          context_before: text,
          context_after: text,
        },
        required: ['chunk_id', 'rank', 'relevance_score', 'symbol', 'file', 'content'],
      },
    },
    statistics: {
      type: 'object',
      properties: { total_results: count, returned_results: count, search_duration_ms: count, cache_hit: flag },
      required: ['total_results', 'returned_results', 'search_duration_ms', 'cache_hit'],
    },
    message: text,
    suggestions: { type: 'array', items: text },
    notices: { type: 'array', items: text },
  },
  required: ['success', 'query', 'results', 'statistics', 'message'],
} as const;

export const STATUS_OUTPUT = {
  type: 'object',
  properties: {
    success: flag,
    indexed: flag,
    project: {
      type: ['object', 'null'],
      properties: { id: count, root_path: text, module_name: text, go_version: text, index_version: text },
    },
    statistics: {
      type: ['object', 'null'],
      properties: {
        total_files: count,
        total_symbols: count,
        total_chunks: count,
        total_embeddings: count,
        index_size_mb: amount,
        last_indexed_at: text,
        indexing_duration_seconds: amount,
      },
    },
    health: {
      type: ['object', 'null'],
      properties: { database_accessible: flag, embeddings_available: flag, fts_indexes_built: flag },
    },
    message: text,
    notices: { type: 'array', items: text },
  },
  required: ['success', 'indexed', 'project', 'statistics', 'health', 'message'],
} as const;
