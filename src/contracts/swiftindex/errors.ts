/** The contract's errors: sentences, in the tool's result. */
import type { EngineError } from '../../model/errors.ts';
import type { ErrorForm, FailedCall, ToolResult } from '../contract.ts';
import type { SchemaIssue } from '../json-schema.ts';

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
      default:
        return sentence(`${error.message.replace(/[^.!?]$/, '$&.')} ${error.fix}`);
    }
  },
  unknownTool: (name) => sentence(`Unknown tool: ${name}`),
};
