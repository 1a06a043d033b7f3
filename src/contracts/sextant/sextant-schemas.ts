/**
 * Inputs of the ten tools, in full. Clients get the brief form: every word of a tool list stays in an agent's context,
 * so the whole list must stay under 6 KB (a test counts it). Names speak for themselves, descriptions say only what a
 * name cannot; ranges and defaults are checked and named when they are missed.
 */
import type { ObjectSchema, Schema } from '../kit/json-schema.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const flag = { type: 'boolean' } as const;
const line = { type: 'integer', minimum: 1 } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
/** Left out, a list stops where the answers stop. */
const limit = (maximum: number) => ({ type: 'integer', minimum: 1, maximum }) as const;
/** Left out, an answer is as short as it can be; given, it uses the room. */
const tokens = { type: 'integer', minimum: 200, maximum: 100_000 } as const;
const query = { type: 'string', maxLength: 10_000 } as const;

export const SEARCH_CODE = {
  type: 'object',
  properties: {
    query,
    path: text,
    limit: limit(100),
    mode: { type: 'string', enum: ['hybrid', 'keyword', 'vector'], default: 'hybrid' },
    path_filter: text,
    filters: {
      type: 'object',
      description:
        'languages[], kinds[], packages[], roles[], chunk_types[], tags[], include_tests, min_relevance, semantic_weight, explain, wait_fresh',
      properties: {
        languages: texts,
        kinds: texts,
        packages: texts,
        roles: {
          type: 'array',
          items: { type: 'string', enum: ['aggregate', 'entity', 'value_object', 'repository', 'service'] },
        },
        chunk_types: {
          type: 'array',
          items: { type: 'string', enum: ['definitions', 'symbols', 'documentation', 'data'] },
        },
        tags: texts,
        include_tests: flag,
        min_relevance: share,
        semantic_weight: share,
        explain: flag,
        wait_fresh: flag,
      },
      default: {},
      additionalProperties: false,
    },
    ref: text,
    expand_query: flag,
    synthesize: flag,
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

export const SEARCH_DOCS = {
  type: 'object',
  properties: {
    query,
    path: text,
    limit: limit(100),
    path_filter: text,
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

export const LOCATE_SYMBOL = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 1000 },
    path: text,
    kind: text,
    language: text,
    limit: limit(100),
    references: flag,
    detail: flag,
    ref: text,
    max_tokens: tokens,
  },
  required: ['name'],
  additionalProperties: false,
} as const;

export const CODE_RESEARCH = {
  type: 'object',
  properties: {
    query,
    path: text,
    depth: { type: 'integer', default: 2, minimum: 1, maximum: 5 },
    focus: { type: 'string', enum: ['architecture', 'dependencies', 'patterns', 'flow'] },
    graph: flag,
    ref: text,
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

export const READ_FILE = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, maxLength: 4096 },
    project: text,
    start_line: line,
    end_line: line,
    outline: flag,
    dependencies: flag,
    dependency_content: flag,
    dependants: flag,
    max_tokens: tokens,
  },
  required: ['path'],
  additionalProperties: false,
} as const;

export const GREP_CODEBASE = {
  type: 'object',
  properties: {
    pattern: { type: 'string', minLength: 1, maxLength: 1000 },
    path: text,
    file_pattern: text,
    case_sensitive: flag,
    literal: flag,
    limit: limit(500),
    context_lines: { type: 'integer', default: 0, minimum: 0, maximum: 20 },
    max_tokens: tokens,
  },
  required: ['pattern'],
  additionalProperties: false,
} as const;

const DISCOVERY = ['pattern', 'rule', 'decision', 'issue'] as const;

export const CONTEXT_SEARCH = {
  type: 'object',
  properties: {
    query,
    path: text,
    type: { type: 'string', enum: ['all', ...DISCOVERY], default: 'all' },
    module: text,
    limit: limit(50),
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

export const REMEMBER = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: DISCOVERY },
    content: { type: 'string', minLength: 3, maxLength: 4000 },
    path: text,
    module: text,
    evidence: { type: 'array', items: text, maxItems: 20 },
  },
  required: ['type', 'content'],
  additionalProperties: false,
} as const;

export const INDEX_CODEBASE = {
  type: 'object',
  properties: { path: text, ref: text, force: flag, include_tests: flag, include_vendor: flag },
  additionalProperties: false,
} as const;

export const GET_STATUS = {
  type: 'object',
  properties: { path: text, ref: text },
  additionalProperties: false,
} as const;

/** Answers differ with what there is to say; the contract profiles promise every field. */
export const OUTPUT = { type: 'object' } as const;

/** The form that is listed: names, types, choices and descriptions, without ranges, defaults and nested properties. */
export function brief(schema: ObjectSchema): ObjectSchema {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, { type, description, enum: choices, items }]) => {
      const short: Schema = {
        ...(type && { type }),
        ...(description !== undefined && { description }),
        ...(choices && { enum: choices }),
        ...(items && { items }),
      };
      return [name, short] as const;
    },
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(schema.required && { required: schema.required }),
  };
}
