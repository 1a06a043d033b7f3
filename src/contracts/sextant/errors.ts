/** Refusals of the default profile: what happened, in a word for programs and a sentence for readers, and what to do next. */
import type { EngineError, ErrorCode } from '../../model/errors.ts';
import type { ErrorForm, ToolResult } from '../contract.ts';
import type { SchemaIssue } from '../json-schema.ts';

/** Fixes worded for someone who has tools, not a terminal. */
const FIXES: Partial<Record<ErrorCode, string>> = {
  not_indexed: 'Call index_codebase once, then repeat this call.',
  project_not_found: 'Call index_codebase once, then repeat this call.',
  reindex_required: 'Call index_codebase with force: true.',
  store_corrupt: 'Call index_codebase with force: true; the damaged file is set aside, not deleted.',
  index_in_progress: 'Search meanwhile; get_status shows the progress.',
  file_not_found: 'Call search_code with its name, or grep_codebase.',
  symbol_not_found: 'Call search_code with a part of its name.',
  not_a_directory:
    'path is a folder. Narrow to a file with path_filter (grep_codebase: file_pattern), or call read_file.',
  path_not_found: 'Leave path out to ask the whole workspace, or pass a folder that is there.',
  empty_query: 'Pass a few words, an identifier or a path.',
};

/** Indexing the folder would not index the ref. */
export function indexRef(ref: unknown): string {
  return `Call index_codebase with ref: ${JSON.stringify(ref)} once, then repeat this call.`;
}

export function refusal(code: string, message: string, fix: string, data: Record<string, unknown> = {}): ToolResult {
  return { structured: { error: { code, message, fix, ...data } }, isError: true };
}

export const sextantErrors: ErrorForm = {
  invalidArguments(issues: readonly SchemaIssue[]) {
    const message = issues.map(({ path, reason }) => `${path || 'arguments'} ${reason}`).join('; ');
    return refusal('invalid_input', message, 'Correct the arguments and call again.', {
      parameters: issues.map(({ path }) => path),
    });
  },
  engineError(error: EngineError, { args }) {
    const fix = error.code === 'not_indexed' && args.ref ? indexRef(args.ref) : FIXES[error.code];
    return refusal(error.code, error.message, fix ?? error.fix);
  },
  unknownTool: (name) => refusal('unknown_tool', `There is no tool ${name}.`, 'tools/list names the tools.'),
};
