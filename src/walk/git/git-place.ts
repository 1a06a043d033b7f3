/**
 * Which repository a folder belongs to, read from git's own files in git's own order. Sextant starts git only for the
 * repository that is found here, so the rules are stricter than git's: a folder of a repository that merely looks like
 * a bare repository is content, and a `.git` that leads elsewhere counts only where the repository there names this
 * folder.
 */
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isOtherHost } from '../../model/runtime/other-host.ts';
import { textOfRegularFile } from '../../model/runtime/repository-file.ts';
import { isWithin } from '../../model/text/is-within.ts';

export interface GitPlace {
  /** The folder with HEAD: differs from the common folder in a linked work tree. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** Null for a bare repository, and inside of a `.git` folder. */
  readonly workTree: string | null;
  /**
   * A folder between the one asked about and the root of the work tree looks like a bare repository: git itself would
   * take it for one.
   */
  readonly hasEmbedded: boolean;
}

/** Larger files in git's folder are refused: even the packed refs of a repository with 100,000 branches take 10 MB. */
const MAX_BYTES = 64 << 20;

/** Bare repositories inside of a work tree that does not track them. */
const ownBares = new Set<string>();

/** A bare repository inside of a work tree is the user's own, not content that came with a clone. */
export function trustBare(folder: string): void {
  ownBares.add(folder);
}

/** The repository that `start` (a real path) lies in, or null. */
export function findPlace(start: string): GitPlace | null {
  let bare: string | null = null;
  for (let folder = start; ; ) {
    const gitDir = gitDirAt(join(folder, '.git'), folder);
    if (gitDir !== null) {
      const commonDir = commonDirOf(gitDir);
      const isInside = bare !== null && (isWithin(bare, gitDir) || ownBares.has(bare));
      if (isInside) return barePlace(bare!);
      if (!belongs(gitDir, commonDir, folder)) return null;
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

/** Whether a folder has a `.git` that leads to a repository which does not name the folder. */
export function hasStrayGit(folder: string): boolean {
  const gitDir = gitDirAt(join(folder, '.git'), folder);
  return gitDir !== null && !belongs(gitDir, commonDirOf(gitDir), folder);
}

/** The git folder behind a `.git`: itself, or what a `gitdir:` file (submodule, linked work tree) names. */
export function gitDirAt(dotGit: string, base: string): string | null {
  if (isGitDir(dotGit)) return realOrNull(dotGit);
  const target = /^gitdir: (.+?)\r?\n?$/s.exec(textOf(dotGit) ?? '')?.[1];
  if (target === undefined) return null;
  const folder = resolve(base, target);
  if (isOtherHost(folder, base)) return null;
  return isGitDir(folder) ? realOrNull(folder) : null;
}

/** Git's own test of a repository: a HEAD that names a ref or a commit, objects and refs. */
export function isGitDir(folder: string): boolean {
  if (!hasHead(join(folder, 'HEAD'))) return false;
  const common = commonDirOf(folder);
  return exists(join(common, 'objects')) && exists(join(common, 'refs'));
}

function hasHead(file: string): boolean {
  const text = textOf(file) ?? linkTarget(file);
  return /^(?:ref:\s*refs\/|refs\/|[0-9a-f]{40})/.test(text);
}

function commonDirOf(gitDir: string): string {
  const target = textOf(join(gitDir, 'commondir'))?.trim();
  const folder = target ? resolve(gitDir, target) : gitDir;
  return isOtherHost(folder, gitDir) ? gitDir : (realOrNull(folder) ?? gitDir);
}

/**
 * An unpacked archive may bring a `.git` that leads to any repository of the machine: its history and its index would
 * be shown as this folder's. git writes the way back for linked work trees and submodules.
 */
function belongs(gitDir: string, commonDir: string, workTree: string): boolean {
  if (gitDir !== commonDir) {
    if (dirname(gitDir) !== join(commonDir, 'worktrees')) return false;
    const back = textOf(join(gitDir, 'gitdir'))?.trim() ?? '';
    return basename(back) === '.git' && realOrNull(resolve(gitDir, dirname(back))) === workTree;
  }
  if (isWithin(gitDir, workTree)) return true;
  const config = textOf(join(gitDir, 'config')) ?? '';
  const named = configured(config, /^[ \t]*worktree[ \t]*=(.*)$/im);
  const folder = named === undefined ? null : resolve(gitDir, named);
  return folder !== null && !isOtherHost(folder, gitDir) && realOrNull(folder) === workTree;
}

/** The value that the configuration sets, without quotes; undefined where it sets none. */
export function configured(config: string, line: RegExp): string | undefined {
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

/** Text of a regular file in git's folder; null where there is none. */
export function textOf(path: string): string | null {
  return textOfRegularFile(path, MAX_BYTES);
}

/** HEAD may be a link to a ref that has no commit yet. */
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
