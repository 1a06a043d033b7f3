/**
 * The contract's coded errors: `{error: {code, message, fix, …}, metadata}`. The contract has few codes; every engine
 * code maps to one of them.
 */
import type { EngineError, ErrorCode } from '../../model/records/engine-errors.ts';
import type { ErrorForm, FailedCall, ToolResult } from '../contract.ts';
import type { SchemaIssue } from '../kit/json-schema.ts';
import { workspaceFolder } from '../kit/project-path.ts';
import { metadataOf } from './metadata.ts';

type Code = 'invalid_input' | 'project_not_found' | 'index_in_progress' | 'index_incompatible' | 'internal_error';

const CODES: Partial<Record<ErrorCode, Code>> = {
  invalid_input: 'invalid_input',
  empty_query: 'invalid_input',
  invalid_pattern: 'invalid_input',
  ref_not_found: 'invalid_input',
  not_a_repository: 'invalid_input',
  project_not_found: 'project_not_found',
  path_not_found: 'project_not_found',
  not_served: 'project_not_found',
  not_a_directory: 'project_not_found',
  permission_denied: 'project_not_found',
  index_in_progress: 'index_in_progress',
  reindex_required: 'index_incompatible',
  store_newer: 'index_incompatible',
  store_corrupt: 'index_incompatible',
};

/** Messages for agents of this contract, where the engine's own message fits them less well. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  // The lease is most often held by a job of this same server.
  index_in_progress: 'An indexing job is already running for this project.',
};
const FIXES: Partial<Record<ErrorCode, string>> = {
  project_not_found: 'Run `sextant init` in the workspace, then call index_repo.',
  index_in_progress: 'Search meanwhile; index_status shows the progress.',
  reindex_required: 'Run `sextant index --force`, or call index_repo with force: true.',
  store_corrupt: 'Run `sextant index --force`, or call index_repo with force: true.',
};

async function coded(
  { ctx, args }: FailedCall,
  code: Code,
  message: string,
  more: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const ref = typeof args.ref === 'string' ? args.ref : undefined;
  const status = await workspaceFolder(ctx)
    .then((path) => ctx.engine.status(path, ref))
    .catch(() => null);
  return {
    structured: { error: { code, message, ...more }, metadata: metadataOf(status, 'partial', ref) },
    isError: true,
  };
}

export const codecompassErrors: ErrorForm = {
  invalidArguments(issues: readonly SchemaIssue[], call) {
    const words = issues.map(({ path, kind, reason }) =>
      kind === 'missing' ? `Missing required input: ${path}` : `${path || 'arguments'} ${reason}`,
    );
    return coded(call, 'invalid_input', words.join('; '), { parameters: issues.map(({ path }) => path) });
  },
  engineError(error: EngineError, call) {
    const code = CODES[error.code] ?? 'internal_error';
    const fix = FIXES[error.code] ?? error.fix;
    return coded(call, code, MESSAGES[error.code] ?? error.message, {
      fix,
      ...(code !== error.code && { cause: error.code }),
    });
  },
};
