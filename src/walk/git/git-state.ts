/**
 * The repository, branch and commit of a folder, read from git's own files. It needs no process and gives the same
 * answer if git is missing or refuses to work (foreign owner, no home), so a project always finds its store.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { GitState } from '../../model/records/source-file.ts';
import {
  exists,
  findPlace,
  type GitPlace,
  gitDirAt,
  hasStrayGit,
  isGitDir,
  readGitFile,
  realOrNull,
  trustBare,
} from './git-place.ts';
import { runGit } from './process/git-process.ts';
import { outsideObjects } from './process/outside-objects.ts';

/**
 * The repository that `path` (an existing folder) lies in, or null. A folder that the surrounding repository ignores
 * does not belong to it.
 */
export async function readGitState(path: string, signal?: AbortSignal): Promise<GitState | null> {
  const folder = realOrNull(path);
  if (folder === null) return null;
  const place = await placeOf(folder, signal);
  if (place === null) return null;
  if (place.workTree !== null && place.workTree !== folder && (await isForeign(place.workTree, folder, signal)))
    return null;
  const { branch, head } = await readHead(place, signal);
  return { commonDir: place.commonDir, workTree: place.workTree, branch, head };
}

/**
 * The repository of a folder. If the folder is a bare repository inside a work tree: one that the work tree tracks came
 * with a clone and is content; any other is the user's own and is the answer.
 */
export async function placeOf(folder: string, signal?: AbortSignal): Promise<GitPlace | null> {
  const place = findPlace(folder);
  if (place?.workTree == null || !place.hasEmbedded || !isGitDir(folder)) return place;
  const head = `:(literal)${join(folder, 'HEAD')}`;
  const tracked = await runGit(place.workTree, ['ls-files', '-z', '--', head], signal ? { signal } : {});
  if (tracked.code !== 0 || tracked.stdout.length > 0) return place;
  trustBare(folder);
  return findPlace(folder);
}

/** Why git is not used, or not fully used, for a folder, and the command that changes that; null if it is used. */
export function gitRestriction(folder: string): { readonly detail: string; readonly fix: string } | null {
  const place = findPlace(folder);
  if (place === null && hasStrayGit(folder))
    return {
      detail: '.git leads to a repository that does not name this folder: it is indexed as a plain folder',
      fix: 'Run `git worktree repair` in that repository, or set `core.worktree` there to this folder.',
    };
  const outside = place && outsideObjects(place.commonDir);
  return outside === null
    ? null
    : {
        detail: `objects lie outside of the repository (${outside}): its history and other refs are not read`,
        fix: `Run \`git -C ${folder} repack -a -d\` and remove objects/info/alternates from its git folder.`,
      };
}

/**
 * The commit of a branch or remote branch, read from git's files: fast enough for every question. Null if the files do
 * not tell: a tag, a commit, a repository with reftable. resolveRef() in git-refs.ts runs git instead.
 */
export function branchCommit(git: GitState, ref: string): string | null {
  const place = { gitDir: git.commonDir, commonDir: git.commonDir };
  return resolveRef(place, `refs/heads/${ref}`) ?? resolveRef(place, `refs/remotes/${ref}`);
}

/**
 * The commit of a branch if git itself would resolve the name to it. Null if git prefers another reading of the name
 * (a tag, a full ref name), or if the files do not tell.
 */
export function plainBranchCommit(git: GitState, ref: string): string | null {
  if (!/^[\w][\w./-]*$/.test(ref) || ref.includes('..') || isObjectId(ref)) return null;
  const place = { gitDir: git.commonDir, commonDir: git.commonDir };
  const isOtherRef = ['', 'refs/', 'refs/tags/'].some((prefix) => resolveRef(place, prefix + ref) !== null);
  if (isOtherRef || exists(join(git.commonDir, ref))) return null;
  return resolveRef(place, `refs/heads/${ref}`);
}

/** An older index.lock was left behind by a git that died. */
const MAX_LOCK_AGE_MS = 60_000;

/** Whether git is writing to this work tree right now (a checkout, a merge, a rebase). */
export function isGitBusy(git: GitState): boolean {
  const gitDir = git.workTree === null ? git.commonDir : gitDirAt(join(git.workTree, '.git'), git.workTree);
  if (gitDir === null) return false;
  try {
    const lock = statSync(join(gitDir, 'index.lock'), { throwIfNoEntry: false });
    return lock !== undefined && Math.abs(Date.now() - lock.mtimeMs) < MAX_LOCK_AGE_MS;
  } catch {
    return false;
  }
}

/** The branch that stands for a project if HEAD names none: the origin's HEAD branch, else `main` or `master`. */
export function defaultBranch(git: GitState): string | null {
  const origin = readGitFile(join(git.commonDir, 'refs/remotes/origin/HEAD'))?.trim() ?? '';
  const named = /^ref: refs\/remotes\/origin\/(.+)$/.exec(origin)?.[1];
  return named ?? ['main', 'master'].find((name) => branchCommit(git, name) !== null) ?? null;
}

async function readHead(
  place: GitPlace,
  signal?: AbortSignal,
): Promise<{ readonly branch: string | null; readonly head: string | null }> {
  const text = readGitFile(join(place.gitDir, 'HEAD'))?.trim() ?? '';
  const name = /^ref: (.+)$/.exec(text)?.[1];
  if (name === undefined) return { branch: null, head: isObjectId(text) ? text : null };
  // A repository with reftable has a dummy HEAD; only git can read the real one.
  if (name === 'refs/heads/.invalid') return askHead(place, signal);
  const head = resolveRef(place, name);
  return { branch: head === null ? null : name.replace(/^refs\/heads\//, ''), head };
}

/** Length of a chain of symbolic refs, as in git. */
const MAX_SYMBOLIC_REFS = 5;

function resolveRef(place: Pick<GitPlace, 'gitDir' | 'commonDir'>, name: string, depth = 0): string | null {
  if (depth > MAX_SYMBOLIC_REFS || !/^refs\/[^\0]+$/.test(name) || name.split('/').includes('..')) return null;
  const loose = (readGitFile(join(place.gitDir, name)) ?? readGitFile(join(place.commonDir, name)))?.trim();
  if (loose !== undefined && isObjectId(loose)) return loose;
  const next = /^ref: (.+)$/.exec(loose ?? '')?.[1];
  if (next !== undefined && next !== name) return resolveRef(place, next, depth + 1);
  const packed = readGitFile(join(place.commonDir, 'packed-refs')) ?? '';
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

/** Whether the repository around a folder ignores it and tracks no file in it: the folder is a separate project. */
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
