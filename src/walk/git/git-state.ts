/**
 * Where a folder stands in git, read from git's own files: no process, and the same answer where git is missing or refuses to work
 * (foreign owner, no home). So a project keeps its store whatever happens to git.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { GitState } from '../../model/records/source-file.ts';
import { runGit } from './git-process.ts';

interface GitPlace {
  /** The folder with HEAD: differs from the common folder in a linked work tree. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string | null;
}

/** The repository that `path` (an existing folder) lies in, or null. A folder that the surrounding repository ignores does not belong to it. */
export async function readGitState(path: string, signal?: AbortSignal): Promise<GitState | null> {
  const folder = realOrNull(path);
  if (folder === null) return null;
  const place = findPlace(folder);
  if (place === null) return null;
  if (place.workTree !== null && place.workTree !== folder && (await isForeign(place.workTree, folder, signal)))
    return null;
  const { branch, head } = await readHead(place, signal);
  return { commonDir: place.commonDir, workTree: place.workTree, branch, head };
}

/**
 * Commit that a branch (or remote branch) stands at now, by git's files alone; null where they do not tell: a tag, a commit, a repository
 * with reftable. For asking at every question; resolveRef() in git-refs.ts asks git itself.
 */
export function branchCommit(git: GitState, ref: string): string | null {
  const place: GitPlace = { gitDir: git.commonDir, commonDir: git.commonDir, workTree: git.workTree };
  return resolveRef(place, `refs/heads/${ref}`) ?? resolveRef(place, `refs/remotes/${ref}`);
}

/**
 * Commit of a branch as git itself would resolve its name, without asking it; null wherever another reading comes first (a tag, a ref by its
 * whole name) or the files do not tell.
 */
export function plainBranchCommit(git: GitState, ref: string): string | null {
  if (!/^[\w][\w./-]*$/.test(ref) || ref.includes('..') || isObjectId(ref)) return null;
  const place: GitPlace = { gitDir: git.commonDir, commonDir: git.commonDir, workTree: git.workTree };
  const earlier = ['', 'refs/', 'refs/tags/'].some((prefix) => resolveRef(place, prefix + ref) !== null);
  if (earlier || exists(join(git.commonDir, ref))) return null;
  return resolveRef(place, `refs/heads/${ref}`);
}

/** A lock that has stood longer was left behind by a git that died. */
const LOCK_MS = 60_000;

/** Is git writing to this work tree right now (a checkout, a merge, a rebase)? */
export function isGitBusy(git: GitState): boolean {
  const gitDir = git.workTree === null ? git.commonDir : gitDirAt(join(git.workTree, '.git'), git.workTree);
  if (gitDir === null) return false;
  try {
    const lock = statSync(join(gitDir, 'index.lock'), { throwIfNoEntry: false });
    return lock !== undefined && Math.abs(Date.now() - lock.mtimeMs) < LOCK_MS;
  } catch {
    return false;
  }
}

/** The branch that a project calls its own when HEAD names none: what its origin checks out, else `main` or `master`. */
export function defaultBranch(git: GitState): string | null {
  const origin = textOf(join(git.commonDir, 'refs/remotes/origin/HEAD'))?.trim() ?? '';
  const named = /^ref: refs\/remotes\/origin\/(.+)$/.exec(origin)?.[1];
  return named ?? ['main', 'master'].find((name) => branchCommit(git, name) !== null) ?? null;
}

function findPlace(start: string): GitPlace | null {
  for (let folder = start; ; ) {
    const dotGit = join(folder, '.git');
    const gitDir = gitDirAt(dotGit, folder);
    if (gitDir !== null) return { gitDir, commonDir: commonDirOf(gitDir), workTree: folder };
    if (isGitDir(folder)) return { gitDir: folder, commonDir: commonDirOf(folder), workTree: null };
    const parent = dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

/** The git folder behind a `.git`: itself, or what a `gitdir:` file (submodule, linked work tree) names. */
function gitDirAt(dotGit: string, base: string): string | null {
  if (isGitDir(dotGit)) return realOrNull(dotGit);
  const target = /^gitdir: (.+?)\r?\n?$/s.exec(textOf(dotGit) ?? '')?.[1];
  if (target === undefined) return null;
  const folder = resolve(base, target);
  return isGitDir(folder) ? realOrNull(folder) : null;
}

function isGitDir(folder: string): boolean {
  if (!exists(join(folder, 'HEAD'))) return false;
  if (exists(join(folder, 'commondir'))) return true;
  return exists(join(folder, 'objects')) && exists(join(folder, 'refs'));
}

function commonDirOf(gitDir: string): string {
  const target = textOf(join(gitDir, 'commondir'))?.trim();
  return (target ? realOrNull(resolve(gitDir, target)) : null) ?? gitDir;
}

async function readHead(
  place: GitPlace,
  signal?: AbortSignal,
): Promise<{ readonly branch: string | null; readonly head: string | null }> {
  const text = textOf(join(place.gitDir, 'HEAD'))?.trim() ?? '';
  const name = /^ref: (.+)$/.exec(text)?.[1];
  if (name === undefined) return { branch: null, head: isObjectId(text) ? text : null };
  // Repositories with reftable keep a dummy HEAD: only git can tell.
  if (name === 'refs/heads/.invalid') return askHead(place, signal);
  const head = resolveRef(place, name);
  return { branch: head === null ? null : name.replace(/^refs\/heads\//, ''), head };
}

function resolveRef(place: GitPlace, name: string): string | null {
  if (!/^refs\/[^\0]+$/.test(name) || name.split('/').includes('..')) return null;
  const loose = (textOf(join(place.gitDir, name)) ?? textOf(join(place.commonDir, name)))?.trim();
  if (loose !== undefined && isObjectId(loose)) return loose;
  const next = /^ref: (.+)$/.exec(loose ?? '')?.[1];
  if (next !== undefined && next !== name) return resolveRef(place, next);
  const packed = textOf(join(place.commonDir, 'packed-refs')) ?? '';
  const end = packed.indexOf(` ${name}\n`);
  if (end < 0) return null;
  const id = packed.slice(packed.lastIndexOf('\n', end) + 1, end);
  return isObjectId(id) ? id : null;
}

async function askHead(place: GitPlace, signal?: AbortSignal): Promise<{ branch: string | null; head: string | null }> {
  const folder = place.workTree ?? place.gitDir;
  const options = signal ? { signal } : {};
  const [commit, name] = await Promise.all([
    runGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], options),
    runGit(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD'], options),
  ]);
  const head = commit.stdout.toString('latin1').trim();
  if (commit.code !== 0 || !isObjectId(head)) return { branch: null, head: null };
  return { branch: name.code === 0 ? name.stdout.toString('utf8').trim() : null, head };
}

/** Ignored by the repository around it, and with no tracked file: a project of its own that happens to lie there. */
async function isForeign(workTree: string, folder: string, signal?: AbortSignal): Promise<boolean> {
  const options = signal ? { signal } : {};
  const ignored = await runGit(workTree, ['check-ignore', '--quiet', '--', folder], options);
  if (ignored.code !== 0) return false;
  const tracked = await runGit(folder, ['ls-files', '-z'], options);
  return tracked.code === 0 && tracked.stdout.length === 0;
}

function isObjectId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function textOf(path: string): string | null {
  try {
    // Asked first: opening a pipe of that name would wait for ever.
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}
