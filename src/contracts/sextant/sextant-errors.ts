/** Errors of the default profile: a code for programs, a sentence for readers, and the next step. */
import { similarPaths } from '../../engine/files/similar-paths.ts';
import type { EngineError, ErrorCode } from '../../model/records/engine-errors.ts';
import type { ErrorForm, FailedCall, ToolResult } from '../contract.ts';
import type { SchemaIssue } from '../kit/json-schema.ts';
import { project } from './tools/tool-kit.ts';

/** Fixes for a caller that has tools and no terminal. */
const FIXES: Partial<Record<ErrorCode, string>> = {
  not_indexed: 'Call index_codebase once, then repeat this call.',
  project_not_found: 'Call index_codebase once, then repeat this call.',
  reindex_required: 'Call index_codebase with force: true.',
  store_corrupt: 'Call index_codebase with force: true; the damaged file is set aside, not deleted.',
  index_in_progress: 'Search meanwhile; get_status shows the progress.',
  file_not_found: 'Call search_code with its name, or grep_codebase.',
  file_too_large: 'Call grep_codebase with its path as file_pattern.',
  symbol_not_found: 'Call search_code with a part of its name.',
  not_a_directory:
    'path is a folder. Narrow to a file with path_filter (grep_codebase: file_pattern), or call read_file.',
  path_not_found: 'Leave path out to ask the whole workspace, or pass a folder that is there.',
  empty_query: 'Pass a few words, an identifier or a path.',
};

const WORKSPACE_GONE = 'The folder that is served is gone: put it back, or pass the project as path.';

/** Indexing the folder would not index the ref. */
export function indexRef(ref: unknown): string {
  return `Call index_codebase with ref: ${JSON.stringify(ref)} once, then repeat this call.`;
}

function refusal(code: string, message: string, fix: string, data: Record<string, unknown> = {}): ToolResult {
  return { structured: { error: { code, message, fix, ...data } }, isError: true };
}

/** Suggests the file without the appended line numbers, or similar names. */
async function fileNotFound(error: EngineError, { args, ctx }: FailedCall): Promise<ToolResult> {
  const [, path, range] = /^(.*?)(:\d+(?:-\d+)?)?$/s.exec(String(error.data.path))!;
  const folder = await project(typeof args.project === 'string' ? args.project : undefined, ctx);
  const similar = await similarPaths(ctx.engine, folder, path!);
  const fix =
    range !== undefined && similar.includes(path!)
      ? `Pass path: "${path}" and the lines as start_line and end_line.`
      : similar.length > 0
        ? 'Pass one of similar, or call search_code with its name.'
        : FIXES.file_not_found!;
  return refusal(error.code, error.message, fix, similar.length > 0 ? { similar } : {});
}

export const sextantErrors: ErrorForm = {
  invalidArguments(issues: readonly SchemaIssue[]) {
    const message = issues.map(({ path, reason }) => `${path || 'arguments'} ${reason}`).join('; ');
    return refusal('invalid_input', message, 'Correct the arguments and call again.', {
      parameters: issues.map(({ path }) => path),
    });
  },
  async engineError(error: EngineError, call) {
    if (error.code === 'file_not_found') return fileNotFound(error, call);
    const { path, ref } = call.args;
    const fix =
      error.code === 'not_indexed' && ref
        ? indexRef(ref)
        : error.code === 'path_not_found' && path === undefined
          ? WORKSPACE_GONE
          : FIXES[error.code];
    return refusal(error.code, error.message, fix ?? error.fix);
  },
  unknownTool: (name) => refusal('unknown_tool', `There is no tool ${name}.`, 'tools/list names the tools.'),
};
