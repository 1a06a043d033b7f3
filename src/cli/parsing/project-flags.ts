/** Flags that several commands share. */
import type { BooleanFlag, ListFlag, StringFlag } from './command.ts';

export const PATH_FLAG = {
  kind: 'string',
  value: 'PATH',
  completes: 'folder',
  help: 'Folder of the project (default: this folder)',
} as const satisfies StringFlag;

/** The value is a name or a folder; a value that could be both is refused. */
export const WORKSPACE_FLAG = {
  kind: 'string',
  value: 'NAME',
  completes: 'folder',
  help: 'Workspace to query (`sextant workspace list`), or the folder of a project',
} as const satisfies StringFlag;

const REPOS_FLAG = {
  kind: 'list',
  value: 'REPO',
  commas: true,
  help: 'Only these repositories of the workspace, or these registered projects, by name',
} as const satisfies ListFlag;

/** Flags that name the project, workspace or repositories of a question. */
export const PLACE_FLAGS = { path: PATH_FLAG, workspace: WORKSPACE_FLAG, repos: REPOS_FLAG } as const;

/** PLACE_FLAGS and `--repo`, for commands that an index alone can answer. */
export const REMOTE_FLAGS = {
  ...PLACE_FLAGS,
  repo: {
    kind: 'string',
    value: 'URL',
    help: 'A git repository by its URL: a shallow bare clone in the data folder, updated every hour',
  },
} as const satisfies Record<string, StringFlag | ListFlag>;

export const REF_FLAG = {
  kind: 'string',
  value: 'REF',
  help: 'Branch, tag or commit (default: the work tree)',
} as const satisfies StringFlag;

export const YES_FLAG = {
  kind: 'boolean',
  short: 'y',
  help: 'Index a project without an index, without asking',
} as const satisfies BooleanFlag;
