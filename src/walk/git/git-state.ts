/**
 * Where a folder stands in git, read from git's own files: no process, and the same answer where git is missing or
 * refuses to work (foreign owner, no home). So a project keeps its store whatever happens to git.
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
  realOrNull,
  textOf,
  trustBare,
} from './git-place.ts';
import { runGit } from './git-process.ts';
import { outsideObjects } from './outside-objects.ts';

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
 * A bare repository that a work tree around it tracks came with a clone and is content; any other is the one that was
 * named.
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

/**
 * What keeps git from being asked about a folder as it would be by hand, and what changes that; null where nothing
 * does.
 */
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
 * Commit that a branch (or remote branch) stands at now, by git's files alone; null where they do not tell: a tag, a
 * commit, a repository with reftable. For asking at every question; resolveRef() in git-refs.ts asks git itself.
 */
export function branchCommit(git: GitState, ref: string): string | null {
  const place = { gitDir: git.commonDir, commonDir: git.commonDir };
  return resolveRef(place, `refs/heads/${ref}`) ?? resolveRef(place, `refs/remotes/${ref}`);
}

/**
 * Commit of a branch as git itself would resolve its name, without asking it; null wherever another reading comes first
 * (a tag, a ref by its whole name) or the files do not tell.
 */
export function plainBranchCommit(git: GitState, ref: string): string | null {
  if (!/^[\w][\w./-]*$/.test(ref) || ref.includes('..') || isObjectId(ref)) return null;
  const place = { gitDir: git.commonDir, commonDir: git.commonDir };
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

/**
 * The branch that a project calls its own when HEAD names none: what its origin checks out, else `main` or `master`.
 */
export function defaultBranch(git: GitState): string | null {
  const origin = textOf(join(git.commonDir, 'refs/remotes/origin/HEAD'))?.trim() ?? '';
  const named = /^ref: refs\/remotes\/origin\/(.+)$/.exec(origin)?.[1];
  return named ?? ['main', 'master'].find((name) => branchCommit(git, name) !== null) ?? null;
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

/** Refs that name one another, at most. */
const MAX_DEPTH = 5;

function resolveRef(place: Pick<GitPlace, 'gitDir' | 'commonDir'>, name: string, depth = 0): string | null {
  if (depth > MAX_DEPTH || !/^refs\/[^\0]+$/.test(name) || name.split('/').includes('..')) return null;
  const loose = (textOf(join(place.gitDir, name)) ?? textOf(join(place.commonDir, name)))?.trim();
  if (loose !== undefined && isObjectId(loose)) return loose;
  const next = /^ref: (.+)$/.exec(loose ?? '')?.[1];
  if (next !== undefined && next !== name) return resolveRef(place, next, depth + 1);
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
