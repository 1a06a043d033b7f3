/**
 * Input and output schemas of the contract, as clients see them. An output is the answer or, with isError, an object
 * with `error`.
 */
const text = { type: 'string' } as const;
const count = { type: 'integer' } as const;
const texts = { type: 'array', items: text } as const;

/** Clients check structured content of errors too: every output schema admits them. */
const orError = (...required: readonly string[]) => [{ required }, { required: ['error'] }] as const;

export const CONTEXT_SEARCH_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 3, maxLength: 500, description: 'Search query describing what to find' },
    type: {
      type: 'string',
      enum: ['all', 'pattern', 'rule', 'decision', 'issue'],
      default: 'all',
      description: 'Filter by discovery type',
    },
    module: { type: 'string', description: 'Filter by module name' },
    limit: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: 'Maximum number of results to return' },
  },
  required: ['query'],
} as const;

export const READ_FILE_INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, description: 'File path relative to project root' },
    includeDeps: { type: 'boolean', default: false, description: 'Include level 1 dependencies (imports)' },
    maxDepth: {
      type: 'integer',
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'Dependency tree depth (MVP: max 1)',
    },
  },
  required: ['path'],
} as const;

export const GREP_INPUT = {
  type: 'object',
  properties: {
    pattern: { type: 'string', minLength: 1, maxLength: 200, description: 'Regex pattern to search for' },
    filePattern: { type: 'string', description: 'Glob pattern to filter files (e.g., "**/*.ts")' },
    caseSensitive: { type: 'boolean', default: false, description: 'Case-sensitive search' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'Maximum number of matches to return',
    },
  },
  required: ['pattern'],
} as const;

export const REMEMBER_INPUT = {
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['pattern', 'rule', 'decision', 'issue'],
      description: 'What kind of discovery it is',
    },
    content: {
      type: 'string',
      minLength: 3,
      maxLength: 4000,
      description: 'The discovery, in words that make sense on their own',
    },
    module: { type: 'string', description: 'Module it belongs to' },
    files: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 20,
      description: 'Files that show it (relative paths)',
    },
  },
  required: ['type', 'content'],
} as const;

export const CONTEXT_SEARCH_OUTPUT = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          type: text,
          content: text,
          module: text,
          session: text,
          date: text,
          score: { type: 'number' },
          source: text,
          files: texts,
          status: text,
          supersededBy: text,
          contradicts: texts,
        },
        required: ['id', 'type', 'content', 'module', 'session', 'date', 'score', 'source'],
      },
    },
    query: text,
    totalFound: count,
    searchTime: count,
  },
  anyOf: orError('results', 'query', 'totalFound', 'searchTime'),
} as const;

export const READ_FILE_OUTPUT = {
  type: 'object',
  properties: {
    file: {
      type: 'object',
      properties: { path: text, content: text, size: count, lines: count, language: text },
      required: ['path', 'content', 'size', 'lines', 'language'],
    },
    dependencies: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: text, type: text, level: count, content: text, outline: texts },
        required: ['path', 'type', 'level'],
      },
    },
    external: texts,
    metadata: {
      type: 'object',
      properties: { module: text, role: text, lastModified: text },
      required: ['module', 'role', 'lastModified'],
    },
    warnings: texts,
  },
  anyOf: orError('file', 'dependencies', 'metadata'),
} as const;

export const GREP_OUTPUT = {
  type: 'object',
  properties: {
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          file: text,
          line: count,
          column: count,
          text,
          context: { type: 'object', properties: { before: texts, after: texts }, required: ['before', 'after'] },
        },
        required: ['file', 'line', 'column', 'text', 'context'],
      },
    },
    pattern: text,
    totalMatches: count,
    filesSearched: count,
    searchTime: count,
    message: text,
  },
  anyOf: orError('matches', 'totalMatches'),
} as const;

export const REMEMBER_OUTPUT = {
  type: 'object',
  properties: {
    id: text,
    outcome: text,
    type: text,
    module: text,
    session: text,
    date: text,
    contradicts: texts,
    formerly: text,
  },
  anyOf: orError('id', 'outcome'),
} as const;
