/** The commands `sextant workspace …`: named lists of repositories that are queried as one. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Engine, WorkspaceInfo, WorkspaceMember } from '../../../engine/engine.ts';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { isRepositoryUrl } from '../../../model/records/repository-name.ts';
import type { Format } from '../../parsing/choices.ts';
import { defineCommand, type OperandSpec } from '../../parsing/command.ts';
import { expandTilde } from '../../parsing/expand-tilde.ts';
import { YES_FLAG } from '../../parsing/project-flags.ts';
import { UsageError } from '../../parsing/usage-error.ts';
import { FORMAT_FLAG, printAnswer } from '../../render/output.ts';
import { alignRows, printableLine } from '../../render/terminal-text.ts';
import { plural } from '../../render/units.ts';
import type { Session } from '../../running/command-session.ts';
import { indexMissing } from '../../running/index-first.ts';
import { remoteRoot } from '../../running/remote-target.ts';

const NAME = { value: 'NAME', required: true, help: 'Name of the workspace' } as const satisfies OperandSpec;
const REPOSITORIES = {
  value: 'REPOSITORY',
  many: true,
  completes: 'folder',
  help: 'Folder of a repository, its URL (https://…), or the name of a registered project',
} as const satisfies OperandSpec;
const FROM_FLAG = {
  kind: 'string',
  value: 'FOLDER',
  completes: 'folder',
  help: 'Add every git repository in this folder',
} as const;
const PACKAGES_FLAG = {
  kind: 'string',
  value: 'FOLDER',
  completes: 'folder',
  help: 'Add every package of the monorepo in this folder: folders with a manifest of their own',
} as const;
const MEMBER_FIELDS = [
  { field: 'name', meaning: 'name of the workspace' },
  { field: 'repositories[].name', meaning: 'name of a repository; its paths begin with it' },
  { field: 'repositories[].root', meaning: 'its folder' },
];

export const workspaceCreate = defineCommand({
  name: 'workspace create',
  group: 'workspaces',
  summary: 'Make a workspace: repositories that are queried as one',
  details:
    'With --workspace NAME, search, locate, research, map, grep, read and memory search answer from all of its ' +
    'repositories, ranked as one; paths begin with the name of the repository. A workspace is a list of names: ' +
    'nothing is copied. A folder inside an indexed project is answered from that project’s index. Repositories ' +
    'without an index are indexed with --yes.',
  operands: { name: NAME, repositories: REPOSITORIES },
  flags: { from: FROM_FLAG, packages: PACKAGES_FLAG, yes: YES_FLAG, format: FORMAT_FLAG },
  examples: [
    { line: 'sextant workspace create shop api web infra', meaning: 'three folders' },
    { line: 'sextant workspace create work --from ~/code --yes', meaning: 'every clone in a folder, indexed' },
    { line: 'sextant workspace create mono --packages ~/mono --yes', meaning: 'the packages of a monorepo' },
  ],
  json: MEMBER_FIELDS,
  async run({ flags, operands }, session) {
    const engine = await session.engine(session.dataFolder);
    if ((await engine.workspaces()).some(({ name }) => name === operands.name))
      throw new UsageError(
        `There is a workspace ${operands.name} already.`,
        `\`sextant workspace add ${operands.name} FOLDER\` adds to it.`,
      );
    const roots = await chosenRoots(session, engine, operands.repositories, flags);
    await printWorkspace(session, flags, await engine.addToWorkspace(operands.name, roots));
  },
});

export const workspaceAdd = defineCommand({
  name: 'workspace add',
  group: 'workspaces',
  summary: 'Add repositories to a workspace',
  operands: { name: NAME, repositories: REPOSITORIES },
  flags: { from: FROM_FLAG, packages: PACKAGES_FLAG, yes: YES_FLAG, format: FORMAT_FLAG },
  examples: [{ line: 'sextant workspace add shop ~/code/mobile', meaning: 'one more' }],
  json: MEMBER_FIELDS,
  async run({ flags, operands }, session) {
    const engine = await session.engine(session.dataFolder);
    await findWorkspace(engine, operands.name);
    const roots = await chosenRoots(session, engine, operands.repositories, flags);
    await printWorkspace(session, flags, await engine.addToWorkspace(operands.name, roots));
  },
});

export const workspaceRemove = defineCommand({
  name: 'workspace remove',
  group: 'workspaces',
  summary: 'Remove repositories from a workspace, or the workspace itself',
  details: 'Without a repository, the workspace itself is removed. Repositories and their indexes stay unchanged.',
  operands: { name: NAME, repositories: { ...REPOSITORIES, help: 'Name of a repository in it, or its folder' } },
  flags: { format: FORMAT_FLAG },
  examples: [
    { line: 'sextant workspace remove shop infra', meaning: 'one repository of it' },
    { line: 'sextant workspace remove shop', meaning: 'the workspace' },
  ],
  json: MEMBER_FIELDS,
  async run({ flags, operands }, session) {
    const engine = await session.engine(session.dataFolder);
    const { members } = await findWorkspace(engine, operands.name);
    const requested = (operands.repositories ?? []).map((text) =>
      members.some(({ name }) => name === text) ? text : resolve(session.cwd, text),
    );
    const left = await engine.removeFromWorkspace(operands.name, requested);
    if (left.members.length > 0 || flags.format === 'json') await printWorkspace(session, flags, left);
    else session.say(`Removed the workspace ${printableLine(operands.name)}.`);
  },
});

export const workspaceList = defineCommand({
  name: 'workspace list',
  group: 'workspaces',
  summary: 'List the workspaces',
  operands: {},
  flags: { format: FORMAT_FLAG },
  examples: [{ line: 'sextant workspace list', meaning: 'names and repositories' }],
  json: [
    { field: 'workspaces[].name', meaning: 'name of a workspace' },
    { field: 'workspaces[].repositories[].name', meaning: 'name of a repository in it' },
    { field: 'workspaces[].repositories[].root', meaning: 'its folder' },
  ],
  async run({ flags }, session) {
    const all = await (await session.engine(session.dataFolder)).workspaces();
    await printAnswer(session, flags.format, { workspaces: all.map(workspaceJson) }, () =>
      all.length === 0
        ? ['There is no workspace yet: `sextant workspace create NAME FOLDER…` makes one.']
        : alignRows(
            all.map(({ name, members }) => [name, members.map((member) => member.name).join(', ')].map(printableLine)),
          ),
    );
  },
});

export const workspaceShow = defineCommand({
  name: 'workspace show',
  group: 'workspaces',
  summary: 'Show the repositories of a workspace and the state of their indexes',
  operands: { name: NAME },
  flags: { format: FORMAT_FLAG },
  examples: [{ line: 'sextant workspace show shop', meaning: 'which are stale, which have no index' }],
  json: [
    ...MEMBER_FIELDS,
    {
      field: 'repositories[].status',
      meaning: '`fresh`, `stale`, `syncing`, `not_indexed`, `indexing`, `failed`, or why it cannot be queried',
    },
    { field: 'repositories[].files', meaning: 'files in its index' },
    { field: 'repositories[].lines', meaning: 'lines in its index' },
  ],
  async run({ flags, operands }, session) {
    const engine = await session.engine(session.dataFolder);
    const { name, members } = await findWorkspace(engine, operands.name);
    const rows = await Promise.all(members.map((member) => stateOf(engine, member)));
    await printAnswer(session, flags.format, { name, repositories: rows }, () =>
      alignRows(
        rows.map(({ name: repo, status, files, root }) =>
          [repo, status, files > 0 ? plural(files, 'file') : '', root].map(printableLine),
        ),
      ),
    );
  },
});

async function stateOf(engine: Engine, { name, root }: WorkspaceMember) {
  try {
    const { indexing, freshness, fileCount, lineCount } = await engine.status(root);
    return { name, root, status: indexing === 'ready' ? freshness : indexing, files: fileCount, lines: lineCount };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { name, root, status: error.code, files: 0, lines: 0 };
  }
}

async function findWorkspace(engine: Engine, name: string): Promise<WorkspaceInfo> {
  const found = (await engine.workspaces()).find((workspace) => workspace.name === name);
  if (!found) throw new EngineError('workspace_not_found', { name });
  return found;
}

interface ChosenFlags {
  readonly from?: string | undefined;
  readonly packages?: string | undefined;
  readonly yes?: boolean | undefined;
}

/** Resolves each argument to a folder, or to the registered project of that name if there is no such folder. */
async function chosenRoots(
  session: Session,
  engine: Engine,
  repositories: readonly string[] = [],
  flags: ChosenFlags,
): Promise<string[]> {
  const { from, packages } = flags;
  const registered = await engine.registeredRoots();
  const rootOf = async (text: string) => {
    const folder = resolve(session.cwd, text);
    if (isFolder(folder)) return folder;
    if (isRepositoryUrl(text)) return remoteRoot(session, text);
    const named = registered.filter((root) => basename(root) === text);
    if (named.length > 1)
      throw new UsageError(
        `${named.length} registered projects are called ${text}.`,
        `Name one by its folder: ${named.join(', ')}`,
      );
    return named[0] ?? folder;
  };
  const roots: string[] = [];
  for (const text of repositories) roots.push(await rootOf(text));
  const clones = from === undefined ? [] : clonesIn(resolve(session.cwd, expandTilde(from)));
  const parts =
    packages === undefined ? [] : await packagesIn(session, resolve(session.cwd, expandTilde(packages)), flags.yes);
  if (roots.length + clones.length + parts.length > 0) return [...roots, ...clones, ...parts];
  throw new UsageError('Which repositories?', 'Name their folders, or pass --from FOLDER with clones in it.');
}

/** The git repositories in a folder, sorted by name. */
function clonesIn(folder: string): string[] {
  if (!isFolder(folder)) throw new EngineError('path_not_found', { path: folder });
  const clones = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => isFolder(path) && statSync(join(path, '.git'), { throwIfNoEntry: false }) !== undefined);
  if (clones.length > 0) return clones;
  throw new UsageError(`No git repository lies in ${folder}.`, 'Name the folder that holds the clones.');
}

/** The packages of a monorepo: folders with a manifest of their own. Their index is that of the whole project. */
async function packagesIn(session: Session, folder: string, yes: boolean | undefined): Promise<string[]> {
  const engine = await session.engine(folder);
  if (yes) await indexMissing(session, [{ name: basename(folder), root: folder }]);
  const files = await engine.files(folder);
  const { root } = await engine.project(folder);
  const { packageFolders } = await import('../../../engine/workspaces/package-folders.ts');
  const packages = packageFolders(files.map(({ path }) => path)).map((path) => join(root, path));
  if (packages.length > 0) return packages;
  throw new UsageError(
    `No folder of ${root} has a manifest of its own.`,
    'Name folders of it: each one becomes a part of the workspace.',
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function workspaceJson({ name, members }: WorkspaceInfo) {
  return { name, repositories: members.map(({ name: repo, root }) => ({ name: repo, root })) };
}

async function printWorkspace(
  session: Session,
  flags: { readonly yes?: boolean | undefined; readonly format: Format | undefined },
  workspace: WorkspaceInfo,
): Promise<void> {
  const { name, members } = workspace;
  if (flags.yes) await indexMissing(session, members);
  await printAnswer(session, flags.format, workspaceJson(workspace), () => [
    `${printableLine(name)}: ${plural(members.length, 'repository', 'repositories')}`,
    ...alignRows(members.map(({ name: repo, root }) => [`  ${repo}`, root].map(printableLine))),
  ]);
}
