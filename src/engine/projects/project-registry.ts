/**
 * Finds the project of a path and the folder of its store, and registers projects. Worktrees of one repository share
 * one store, keyed by the common git directory.
 */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { replaceFile } from '../../memory/notebook/atomic-file.ts';
import { EngineError, toEngineError, unwritable } from '../../model/records/engine-errors.ts';
import type { GitState } from '../../model/records/source-file.ts';
import { makeFolder } from '../../store/index.ts';
import { defaultBranch, projectManifest, readGitState } from '../../walk/index.ts';
import type { ProjectInfo } from '../engine.ts';

export interface ResolvedProject {
  readonly root: string;
  readonly git: GitState | null;
  readonly storeFolder: string;
}

interface Registration {
  readonly roots: readonly string[];
}

const REGISTRATION = 'project.json';

/** Throws path_not_found, not_a_directory, permission_denied. */
export async function resolveProject(home: string, path: string): Promise<ResolvedProject> {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new EngineError('invalid_input', { reason: 'The path is empty or not valid.' });
  const absolute = resolve(path);
  let root: string;
  try {
    // Synchronous: the thread pool takes longer to start than these three calls take.
    root = realpathSync.native(absolute);
    if (!statSync(root).isDirectory()) throw new EngineError('not_a_directory', { path: absolute });
    accessSync(root, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') throw new EngineError('not_a_directory', { path: absolute }, error);
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENAMETOOLONG')
      throw new EngineError('path_not_found', { path: absolute }, error);
    if (code === 'EACCES' || code === 'EPERM') throw new EngineError('permission_denied', { path: absolute }, error);
    throw toEngineError(error);
  }
  const project = projectAt(home, root, await readGitState(root));
  moveStoreOfFolder(home, project);
  return project;
}

/**
 * A folder that becomes a repository, or stops being one, has another store name: its store is moved, with index and
 * memory. Processes that have the store open notice the move.
 */
function moveStoreOfFolder(home: string, { root, git, storeFolder }: ResolvedProject): void {
  const repository = join(root, '.git');
  if (existsSync(storeFolder) || (git && git.commonDir !== repository)) return;
  const before = join(home, 'projects', hashedName(git ? root : repository));
  try {
    if (existsSync(before)) renameSync(before, storeFolder);
  } catch {
    // Another process moved it first, or the move is not permitted: then there is no index.
  }
}

/** The project of an existing folder. */
export function projectAt(home: string, root: string, git: GitState | null): ResolvedProject {
  return { root, git, storeFolder: join(home, 'projects', hashedName(git?.commonDir ?? root)) };
}

/** Cache of hashedName(): every question needs its project's name. */
const names = new Map<string, string>();
const MAX_CACHED_NAMES = 100;

/** SHA-256 in JavaScript: loading node:crypto takes longer than hashing these few bytes. */
function hashedName(path: string): string {
  let name = names.get(path);
  if (name === undefined) {
    name = Buffer.from(sha256(Buffer.from(path)))
      .toString('hex')
      .slice(0, 16);
    if (names.size >= MAX_CACHED_NAMES) names.clear();
    names.set(path, name);
  }
  return name;
}

export function describeProject(project: ResolvedProject): ProjectInfo {
  const { moduleName, languageVersion } = projectManifest(project.root);
  const id = hashedName(project.root);
  return {
    projectId: id,
    numericId: Number.parseInt(id.slice(0, 8), 16),
    root: project.root,
    registered: readRegistration(project).roots.includes(project.root),
    moduleName,
    languageVersion,
    isGit: project.git !== null,
    storeFolder: project.storeFolder,
  };
}

/** The store folder of a registered root, even if the root itself is gone; null if the root is not registered. */
export function storeFolderOf(home: string, root: string): string | null {
  const folder = join(home, 'projects');
  const stores = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return stores.find((storeFolder) => readRegistration({ storeFolder }).roots.includes(root)) ?? null;
}

/** The roots that are registered in this store. */
function readRegistration(project: Pick<ResolvedProject, 'storeFolder'>): Registration {
  try {
    const parsed = JSON.parse(readFileSync(join(project.storeFolder, REGISTRATION), 'utf8')) as Partial<Registration>;
    return { roots: Array.isArray(parsed.roots) ? parsed.roots.filter((root) => typeof root === 'string') : [] };
  } catch {
    return { roots: [] };
  }
}

/** The roots of every project that is registered in the data folder `home`. */
export function registeredRoots(home: string): string[] {
  const folder = join(home, 'projects');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => readRegistration({ storeFolder: join(folder, name) }).roots);
}

export function registerRoot(project: ResolvedProject): void {
  const { roots } = readRegistration(project);
  if (roots.includes(project.root)) return;
  const content: Registration = { roots: [...roots, project.root].sort() };
  try {
    makeFolder(project.storeFolder);
    replaceFile(join(project.storeFolder, REGISTRATION), `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    throw unwritable('store_unwritable', project.storeFolder, error);
  }
}

/** Unregisters the root; its index stays. Returns false if it was not registered. */
export function unregisterRoot(home: string, root: string): boolean {
  const folder = join(home, 'projects');
  const stores = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const storesWithRoot = stores.filter((storeFolder) => readRegistration({ storeFolder }).roots.includes(root));
  for (const storeFolder of storesWithRoot) {
    const roots = readRegistration({ storeFolder }).roots.filter((other) => other !== root);
    try {
      replaceFile(join(storeFolder, REGISTRATION), `${JSON.stringify({ roots }, null, 2)}\n`);
    } catch (error) {
      throw unwritable('store_unwritable', storeFolder, error);
    }
  }
  return storesWithRoot.length > 0;
}

/**
 * The branches that answer for a bare repository, which has no work tree: HEAD's branch, then the default one. Empty
 * for other projects.
 */
export function bareDefaultBranches({ git }: Pick<ResolvedProject, 'git'>): string[] {
  if (!git || git.workTree !== null) return [];
  return [git.branch, defaultBranch(git)].flatMap((branch) => (branch === null ? [] : [branch]));
}

/**
 * Throws invalid_input for a bare repository: the files in its folder are git's own, including URLs and keys of its
 * remotes.
 */
export function checkHasFiles({ root, git }: Pick<ResolvedProject, 'root' | 'git'>): void {
  if (git?.workTree !== null) return;
  const reason =
    `${root} is a bare git repository and has no files of its own: search, locate and research answer from its ` +
    'branches; to read and grep, name a clone or a work tree of it.';
  throw new EngineError('invalid_input', { reason });
}

/**
 * Throws invalid_input for the root of the file system unless it is a repository: a server that a desktop application
 * starts runs there, and no project is meant.
 */
export function checkIsProject({ root, git }: Pick<ResolvedProject, 'root' | 'git'>): void {
  if (git !== null || dirname(root) !== root) return;
  const reason = `${root} is the whole file system and not a project: name the folder of one.`;
  throw new EngineError('invalid_input', { reason });
}

/** The folder and its parents, nearest first, up to the root of the repository, or of the file system without one. */
export function* ancestors(root: string, stop: string | null): Generator<string> {
  for (let at = root; ; at = dirname(at)) {
    yield at;
    if (at === stop || at === dirname(at)) return;
  }
}

/** The file that counts reads and hits. */
export function accessesFile({ storeFolder }: Pick<ResolvedProject, 'storeFolder'>): string {
  return join(storeFolder, 'accesses.json');
}

export function hasAccesses(project: Pick<ResolvedProject, 'storeFolder'>): boolean {
  return existsSync(accessesFile(project));
}
