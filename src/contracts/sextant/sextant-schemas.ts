/**
 * The full input schemas of the tools. Clients get the brief form: every word of a tool list stays in an agent's
 * context, so the whole list must stay under 12 KB (a test counts it). Ranges and defaults that the brief form omits
 * are checked, and an error names them.
 */
import type { ObjectSchema, Schema } from '../kit/json-schema.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const flag = { type: 'boolean' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

function about<const T extends Schema>(schema: T, description: string): T & { readonly description: string } {
  return { ...schema, description };
}

const path = about(text, 'Project or folder in it');
const project = about(text, 'Project folder');
const ref = about(text, 'Indexed branch or commit');
/** A parameter of every tool. Handlers see these repositories as their workspace. */
export const REPOS = about({ type: 'array', items: text, maxItems: 1000 } as const, 'Repositories');
const pathFilter = about(text, 'Glob: src/auth/**');
/** Without a limit, a list ends after the relevant results. */
const limit = (maximum: number) => about({ type: 'integer', minimum: 1, maximum } as const, 'Most results');
/** Without a budget, an answer is as short as possible; with one, the answer fills it. */
const tokens = about({ type: 'integer', minimum: 200, maximum: 100_000 } as const, 'Room to fill');
const query = (description: string) => about({ type: 'string', maxLength: 10_000 } as const, description);

export const SEARCH_CODE = {
  type: 'object',
  properties: {
    query: query('Question, name, path, or error message as printed'),
    path,
    limit: limit(100),
    mode: about({ type: 'string', enum: ['hybrid', 'keyword', 'vector'], default: 'hybrid' } as const, 'How to match'),
    path_filter: pathFilter,
    filters: {
      type: 'object',
      description:
        'Such as {languages: ["go"], kinds: ["method"], include_tests: false}; also packages[], tags[], roles[], ' +
        'chunk_types[], min_relevance, semantic_weight (0-1), explain, wait_fresh',
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
    ref,
    expand_query: about(flag, 'Related words, too'),
    synthesize: about(flag, 'Add a summary'),
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

export const SEARCH_DOCS = {
  type: 'object',
  properties: {
    query: query('Such as "how to run the tests"'),
    path,
    limit: limit(100),
    path_filter: pathFilter,
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

export const LOCATE_SYMBOL = {
  type: 'object',
  properties: {
    name: about(
      { type: 'string', minLength: 1, maxLength: 1000 } as const,
      '"refresh", "AuthService.refresh", or a result id',
    ),
    path,
    kind: about(text, 'function, method, class, type …'),
    language: about(text, '"go"'),
    limit: limit(100),
    references: about(flag, 'Add its uses'),
    detail: about(flag, 'Add source, callers, callees, implementers, tests'),
    ref,
    max_tokens: tokens,
  },
  required: ['name'],
  additionalProperties: false,
} as const;

export const CODE_RESEARCH = {
  type: 'object',
  properties: {
    query: query('Such as "what calls Auth.refresh"'),
    path,
    depth: about({ type: 'integer', default: 2, minimum: 1, maximum: 5 } as const, 'Hops, 1-5; default 2'),
    focus: about({ type: 'string', enum: ['architecture', 'dependencies', 'patterns', 'flow'] } as const, 'Aspect'),
    graph: about(flag, 'Add edges, Mermaid'),
    ref,
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

const line = (description: string) => about({ type: 'integer', minimum: 1 } as const, description);

export const IMPACT = {
  type: 'object',
  properties: {
    target: about({ type: 'string', minLength: 1, maxLength: 4096 } as const, 'Symbol or FILE:10-20'),
    diff: about({ type: 'string', minLength: 1, maxLength: 1000 } as const, 'REV, A..B or REV^!'),
    staged: about(flag, 'Only what is staged'),
    path,
    ref,
    max_tokens: tokens,
  },
  additionalProperties: false,
} as const;

export const READ_FILE = {
  type: 'object',
  properties: {
    path: about({ type: 'string', minLength: 1, maxLength: 4096 } as const, 'File: src/auth.ts'),
    project,
    start_line: line('From 1'),
    end_line: line('Last line'),
    outline: about(flag, 'Symbols instead'),
    dependencies: about(flag, 'Add what it imports'),
    dependency_content: about(flag, 'Add their text'),
    dependants: about(flag, 'Add what imports it'),
    max_tokens: about({ type: 'integer', minimum: 200, maximum: 100_000 } as const, 'Default 10000'),
  },
  required: ['path'],
  additionalProperties: false,
} as const;

export const GREP_CODEBASE = {
  type: 'object',
  properties: {
    pattern: about({ type: 'string', minLength: 1, maxLength: 1000 } as const, 'Regular expression: TODO|FIXME'),
    path,
    file_pattern: about(text, 'Glob or file: *.py'),
    case_sensitive: about(flag, 'Default: smart case'),
    literal: about(flag, 'Plain text'),
    limit: limit(500),
    context_lines: about({ type: 'integer', default: 0, minimum: 0, maximum: 20 } as const, 'Lines around, 0-20'),
    max_tokens: tokens,
  },
  required: ['pattern'],
  additionalProperties: false,
} as const;

const DISCOVERY = ['pattern', 'rule', 'decision', 'issue'] as const;

export const CONTEXT_SEARCH = {
  type: 'object',
  properties: {
    query: query('Such as "why are prices integers", or an id'),
    path: project,
    type: about({ type: 'string', enum: ['all', ...DISCOVERY], default: 'all' } as const, 'Kind'),
    module: about(text, '"billing"'),
    history: about(flag, 'Commits of a symbol or words'),
    limit: limit(50),
    max_tokens: tokens,
  },
  required: ['query'],
  additionalProperties: false,
} as const;

export const REMEMBER = {
  type: 'object',
  properties: {
    type: about({ type: 'string', enum: DISCOVERY } as const, 'Kind'),
    content: about({ type: 'string', minLength: 3, maxLength: 4000 } as const, 'One fact, with its reason'),
    path: project,
    module: about(text, '"billing"'),
    evidence: about({ type: 'array', items: text, maxItems: 20 } as const, 'src/auth.ts:10-20'),
  },
  required: ['type', 'content'],
  additionalProperties: false,
} as const;

export const INDEX_CODEBASE = {
  type: 'object',
  properties: {
    path: project,
    ref: about(text, 'Branch, tag or commit'),
    force: about(flag, 'Read every file again'),
    include_tests: about(flag, 'Default true'),
    include_vendor: about(flag, 'Default false'),
  },
  additionalProperties: false,
} as const;

export const GET_STATUS = {
  type: 'object',
  properties: { path: project, ref },
  additionalProperties: false,
} as const;

/**
 * The form that is listed: names, types, choices and descriptions, without nested properties and defaults (the first
 * choice is the default). A range is listed where no description says it.
 */
export function brief(schema: ObjectSchema): ObjectSchema {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, { type, description, enum: choices, items, maximum }]) => {
      const short: Schema = {
        ...(type && { type }),
        ...(description !== undefined && { description }),
        ...(description === undefined && maximum !== undefined && { maximum }),
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
