/**
 * Finds the repository that a folder belongs to, from git's own files and in git's own order. Sextant starts git only
 * for the repository found here, so the rules are stricter than git's: a folder inside a work tree that looks like a
 * bare repository is content, and a `.git` that leads elsewhere counts only if the repository there names this folder.
 */
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isOtherHost } from '../../model/runtime/other-host.ts';
import { textOfRegularFile } from '../../model/runtime/repository-file.ts';
import { isWithin } from '../../model/text/is-within.ts';

export interface GitPlace {
  /** The folder with HEAD. It differs from `commonDir` in a linked work tree. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** Null for a bare repository, and inside a `.git` folder. */
  readonly workTree: string | null;
  /**
   * A folder between the start and the work tree's root looks like a bare repository; git itself would use that one.
   */
  readonly hasEmbedded: boolean;
}

/** Larger files in git's folder are refused: even the packed refs of a repository with 100,000 branches take 10 MB. */
const MAX_BYTES = 64 << 20;

/** Bare repositories that lie inside a work tree which does not track them. */
const trustedBares = new Set<string>();

/** Tells findPlace() that a bare repository inside a work tree is the user's own, not content that a clone brought. */
export function trustBare(folder: string): void {
  trustedBares.add(folder);
}

/** The repository that `start` (a real path) lies in, or null. */
export function findPlace(start: string): GitPlace | null {
  let bare: string | null = null;
  for (let folder = start; ; ) {
    const gitDir = gitDirAt(join(folder, '.git'), folder);
    if (gitDir !== null) {
      const commonDir = commonDirOf(gitDir);
      const isInside = bare !== null && (isWithin(bare, gitDir) || trustedBares.has(bare));
      if (isInside) return barePlace(bare!);
      if (!claimsWorkTree(gitDir, commonDir, folder)) return null;
      return { gitDir, commonDir, workTree: folder, hasEmbedded: bare !== null };
    }
    if (bare === null && isGitDir(folder)) bare = folder;
    const parent = dirname(folder);
    if (parent === folder) return bare === null ? null : barePlace(bare);
    folder = parent;
  }
}

function barePlace(gitDir: string): GitPlace {
  return { gitDir, commonDir: commonDirOf(gitDir), workTree: null, hasEmbedded: false };
}

/** Whether a folder's `.git` leads to a repository that does not name the folder as its work tree. */
export function hasStrayGit(folder: string): boolean {
  const gitDir = gitDirAt(join(folder, '.git'), folder);
  return gitDir !== null && !claimsWorkTree(gitDir, commonDirOf(gitDir), folder);
}

/**
 * The git folder behind a `.git`: that folder itself, or the one that a `gitdir:` file (submodule, linked work tree)
 * names.
 */
export function gitDirAt(dotGit: string, base: string): string | null {
  if (isGitDir(dotGit)) return realOrNull(dotGit);
  const target = /^gitdir: (.+?)\r?\n?$/s.exec(readGitFile(dotGit) ?? '')?.[1];
  if (target === undefined) return null;
  const folder = resolve(base, target);
  if (isOtherHost(folder, base)) return null;
  return isGitDir(folder) ? realOrNull(folder) : null;
}

/** git's own test for a repository: a HEAD that names a ref or a commit, and the folders objects and refs. */
export function isGitDir(folder: string): boolean {
  if (!hasHead(join(folder, 'HEAD'))) return false;
  const common = commonDirOf(folder);
  return exists(join(common, 'objects')) && exists(join(common, 'refs'));
}

function hasHead(file: string): boolean {
  const text = readGitFile(file) ?? linkTarget(file);
  return /^(?:ref:\s*refs\/|refs\/|[0-9a-f]{40})/.test(text);
}

function commonDirOf(gitDir: string): string {
  const target = readGitFile(join(gitDir, 'commondir'))?.trim();
  const folder = target ? resolve(gitDir, target) : gitDir;
  return isOtherHost(folder, gitDir) ? gitDir : (realOrNull(folder) ?? gitDir);
}

/**
 * Whether a repository names a folder as its work tree. An unpacked archive may hold a `.git` that leads to any
 * repository of the machine, whose history would then be shown as the folder's. For linked work trees and submodules,
 * git itself writes the path of the work tree into the repository.
 */
function claimsWorkTree(gitDir: string, commonDir: string, workTree: string): boolean {
  if (gitDir !== commonDir) {
    if (dirname(gitDir) !== join(commonDir, 'worktrees')) return false;
    const back = readGitFile(join(gitDir, 'gitdir'))?.trim() ?? '';
    return basename(back) === '.git' && realOrNull(resolve(gitDir, dirname(back))) === workTree;
  }
  if (isWithin(gitDir, workTree)) return true;
  const config = readGitFile(join(gitDir, 'config')) ?? '';
  const named = readConfigValue(config, /^[ \t]*worktree[ \t]*=(.*)$/im);
  const folder = named === undefined ? null : resolve(gitDir, named);
  return folder !== null && !isOtherHost(folder, gitDir) && realOrNull(folder) === workTree;
}

/** The value in a configuration's first line that matches, without quotes; undefined if no line does. */
export function readConfigValue(config: string, line: RegExp): string | undefined {
  const value = line.exec(config)?.[1]?.trim().replace(/^"/, '').replace(/"$/, '');
  return value === '' ? undefined : value;
}

export function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** The text of a regular file in git's folder; null if there is none. */
export function readGitFile(path: string): string | null {
  return textOfRegularFile(path, MAX_BYTES);
}

/** The target of a link: HEAD may be a link to a ref that has no commit yet. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

export function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
