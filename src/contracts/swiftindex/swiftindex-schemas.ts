/** Input schemas exactly as in the contract; output schemas of our own. */
const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;
const texts = { type: 'array', items: text } as const;

const FORMAT = { type: 'string', enum: ['toon', 'json', 'human'], description: 'Output format' } as const;
const PATH = { type: 'string', default: '.', description: 'Path to indexed codebase' } as const;
const PATH_FILTER = { type: 'string', description: 'Filter by path pattern (glob syntax)' } as const;

export const INDEX_INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path to the directory to index' },
    force: { type: 'boolean', default: false, description: "Force re-indexing even if files haven't changed" },
  },
  required: ['path'],
} as const;

export const SEARCH_CODE_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Natural language search query or code pattern' },
    path: PATH,
    limit: { type: 'integer', default: 20 },
    semantic_weight: { type: 'number', default: 0.7, description: 'Weight for semantic search (0.0-1.0)' },
    extensions: { type: 'string', description: 'Filter by file extensions (comma-separated)' },
    path_filter: PATH_FILTER,
    format: FORMAT,
    expand_query: { type: 'boolean', default: false, description: 'Use LLM to expand query' },
    synthesize: { type: 'boolean', default: false, description: 'Generate LLM summary' },
  },
  required: ['query'],
} as const;

export const SEARCH_DOCS_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Natural language search query' },
    path: PATH,
    limit: { type: 'integer', default: 10 },
    path_filter: PATH_FILTER,
    format: FORMAT,
  },
  required: ['query'],
} as const;

export const RESEARCH_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Research question about codebase' },
    path: PATH,
    depth: { type: 'integer', default: 2, minimum: 1, maximum: 5 },
    focus: {
      type: 'string',
      enum: ['architecture', 'dependencies', 'patterns', 'flow'],
      description: 'Optional focus area',
    },
  },
  required: ['query'],
} as const;

export const INDEX_OUTPUT = {
  type: 'object',
  properties: {
    path: text,
    mode: { type: 'string', enum: ['full', 'incremental'] },
    files: count,
    files_indexed: count,
    files_unchanged: count,
    files_removed: count,
    files_skipped: count,
    files_failed: count,
    chunks: count,
    symbols: count,
    errors: { type: 'array', items: { type: 'object', properties: { path: text, line: count, message: text } } },
    errors_total: count,
    errors_omitted: count,
    duration_seconds: { type: 'number' },
  },
  required: ['path', 'mode', 'files', 'files_indexed', 'chunks', 'errors'],
} as const;

const PLACE = { content: text, path: text, start_line: count, end_line: count, relevance_percent: count } as const;

export const SEARCH_CODE_OUTPUT = {
  type: 'object',
  properties: {
    query: text,
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...PLACE,
          kind: text,
          symbols: texts,
          signature: text,
          breadcrumb: text,
          doc_comment: text,
        },
        required: ['content', 'path', 'start_line', 'end_line', 'relevance_percent', 'kind', 'symbols'],
      },
    },
    total: count,
    expanded_query: { type: 'object', properties: { source: text, model: text, terms: texts } },
    summary: text,
    summary_source: text,
    summary_model: text,
    follow_ups: texts,
    suggestions: texts,
    notices: texts,
  },
  required: ['query', 'results', 'total'],
} as const;

export const SEARCH_DOCS_OUTPUT = {
  type: 'object',
  properties: {
    query: text,
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: { ...PLACE, breadcrumb: text },
        required: ['content', 'path', 'start_line', 'end_line', 'relevance_percent'],
      },
    },
    total: count,
    suggestions: texts,
    notices: texts,
  },
  required: ['query', 'results', 'total'],
} as const;

export const RESEARCH_OUTPUT = {
  type: 'object',
  properties: {
    query: text,
    question: text,
    depth: count,
    focus: text,
    summary: text,
    evidence: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: text, start_line: count, end_line: count, snippet: text, why: text, hop: count },
      },
    },
    graph: { type: 'object', properties: { nodes: { type: 'array' }, edges: { type: 'array' } } },
    cycles: { type: 'array' },
    hubs: { type: 'array' },
    mermaid: text,
    next_questions: texts,
    truncated: { type: 'boolean' },
    // Counts of what the size limit left out.
    more_evidence: count,
    more_nodes: count,
    more_edges: count,
    more_cycles: count,
    more_hubs: count,
    more_next_questions: count,
    notices: texts,
  },
  required: ['query', 'summary', 'evidence', 'graph'],
} as const;
