/** The contract's JSON-RPC errors: code and message from its tables, details in `data`. */
import type { EngineError, ErrorCode } from '../../model/records/engine-errors.ts';
import { type ErrorForm, type FailedCall, RpcError } from '../contract.ts';
import type { SchemaIssue } from '../kit/json-schema.ts';

const GO_ERRORS = {
  invalidParams: [-32602, 'Invalid params'],
  internal: [-32603, 'Internal error'],
  projectNotFound: [-32001, 'Project not found'],
  indexingInProgress: [-32002, 'Indexing in progress'],
  notIndexed: [-32003, 'Project not indexed'],
  emptyQuery: [-32004, 'Empty query'],
} as const;

const BY_CODE: Partial<Record<ErrorCode, keyof typeof GO_ERRORS>> = {
  invalid_input: 'invalidParams',
  invalid_pattern: 'invalidParams',
  path_not_found: 'invalidParams',
  not_a_directory: 'invalidParams',
  permission_denied: 'invalidParams',
  path_forbidden: 'invalidParams',
  not_served: 'invalidParams',
  no_project: 'projectNotFound',
  project_not_found: 'projectNotFound',
  index_in_progress: 'indexingInProgress',
  not_indexed: 'notIndexed',
  index_not_ready: 'notIndexed',
  empty_query: 'emptyQuery',
};

/** The parameter that an engine error concerns, for -32602. */
const PARAM: Partial<Record<ErrorCode, string>> = {
  invalid_pattern: 'filters.file_pattern',
  path_not_found: 'path',
  not_a_directory: 'path',
  permission_denied: 'path',
  path_forbidden: 'path',
  not_served: 'path',
};

const REASON: Partial<Record<ErrorCode, string>> = {
  path_not_found: 'Path does not exist or is not accessible',
  permission_denied: 'Path does not exist or is not accessible',
  not_a_directory: 'Path is not a directory',
  not_indexed: 'Project not indexed. Run index_codebase first.',
  index_not_ready: 'The first index is still being made. Search again in a few seconds.',
  index_in_progress: 'Another indexing operation is already running for this project',
  empty_query: 'Query parameter is empty or whitespace-only',
};

/** The suggested next step, if a tool of this contract can do it. */
export const REBUILD = 'Call index_codebase with force_reindex: true; a damaged index file is set aside, not deleted.';
const FIX: Partial<Record<ErrorCode, string>> = { store_corrupt: REBUILD, reindex_required: REBUILD };

export function goError(kind: keyof typeof GO_ERRORS, data: Record<string, unknown>): RpcError {
  const [code, message] = GO_ERRORS[kind];
  return new RpcError(code, message, data);
}

export const goErrors: ErrorForm = {
  invalidArguments(issues: readonly SchemaIssue[]) {
    const [issue] = issues;
    const param = issue!.path.split(/[.[]/)[0] || 'arguments';
    throw goError('invalidParams', { param, reason: `${issue!.path || 'arguments'} ${issue!.reason}` });
  },
  engineError(error: EngineError, { args }: FailedCall) {
    const kind = BY_CODE[error.code] ?? 'internal';
    const reason = REASON[error.code] ?? error.message;
    const param = kind === 'invalidParams' ? { param: PARAM[error.code] ?? ('query' in args ? 'query' : 'path') } : {};
    const path = typeof args.path === 'string' ? { path: args.path } : {};
    throw goError(kind, {
      ...param,
      ...path,
      reason,
      ...(kind === 'internal' && { error_code: error.code, fix: FIX[error.code] ?? error.fix }),
    });
  },
};
