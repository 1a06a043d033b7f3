/**
 * The contract's errors: JSON with `error` in the text and `isError` set, never a protocol error, with a fallback where
 * there is one.
 */
import type { EngineError, ErrorCode } from '../../model/records/engine-errors.ts';
import type { ErrorForm, FailedCall, ToolResult } from '../contract.ts';
import type { SchemaIssue } from '../kit/json-schema.ts';
import { workspaceFolder } from '../kit/project-path.ts';
import { pathFault } from './blocked-paths.ts';

export function failure(error: string, more: Readonly<Record<string, unknown>> = {}): ToolResult {
  return { structured: { error, ...more }, isError: true };
}

const QUERY_TOO_SHORT = 'Query must be at least 3 characters';

/** The shape of a zod issue, which clients of this contract parse in `details`. */
function issueDetail({ path, kind, reason, schema, value }: SchemaIssue): Record<string, unknown> {
  const tooLarge =
    (typeof value === 'number' && value > (schema.maximum ?? Infinity)) ||
    (typeof value === 'string' && value.length > (schema.maxLength ?? Infinity)) ||
    Array.isArray(value);
  const code =
    kind === 'range' || kind === 'length'
      ? tooLarge
        ? 'too_big'
        : 'too_small'
      : kind === 'enum'
        ? 'invalid_enum_value'
        : 'invalid_type';
  const segments = path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return { code, path: segments, message: `${path || 'arguments'} ${reason}` };
}

function invalidParameters(issues: readonly SchemaIssue[]): ToolResult {
  const tooShort = issues.some(
    ({ path, schema, value }) =>
      path === 'query' && typeof value === 'string' && value.length < (schema.minLength ?? 0),
  );
  const details = issues.map(issueDetail);
  return tooShort && issues.length === 1 ? failure(QUERY_TOO_SHORT) : failure('Invalid parameters', { details });
}

type Wording = (error: EngineError, call: FailedCall) => ToolResult;

const refusedPath: Wording = (error, { args }) => {
  const path = String(args.path ?? '');
  const fault = pathFault(path);
  if (fault === 'absolute') return failure('Absolute paths not allowed', { path });
  if (fault === 'traversal') return failure('Path traversal not allowed', { path });
  return failure('Permission denied', { path, ...('reason' in error.data && { details: error.data.reason }) });
};

const failedEmbedding: Wording = (error) =>
  failure('Failed to generate query embedding', {
    details: error.message,
    fallback: 'Use grep_codebase for text search',
  });

const failedSearch: Wording = (error) =>
  failure('Search failed', { message: error.message, fallback: 'Try using grep_codebase for text search' });

/** Temporary conditions, which a retry may resolve. */
const noEmbeddingsYet: Wording = () =>
  failure('No embeddings available', {
    suggestion: 'Use grep_codebase for text search',
    action: 'Embeddings will be generated in background',
  });

/** Another process may be making the first index. */
const noEmbeddings = async (error: EngineError, call: FailedCall): Promise<ToolResult> => {
  const { ctx } = call;
  const indexing = await ctx.engine.status(await workspaceFolder(ctx)).then(
    (status) => status.indexing === 'indexing',
    () => false,
  );
  if (indexing) return noEmbeddingsYet(error, call);
  return failure('No embeddings found. Run initial session to generate context.', {
    fallback: 'Use grep_codebase for text search',
    suggestion: 'Run `sextant index` in the project folder once.',
  });
};

const BY_TOOL: Readonly<Record<string, Partial<Record<ErrorCode | 'other', Wording | typeof noEmbeddings>>>> = {
  context_search: {
    not_indexed: noEmbeddings,
    index_not_ready: noEmbeddingsYet,
    empty_query: () => failure(QUERY_TOO_SHORT),
    provider_unavailable: failedEmbedding,
    provider_misconfigured: failedEmbedding,
    model_damaged: failedEmbedding,
    other: failedSearch,
  },
  read_file: {
    file_not_found: (_error, { args }) => failure('File not found', { path: args.path }),
    path_forbidden: refusedPath,
    permission_denied: refusedPath,
    file_too_large: (error, { args }) =>
      failure('File too large', {
        path: args.path,
        size: error.data.bytes,
        limit: error.data.limit,
        suggestion: 'Use grep_codebase with its path as filePattern to search inside it',
      }),
  },
  grep_codebase: {
    invalid_pattern: (error, { args }) =>
      error.data.pattern === args.filePattern && error.data.pattern !== args.pattern
        ? failure('Invalid file pattern', { filePattern: args.filePattern, details: error.data.reason })
        : failure('Invalid regex pattern', { pattern: args.pattern, details: error.data.reason }),
  },
};

const rateLimited: Wording = ({ data }) =>
  failure(`Rate limit exceeded for ${data.tool}`, {
    tool: data.tool,
    limit: data.limit,
    retryAfter: data.waitSeconds,
    suggestion: `Wait ${data.waitSeconds} seconds and call again`,
  });

const anything: Wording = (error, { tool }) =>
  failure(error.message, { tool: tool.name, code: error.code, suggestion: error.fix });

export const contextToolErrors: ErrorForm = {
  invalidArguments: (issues) => invalidParameters(issues),
  engineError(error, call) {
    if (error.code === 'rate_limited') return rateLimited(error, call);
    const words = BY_TOOL[call.tool.name];
    const word = error.code === 'cancelled' ? anything : (words?.[error.code] ?? words?.other ?? anything);
    return word(error, call);
  },
  unknownTool: (name) => failure(`Unknown tool: ${name}`, { tool: name }),
};
