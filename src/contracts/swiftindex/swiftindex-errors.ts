/** The contract's errors: sentences, in the tool's result. */
import type { EngineError, ErrorCode } from '../../model/records/engine-errors.ts';
import type { ErrorForm, FailedCall, ToolResult } from '../contract.ts';
import type { SchemaIssue } from '../kit/json-schema.ts';

/** Fixes for a caller that has these four tools and no terminal. */
const FIXES: Partial<Record<ErrorCode, string>> = {
  no_project: 'Pass a folder with source files.',
  reindex_required: "Run 'index_codebase' tool with force: true.",
  store_corrupt: "Run 'index_codebase' tool with force: true; the damaged file is set aside, not deleted.",
};

export function sentence(text: string): ToolResult {
  return { structured: {}, text, isError: true, textOnly: true };
}

export const swiftErrors: ErrorForm = {
  invalidArguments(issues: readonly SchemaIssue[]) {
    const missing = issues.find(({ kind }) => kind === 'missing');
    if (missing) return sentence(`Missing required argument: ${missing.path}`);
    const [issue] = issues;
    return sentence(`Invalid argument: ${issue!.path || 'arguments'} ${issue!.reason}`);
  },
  engineError(error: EngineError, { args }: FailedCall) {
    const path = String(error.data.path ?? args.path ?? '.');
    switch (error.code) {
      case 'not_indexed':
        return sentence(`No index found for path: ${path}. Run 'index_codebase' tool first.`);
      case 'path_not_found':
      case 'not_a_directory':
        return sentence(`Path does not exist or is not a directory: ${path}`);
      case 'empty_query':
        return sentence('Query cannot be empty');
      case 'index_in_progress':
        return sentence(`Already being indexed: ${path}. Searches go on meanwhile; call again when it is done.`);
      default:
        return sentence(`${error.message.replace(/[^.!?]$/, '$&.')} ${FIXES[error.code] ?? error.fix}`);
    }
  },
  unknownTool: (name) => sentence(`Unknown tool: ${name}`),
};
