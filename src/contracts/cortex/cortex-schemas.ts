/**
 * Input and output of the one tool. The checked input is wider than the listed one: a limit out of range is clamped,
 * not refused.
 */
const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

const query = { type: 'string', description: 'What to look for, in natural language' } as const;
const tags = { type: 'array', items: text, description: 'Results must have ALL of these tags' } as const;
const chunkTypes = {
  type: 'array',
  items: text,
  description: 'documentation, symbols, definitions, data; leave empty to search all',
} as const;

export const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 15;

export const LISTED_INPUT = {
  type: 'object',
  properties: {
    query,
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: 'Maximum number of results',
    },
    tags,
    chunk_types: chunkTypes,
  },
  required: ['query'],
} as const;

export const CHECKED_INPUT = {
  type: 'object',
  properties: { query, limit: { type: 'number', default: DEFAULT_LIMIT }, tags, chunk_types: chunkTypes },
  required: ['query'],
} as const;

export const OUTPUT = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          chunk: {
            type: 'object',
            properties: {
              id: text,
              chunk_type: text,
              title: text,
              text,
              tags: texts,
              metadata: { type: 'object' },
              created_at: text,
              updated_at: text,
            },
            required: ['id', 'chunk_type', 'title', 'text', 'tags', 'metadata', 'created_at', 'updated_at'],
          },
          combined_score: { type: 'number' },
        },
        required: ['chunk', 'combined_score'],
      },
    },
    total: { type: 'integer' },
  },
  required: ['results', 'total'],
} as const;
