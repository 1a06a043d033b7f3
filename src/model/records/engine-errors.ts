/**
 * Every way the engine can refuse, as one closed table. Edges turn a code into their own form (exit code, HTTP status,
 * JSON-RPC error, contract-specific word); no code compares messages. docs/errors.md is checked against this table by a
 * test.
 */
import { isOutOfMemory } from '../runtime/out-of-memory.ts';

interface ErrorEntry {
  /** The problem in one sentence; `{name}` is filled from the error's data. */
  readonly message: string;
  /** The reader's next step. */
  readonly fix: string;
  readonly http: number;
  /**
   * Process exit code: 2 wrong use, 3 nothing there yet, 4 busy, 5 store trouble, 6 outside trouble, 1 everything else,
   * 130 cancelled.
   */
  readonly exit: number;
}

export const ERROR_TABLE = {
  invalid_input: { message: '{reason}', fix: 'Correct the argument and call again.', http: 400, exit: 2 },
  empty_query: {
    message: 'The query is empty.',
    fix: 'Pass a few words, an identifier or a path.',
    http: 400,
    exit: 2,
  },
  invalid_pattern: {
    message: 'The pattern "{pattern}" is not valid: {reason}',
    fix: 'Correct the pattern; escape special characters to search for them literally.',
    http: 400,
    exit: 2,
  },
  path_not_found: {
    message: 'No such path: {path}',
    fix: 'Check the spelling, or pass an absolute path.',
    http: 404,
    exit: 2,
  },
  not_a_directory: {
    message: 'Not a folder: {path}',
    fix: 'Pass the folder that holds the project.',
    http: 400,
    exit: 2,
  },
  permission_denied: {
    message: 'No permission to read {path}.',
    fix: 'Change the permissions, or run as a user who may read it.',
    http: 403,
    exit: 2,
  },
  path_unwritable: {
    message: 'Cannot write to {path}: {reason}',
    fix: 'Change its permissions, or pass another path.',
    http: 403,
    exit: 5,
  },
  path_forbidden: {
    message: 'Access to {path} is refused: {reason}',
    fix: 'Pass a text file of the project: no file with secrets, and no link that leads out of the project.',
    http: 403,
    exit: 2,
  },
  workspace_not_found: {
    message: 'There is no workspace {name}.',
    fix: 'Run `sextant workspace list` to see the workspaces, or create it: `sextant workspace create {name} FOLDER…`.',
    http: 404,
    exit: 2,
  },
  repository_not_found: {
    message: 'There is no repository {name} in {where}, which has {known}.',
    fix: 'Pass one of those names, or add the repository with `sextant workspace add`.',
    http: 404,
    exit: 2,
  },
  not_served: {
    message: 'This server does not serve {path}: {reason}.',
    fix:
      'Leave the folder out to ask about the served project, or register the folder with `sextant index` in a ' +
      'terminal.',
    http: 403,
    exit: 2,
  },
  file_not_found: {
    message: 'No such file in the project: {path}',
    fix: 'Search for the file by its name.',
    http: 404,
    exit: 2,
  },
  file_too_large: {
    message: '{path} has {bytes} bytes; the limit is {limit}.',
    fix: 'Search inside it with grep (pass its path as the file pattern), or raise the setting index.max_file_bytes.',
    http: 413,
    exit: 2,
  },
  no_project: {
    message: 'Nothing to index in {path}: {reason}.',
    fix: 'Pass a folder with source files; `sextant help configuration` explains how to include skipped files.',
    http: 404,
    exit: 3,
  },
  project_not_found: {
    message: 'No project is registered for {path}.',
    fix: 'Run `sextant init` there first.',
    http: 404,
    exit: 3,
  },
  not_indexed: {
    message: 'No index for {path}.',
    fix: 'Run `sextant index` there, or call the index tool.',
    http: 409,
    exit: 3,
  },
  index_not_ready: {
    message: 'The first index of {path} is still being made.',
    fix: 'Repeat the call in a few seconds.',
    http: 503,
    exit: 4,
  },
  ref_not_found: {
    message: 'The ref "{ref}" is not known to this repository.',
    fix: 'Pass a branch, tag or commit that exists; `git branch -a` and `git tag` list them.',
    http: 404,
    exit: 2,
  },
  not_a_repository: {
    message: '{path} is not inside a git repository, so it has no refs.',
    fix: 'Leave `ref` out to use the files as they are.',
    http: 400,
    exit: 2,
  },
  symbol_not_found: { message: 'No symbol {name}.', fix: 'Search for a part of its name.', http: 404, exit: 3 },
  discovery_not_found: {
    message: 'There is no discovery {id}.',
    fix: 'Run `sextant memory list` to see all discoveries.',
    http: 404,
    exit: 3,
  },
  index_in_progress: {
    message: 'Another process is indexing {path}.',
    fix: 'Wait until it ends; `sextant status` shows its progress. Searches still work.',
    http: 409,
    exit: 4,
  },
  rate_limited: {
    message: 'Rate limit exceeded for {tool}: {limit} calls a minute.',
    fix: 'Wait {waitSeconds} s and call again.',
    http: 429,
    exit: 4,
  },
  reindex_required: {
    message: 'The index was written by an older version (schema {found}, now {required}).',
    fix: 'Run `sextant index --force`.',
    http: 409,
    exit: 5,
  },
  store_newer: {
    message: 'The index was written by a newer Sextant (schema {found}; this one knows {required}).',
    fix: 'Upgrade Sextant, or set SEXTANT_HOME to another folder.',
    http: 409,
    exit: 5,
  },
  store_corrupt: {
    message: 'The index file {path} is damaged: {reason}',
    fix: 'Run `sextant index --force`; the damaged file is set aside, not deleted.',
    http: 500,
    exit: 5,
  },
  store_unwritable: {
    message: 'Cannot write to the data folder {path}: {reason}',
    fix: 'Make it writable, or set SEXTANT_HOME to a folder that is.',
    http: 500,
    exit: 5,
  },
  disk_full: {
    message: 'The disk is full; what was there before is unchanged.',
    fix: 'Free some space and try again: finished work is kept.',
    http: 507,
    exit: 5,
  },
  out_of_memory: {
    message: 'There is not enough memory ({reason}); what was there before is unchanged.',
    fix:
      'Raise the limit of the process or container (`ulimit -v`, the memory of a container), or end other ' +
      'programs, and try again.',
    http: 507,
    exit: 5,
  },
  provider_unavailable: {
    message: 'The {kind} provider {provider} did not answer: {reason}',
    fix: 'Check that it runs and is reachable, or remove its setting (`embedding.provider`, `llm.provider`).',
    http: 502,
    exit: 6,
  },
  provider_misconfigured: {
    message: 'The {kind} provider {provider} is misconfigured: {reason}',
    fix: 'Correct its settings (`sextant help configuration` lists them), then check with `sextant doctor`.',
    http: 500,
    exit: 6,
  },
  fetch_failed: {
    message: 'Fetching {url} failed: {reason}',
    fix: 'Check the URL and the credentials of this machine: a token for HTTP, a key for ssh.',
    http: 502,
    exit: 6,
  },
  fleet_unavailable: {
    message: 'The fleet does not answer: {reason}',
    fix:
      'Try again in {seconds} seconds. If the error persists, check the OpenSearch cluster: a majority ' +
      'of its nodes must be up.',
    http: 503,
    exit: 6,
  },
  fleet_refused: {
    message: 'The fleet refused the request: {reason}',
    fix: 'Check the user, password, certificate or token that Sextant uses there, and its permissions.',
    http: 502,
    exit: 6,
  },
  fleet_read_only: {
    message: 'The fleet is read-only: {reason}',
    fix: 'Free disk space on the nodes of OpenSearch, which then ends the block itself. Searches still work.',
    http: 507,
    exit: 6,
  },
  gift_refused: {
    message: 'The fleet does not accept contents from you: {reason}',
    fix:
      'Index without --give, or ask the operator of the fleet: `sextant fleet serve --give-groups` names the groups ' +
      'that may give.',
    http: 403,
    exit: 6,
  },
  fleet_not_set_up: {
    message: 'There is no fleet at this address yet.',
    fix: 'Run `sextant fleet init --url URL`, or check the address and the prefix of its indices.',
    http: 503,
    exit: 3,
  },
  fleet_outdated: {
    message: 'The fleet has schema {found}; this version needs {required}.',
    fix: 'Run `sextant fleet init` with this version: it migrates the indices.',
    http: 503,
    exit: 5,
  },
  model_damaged: {
    message: 'The built-in model is damaged: {reason}.',
    fix: 'Reinstall the package; in a checkout, run `git checkout models` and `npm run build`.',
    http: 500,
    exit: 1,
  },
  invalid_config: {
    message: 'The configuration {path} is not valid: {reason}',
    fix: 'Correct it and try again; `sextant help configuration` lists the settings.',
    http: 500,
    exit: 2,
  },
  secret_refused: {
    message: 'The text seems to contain {what}; secrets and personal data are not stored.',
    fix: 'Leave the secret out and record the rest.',
    http: 400,
    exit: 2,
  },
  timeout: {
    message: '{what} took longer than {timeoutMs} ms.',
    fix: 'Narrow the request and call again.',
    http: 504,
    exit: 6,
  },
  cancelled: { message: 'Cancelled.', fix: 'Call again; finished work is kept.', http: 499, exit: 130 },
  unsupported: {
    message: '{what} is not available here: {reason}',
    fix: 'Run `sextant doctor` to see what is missing.',
    http: 501,
    exit: 1,
  },
  internal_error: {
    message: 'Something went wrong inside Sextant: {reason}',
    fix: 'Run again with --verbose and report what it prints.',
    http: 500,
    exit: 1,
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_TABLE;
export type ErrorData = Readonly<Record<string, string | number | boolean | null>>;

export class EngineError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;
  readonly fix: string;

  constructor(code: ErrorCode, data: ErrorData = {}, cause?: unknown) {
    super(fill(ERROR_TABLE[code].message, data), cause === undefined ? undefined : { cause });
    this.name = 'EngineError';
    this.code = code;
    this.data = data;
    this.fix = fill(ERROR_TABLE[code].fix, data);
  }
}

/** An error whose fix is known better where it is thrown than in the table: it names the flag, file or variable. */
export class ErrorWithFix extends EngineError {
  override readonly fix: string;

  constructor(code: ErrorCode, data: ErrorData, fix: string, cause?: unknown) {
    super(code, data, cause);
    this.fix = fix;
  }
}

/** Converts any thrown value to an EngineError; system errors keep their meaning. Edges use only this function. */
export function toEngineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { code, path } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError') return new EngineError('cancelled', {}, error);
  if (isOutOfMemory(error)) return outOfMemory(error);
  if (code === 'ENOSPC' || /database or disk is full/i.test(error.message))
    return new EngineError('disk_full', {}, error);
  if (code === 'EMFILE' || code === 'ENFILE') return outOfFiles(error);
  if ((code === 'EACCES' || code === 'EPERM') && path) return new EngineError('permission_denied', { path }, error);
  if (code === 'ENOENT' && path) return new EngineError('path_not_found', { path }, error);
  return new EngineError('internal_error', { reason: error.message }, error);
}

/** The system lets this process open nothing more. */
export function outOfFiles(cause?: unknown): EngineError {
  const reason = 'the limit of open files is reached (`ulimit -n`)';
  return new EngineError('unsupported', { what: 'Opening one more file or process', reason }, cause);
}

/** `cause`: the error, or the last words of a process. */
export function outOfMemory(cause: unknown): EngineError {
  if (cause instanceof EngineError && cause.code === 'out_of_memory') return cause;
  return new EngineError('out_of_memory', { reason: cause instanceof Error ? cause.message : String(cause) }, cause);
}

/**
 * Something could not be written. A full disk, and a process that may open nothing more, are reasons of their own with
 * other fixes.
 */
export function unwritable(code: 'store_unwritable' | 'path_unwritable', path: string, error: unknown): EngineError {
  const engineError = toEngineError(error);
  if (['disk_full', 'unsupported', 'out_of_memory'].includes(engineError.code)) return engineError;
  return new EngineError(code, { path, reason: (error as Error).message }, error);
}

/** A file of the built-in model is not what it should be; unless nothing at all could be opened. */
export function modelDamaged(reason: string, cause?: unknown): EngineError {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (isOutOfMemory(cause)) return outOfMemory(cause);
  return code === 'EMFILE' || code === 'ENFILE'
    ? outOfFiles(cause)
    : new EngineError('model_damaged', { reason }, cause);
}

function fill(template: string, data: ErrorData): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => (key in data ? String(data[key]) : whole));
}
