/**
 * The codecompass contract: one registered workspace, indexing as background jobs, results with stable handles, and a
 * metadata block on every answer that says how fresh and complete the index is. With `debug` (`--verbose`) a search
 * reports how its results were joined with symbols.
 */
import { type CreateProfile, ToolRegistry } from '../contract.ts';
import { ICON_PATHS, pathIcon } from '../kit/icons.ts';
import { codecompassErrors } from './codecompass-errors.ts';
import { indexRepo, indexStatus, syncRepo } from './job-tools.ts';
import { locateSymbol, searchCode } from './query-tools.ts';

const INSTRUCTIONS = `Find code in one workspace, set when this server was started.
- locate_symbol: you know the name. Gives file and lines of the definition. Also takes a symbol_id, symbol_stable_id \
or result_id of an earlier answer as name: the precise follow-up.
- search_code: you know what it does, a path, or an error message. query_intent tells how the query was understood; \
suggested_next_actions are calls that can be sent as they are.
- index_repo starts the first index, sync_repo takes changes over; both answer at once with a job. index_status \
follows it: status "published" means done.
Read the metadata of every answer: indexing_status not_indexed -> call index_repo and wait for index_status ready; \
freshness_status stale -> files changed since, call sync_repo; result_completeness truncated -> raise limit or narrow \
the query; schema_status reindex_required or corrupt_manifest -> index_repo with force: true (an index that a newer \
version wrote is left alone: its error says what to do).
Errors are {error: {code, message, fix}}. project_not_found: the user must run \`sextant init\` in the workspace once.`;

export const createProfile: CreateProfile = ({ version, debug = false }) => ({
  name: 'codecompass',
  serverInfo: { name: 'codecompass', title: 'CodeCompass', version, icons: pathIcon(ICON_PATHS.search) },
  instructions: INSTRUCTIONS,
  tools: new ToolRegistry([indexRepo, syncRepo, locateSymbol, searchCode(debug), indexStatus]),
  errors: codecompassErrors,
});
