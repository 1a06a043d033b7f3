/**
 * Input and output schemas of the contract, as clients see them. An output is the answer or, with isError, an object
 * with `error`.
 */
const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;
const amount = { type: 'number' } as const;
const countOrNull = { type: ['integer', 'null'] } as const;

const ref = (description: string) => ({ type: 'string', description }) as const;
const limit = {
  type: 'integer',
  minimum: 1,
  maximum: 1000,
  default: 10,
  description: 'Max results. Default: 10.',
} as const;
const SCOPE = 'Branch/ref scope. Default: current HEAD; if unavailable, project `default_ref`; fallback `"live"`.';

export const INDEX_INPUT = {
  type: 'object',
  properties: {
    force: { type: 'boolean', default: false, description: 'Force full re-index (ignore manifest). Default: false.' },
    ref: ref('Branch/ref to index. Default: current HEAD or project default.'),
  },
} as const;

export const SYNC_INPUT = {
  type: 'object',
  properties: {
    force: { type: 'boolean', default: false, description: 'Force full sync. Default: false (incremental).' },
    ref: ref('Branch/ref to sync. Default: current HEAD or project default.'),
  },
} as const;

export const LOCATE_INPUT = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      description: 'Symbol name to locate. A symbol_id, symbol_stable_id or result_id of an earlier answer works too.',
    },
    kind: { type: 'string', description: 'Filter by kind (fn, struct, class, method, etc.).' },
    language: { type: 'string', description: 'Filter by language.' },
    ref: ref(SCOPE),
    limit,
  },
  required: ['name'],
} as const;

export const SEARCH_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Search query (symbol name, path, error string, or natural language).' },
    ref: ref(SCOPE),
    language: { type: 'string', description: 'Filter by language.' },
    limit,
  },
  required: ['query'],
} as const;

export const STATUS_INPUT = {
  type: 'object',
  properties: { ref: ref('Branch/ref to query status for. Default: current HEAD or project default.') },
} as const;

const METADATA = {
  type: 'object',
  properties: {
    codecompass_protocol_version: text,
    freshness_status: { type: 'string', enum: ['fresh', 'stale', 'syncing'] },
    indexing_status: { type: 'string', enum: ['not_indexed', 'indexing', 'ready', 'failed'] },
    result_completeness: { type: 'string', enum: ['complete', 'partial', 'truncated'] },
    ref: text,
    schema_status: { type: 'string', enum: ['compatible', 'not_indexed', 'reindex_required', 'corrupt_manifest'] },
  },
  required: [
    'codecompass_protocol_version',
    'freshness_status',
    'indexing_status',
    'result_completeness',
    'ref',
    'schema_status',
  ],
} as const;

const ERROR = {
  type: 'object',
  properties: { code: text, message: text, fix: text },
  required: ['code', 'message'],
} as const;

/** Every answer has the metadata block; the other fields are missing when `error` is present. */
function output<const P extends Readonly<Record<string, object>>>(
  properties: P,
  ...required: readonly (keyof P & string)[]
) {
  return {
    type: 'object',
    properties: { ...properties, error: ERROR, metadata: METADATA },
    required: ['metadata'],
    anyOf: [{ required }, { required: ['error'] }],
  } as const;
}

export const INDEX_OUTPUT = output(
  { job_id: text, status: text, mode: text, file_count: countOrNull },
  'job_id',
  'status',
  'mode',
  'file_count',
);

export const SYNC_OUTPUT = output(
  { job_id: text, status: text, mode: text, changed_files: countOrNull },
  'job_id',
  'status',
  'mode',
  'changed_files',
);

const PLACE = { path: text, line_start: count, line_end: count, language: text, score: amount } as const;
const SYMBOL = { symbol_id: text, symbol_stable_id: text, kind: text, name: text, qualified_name: text } as const;
const ACTION = {
  type: 'object',
  properties: { tool: text, name: text, query: text, ref: text, limit: count },
  required: ['tool'],
} as const;

export const LOCATE_OUTPUT = output(
  {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: { ...SYMBOL, ...PLACE, signature: text, result_id: text, result_type: text, snippet: text },
        required: Object.keys(PLACE),
        // A text chunk that the caller requested by its id has no symbol.
        anyOf: [
          { required: [...Object.keys(SYMBOL), 'signature'] },
          { required: ['result_id', 'result_type', 'snippet'] },
        ],
      },
    },
    total_candidates: count,
    message: text,
    suggested_next_actions: { type: 'array', items: ACTION },
  },
  'results',
  'total_candidates',
);

export const SEARCH_OUTPUT = output(
  {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: { result_id: text, result_type: text, ...SYMBOL, ...PLACE, snippet: text },
        required: ['result_id', 'result_type', ...Object.keys(PLACE), 'snippet'],
      },
    },
    query_intent: { type: 'string', enum: ['symbol', 'path', 'error', 'natural_language'] },
    total_candidates: count,
    message: text,
    suggested_next_actions: { type: 'array', items: ACTION },
    notices: { type: 'array', items: text },
    debug: { type: 'object' },
  },
  'results',
  'query_intent',
  'total_candidates',
  'suggested_next_actions',
);

const JOB = {
  properties: {
    job_id: text,
    ref: text,
    mode: text,
    status: text,
    changed_files: countOrNull,
    duration_ms: countOrNull,
    created_at: text,
    error: text,
  },
} as const;

export const STATUS_OUTPUT = output(
  {
    project_id: text,
    repo_root: text,
    index_status: text,
    schema_status: text,
    current_schema_version: count,
    required_schema_version: count,
    last_indexed_at: { type: ['string', 'null'] },
    ref: text,
    file_count: count,
    symbol_count: count,
    active_job: { type: ['object', 'null'], ...JOB },
    recent_jobs: { type: 'array', items: { type: 'object', ...JOB } },
  },
  'project_id',
  'repo_root',
  'index_status',
  'schema_status',
  'last_indexed_at',
  'ref',
  'file_count',
  'symbol_count',
  'active_job',
  'recent_jobs',
);
