/**
 * Inputs of the tools, in full, each parameter with what it takes. Clients get the brief form: every word of a tool
 * list stays in an agent's context, so the whole list must stay under 12 KB (a test counts it). Ranges and defaults are
 * checked, and named when they are missed.
 */
import type { ObjectSchema, Schema } from '../kit/json-schema.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const flag = { type: 'boolean' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;

function about<const T extends Schema>(schema: T, description: string): T & { readonly description: string } {
  return { ...schema, description };
}

const path = about(text, 'Project, or folder in it; default: workspace');
const project = about(text, 'Default: workspace');
const ref = about(text, 'Indexed branch, tag or commit');
const pathFilter = about(text, 'Glob, such as "src/auth/**"');
/** Left out, a list stops where the answers stop. */
const limit = (maximum: number) => about({ type: 'integer', minimum: 1, maximum } as const, `1-${maximum}`);
/** Left out, an answer is as short as it can be; given, it uses the room. */
const tokens = about({ type: 'integer', minimum: 200, maximum: 100_000 } as const, 'Room to fill; default: short');
const query = (description: string) => about({ type: 'string', maxLength: 10_000 } as const, description);

export const SEARCH_CODE = {
  type: 'object',
  properties: {
    query: query('Question, words, name, path, or error message as printed'),
    path,
    limit: limit(100),
    mode: about(
      { type: 'string', enum: ['hybrid', 'keyword', 'vector'], default: 'hybrid' } as const,
      'Default hybrid',
    ),
    path_filter: pathFilter,
    filters: {
      type: 'object',
      description:
        'Such as {"languages":["go"],"kinds":["method"],"include_tests":false}; also packages[], tags[], ' +
        'roles[], chunk_types[], min_relevance, semantic_weight (0-1), explain, wait_fresh',
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
    language: about(text, 'Such as "go"'),
    limit: limit(100),
    references: about(flag, 'Add its uses'),
    detail: about(flag, 'Add source, callers, callees, implementers and tests'),
    ref,
    max_tokens: tokens,
  },
  required: ['name'],
  additionalProperties: false,
} as const;

export const CODE_RESEARCH = {
  type: 'object',
  properties: {
    query: query('Such as "what calls Auth.refresh", "how does main reach the database"'),
    path,
    depth: about({ type: 'integer', default: 2, minimum: 1, maximum: 5 } as const, 'Hops, 1-5; default 2'),
    focus: about(
      { type: 'string', enum: ['architecture', 'dependencies', 'patterns', 'flow'] } as const,
      'Of an open question',
    ),
    graph: about(flag, 'Add edges and a Mermaid diagram'),
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
    path: about({ type: 'string', minLength: 1, maxLength: 4096 } as const, 'File, such as "src/auth.ts"'),
    project,
    start_line: line('First line, from 1'),
    end_line: line('Last line, inclusive'),
    outline: about(flag, 'Symbols and their lines instead'),
    dependencies: about(flag, 'Add what it imports'),
    dependency_content: about(flag, 'Add their text'),
    dependants: about(flag, 'Add what imports it'),
    max_tokens: about(
      { type: 'integer', minimum: 200, maximum: 100_000 } as const,
      'Room for the answer; default 10000',
    ),
  },
  required: ['path'],
  additionalProperties: false,
} as const;

export const GREP_CODEBASE = {
  type: 'object',
  properties: {
    pattern: about(
      { type: 'string', minLength: 1, maxLength: 1000 } as const,
      'Regular expression, such as "TODO|FIXME"',
    ),
    path,
    file_pattern: about(text, 'Glob or file, such as "*.py"'),
    case_sensitive: about(flag, 'Default: if the pattern has upper case'),
    literal: about(flag, 'Pattern is plain text'),
    limit: limit(500),
    context_lines: about({ type: 'integer', default: 0, minimum: 0, maximum: 20 } as const, 'Around each match, 0-20'),
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
    type: about({ type: 'string', enum: ['all', ...DISCOVERY], default: 'all' } as const, 'Default all'),
    module: about(text, 'Such as "billing"'),
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
    type: { type: 'string', enum: DISCOVERY },
    content: about({ type: 'string', minLength: 3, maxLength: 4000 } as const, 'One fact, with its reason'),
    path: project,
    module: about(text, 'Such as "billing"'),
    evidence: about({ type: 'array', items: text, maxItems: 20 } as const, 'Such as "src/auth.ts:10-20"'),
  },
  required: ['type', 'content'],
  additionalProperties: false,
} as const;

export const INDEX_CODEBASE = {
  type: 'object',
  properties: {
    path: project,
    ref: about(text, 'Branch, tag or commit; no checkout needed'),
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
