/** The walk of a live folder: a listing (git's, or our own), filtered by path, then by what lies on disk. */

import { realpathSync, type Stats, statSync } from 'node:fs';
import { EngineError, toEngineError } from '../model/records/engine-errors.ts';
import type { GitState, SkippedFile, WalkedFile } from '../model/records/source-file.ts';
import { textInRepository } from '../model/runtime/repository-file.ts';
import { folderOf } from '../model/text/path-text.ts';
import { besideListing, findChanged } from './folder-changes.ts';
import { type FolderPrint, printFolder } from './folder-fingerprint.ts';
import { listWithoutGit } from './folder-listing.ts';
import { type ConversionSettings, readConversionSettings } from './git/git-conversions.ts';
import { hasStrayGit } from './git/git-place.ts';
import type { GitOutcome } from './git/git-process.ts';
import { readGitState } from './git/git-state.ts';
import { askGit, askGitBriefly, inBrief, readListing, type TrackedFile } from './git/listing/git-listing.ts';
import { lstatQuietly } from './lstat-quietly.ts';
import { createIgnoreRules, type IgnoreRules, MAX_RULES_BYTES } from './rules/ignore-rules.ts';
import { judgeLink } from './rules/links.ts';
import { findOutputFolder, OUTPUT_MARKS } from './rules/output-folders.ts';
import { createPathFilter, type PathFilter, tidySkipped } from './rules/path-filter.ts';
import type { GitWords, WalkOptions, WalkResult } from './walk-project.ts';
import { createPause } from './yield-to-event-loop.ts';

interface Candidates {
  readonly entries: ReadonlyMap<string, TrackedFile>;
  readonly skipped: readonly SkippedFile[];
}

const UNKNOWN: TrackedFile = { blobId: null, stat: null };
const STRAY_GIT: SkippedFile = {
  path: '.git',
  reason: 'link_outside_root',
  detail: 'leads to a repository that does not name this folder (`git worktree repair`, or `core.worktree` there)',
};

/**
 * Throws path_not_found, not_a_directory, permission_denied, invalid_input (bare repository), invalid_pattern,
 * cancelled.
 */
export async function walk(requested: WalkOptions): Promise<WalkResult> {
  const options = rooted(requested);
  const git = await gitAt(options);
  return (await walkChanged(options, git)) ?? list(options, git, await readGit(options, git));
}

/** Only the files that changed since the earlier walk; null if that is unknown, or if too many changed. */
async function walkChanged(options: WalkOptions, git: WorkTree | null): Promise<WalkResult | null> {
  const { root, signal } = options;
  if (git === null || !options.earlier) return null;
  const beside = besideListing(root, git);
  const status = await askGitBriefly(root, signal);
  const earlier = options.earlier();
  if (status.code !== 0 || earlier === null) return null;
  const words = wordsOf(beside, status, status.stdout, earlier.words.exact);
  const changed = findChanged(root, words, earlier);
  if (changed === null) return null;
  const ownRules = createIgnoreRules();
  addOwnRules(root, [], ownRules);
  const entries = new Map([...changed].map(([path, blobId]) => [path, { blobId, stat: null }]));
  const filtered = await filterEntries(options, { entries, skipped: [] }, createPathFilter(options, ownRules));
  return { ...filtered, git, words, since: { of: earlier.of, paths: new Set(changed.keys()) } };
}

/** Warnings name folders that could not be listed. */
function wordsOf(beside: string, { stderr }: GitOutcome, listing: Buffer, exact: boolean): GitWords {
  return { listing, beside: `${beside}\n${stderr}`, exact };
}

/**
 * The folder's print as it is now: where it is that of an earlier walk of the same options, that walk need not be
 * repeated. Null where there is no git to tell.
 */
export async function lookAt(requested: WalkOptions): Promise<FolderPrint | null> {
  const { root, signal } = rooted(requested);
  const git = await readGitState(root, signal);
  return git?.workTree == null ? null : printFolder(root, await askGitBriefly(root, signal));
}

/** Links are judged by where they lead, so the root has to be where it really is. */
function rooted(requested: WalkOptions): WalkOptions {
  return { ...requested, root: realRoot(requested.root) };
}

type WorkTree = GitState & { readonly workTree: string };

/** Throws invalid_input for a bare repository. */
async function gitAt({ root, signal }: WalkOptions): Promise<WorkTree | null> {
  const git = await readGitState(root, signal);
  if (git !== null && git.workTree === null)
    throw new EngineError('invalid_input', {
      reason:
        `${root} is a bare git repository and has no files of its own: pass a ref to index one of its branches, or ` +
        'a clone of it.',
    });
  return git as WorkTree | null;
}

interface GitReadings {
  readonly beside: string;
  readonly outcome: GitOutcome;
  readonly settings: ConversionSettings | null;
}

/** Two processes side by side, or one. */
async function readGit({ root, signal, trustIds }: WalkOptions, git: WorkTree | null): Promise<GitReadings | null> {
  if (git === null) return null;
  const beside = besideListing(root, git);
  const [outcome, settings] = await Promise.all([
    askGit(root, signal),
    trustIds ? null : readConversionSettings(git, signal),
  ]);
  return { beside, outcome, settings };
}

async function list(options: WalkOptions, git: WorkTree | null, readings: GitReadings | null): Promise<WalkResult> {
  const ownRules = createIgnoreRules();
  const filter = createPathFilter(options, ownRules);
  try {
    const listed = await findWithGit(options, git, readings, ownRules, filter);
    const found = listed ?? (await findWithoutGit(options, git, ownRules, filter));
    const words =
      listed && readings?.settings
        ? wordsOf(readings.beside, readings.outcome, inBrief(readings.outcome), listed.exact)
        : null;
    return { ...(await filterEntries(options, found, filter)), git, words };
  } catch (error) {
    throw toEngineError(error);
  }
}

function realRoot(path: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EngineError(code === 'EACCES' ? 'permission_denied' : 'path_not_found', { path }, error);
  }
  throw new EngineError('not_a_directory', { path });
}

async function findWithGit(
  options: WalkOptions,
  git: WorkTree | null,
  readings: GitReadings | null,
  ownRules: IgnoreRules,
  filter: PathFilter,
): Promise<(Candidates & { readonly exact: boolean }) | null> {
  if (git === null || readings === null) return null;
  const listing = await readListing(options.root, git, readings.outcome, readings.settings, options);
  if (listing === null) return null;
  const entries = new Map(listing.tracked);
  for (const path of listing.untracked) entries.set(path, UNKNOWN);
  addOwnRules(options.root, entries.keys(), ownRules);
  const skipped: SkippedFile[] = [
    ...listing.boundaries.map(({ path, detail }) => ({ path: `${path}/`, reason: 'submodule' as const, detail })),
    ...listing.invalidNames.map((path) => ({ path, reason: 'invalid_name' as const, detail: 'name is not UTF-8' })),
    ...listing.unreadable.map(({ path, detail }) => ({ path: `${path}/`, reason: 'unreadable' as const, detail })),
  ];
  for (const path of listing.untracked) {
    const output = outputFolderAbove(path, entries, filter);
    if (output === null) continue;
    entries.delete(path);
    skipped.push(output);
  }
  // Without ids, only times tell that a file was changed and changed back while it was read.
  const hasIds = [...listing.tracked.values()].some(({ blobId }) => blobId !== null);
  return { entries, skipped, exact: listing.risk === 'none' && hasIds };
}

async function findWithoutGit(
  options: WalkOptions,
  git: GitState | null,
  ownRules: IgnoreRules,
  filter: PathFilter,
): Promise<Candidates> {
  const { paths, skipped } = await listWithoutGit(options.root, git, filter, ownRules, options.signal);
  const stray: SkippedFile[] = git === null && hasStrayGit(options.root) ? [STRAY_GIT] : [];
  return { entries: new Map(paths.map((path) => [path, UNKNOWN])), skipped: [...skipped, ...stray] };
}

/** .sextantignore files: the root's own always, others as far as they are listed themselves. */
function addOwnRules(root: string, paths: Iterable<string>, rules: IgnoreRules): void {
  const names = new Set(['.sextantignore']);
  for (const path of paths) if (path.endsWith('/.sextantignore')) names.add(path);
  for (const path of names) {
    const text = textInRepository(root, path, MAX_RULES_BYTES);
    if (text !== null) rules.add(path.slice(0, -'/.sextantignore'.length), text);
  }
}

/** The build output folder of an untracked path, recognised by files beside or inside it. */
function outputFolderAbove(path: string, ids: ReadonlyMap<string, unknown>, filter: PathFilter): SkippedFile | null {
  if (filter.isKept(path)) return null;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    const parent = folder.slice(0, folder.lastIndexOf('/') + 1);
    const found = findOutputFolder(folder.slice(parent.length), (name) => ids.has(parent + name));
    if (found) return { path: `${folder}/`, reason: found.reason, detail: found.why };
    if (OUTPUT_MARKS.some((mark) => ids.has(`${folder}/${mark}`)))
      return { path: `${folder}/`, reason: 'generated', detail: 'tool cache or build output' };
  }
  return null;
}

async function filterEntries(
  options: WalkOptions,
  found: Candidates,
  filter: PathFilter,
): Promise<{ files: readonly WalkedFile[]; skipped: readonly SkippedFile[] }> {
  const { root, maxFileBytes, signal } = options;
  const pause = createPause(signal);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const files: WalkedFile[] = [];
  const skipped = new Map(found.skipped.map((skip) => [skip.path, skip]));
  const links: { path: string; target: string; isFolder: boolean }[] = [];
  const folders = new Map<string, boolean>();

  /**
   * A tracked path below a folder that has become a link lies elsewhere now: git counts it as deleted, and so do we.
   */
  function isRealFolder(folder: string): boolean {
    if (folder === '') return true;
    let real = folders.get(folder);
    if (real === undefined) {
      real = isRealFolder(folderOf(folder)) && isPlainFolder(prefix + folder);
      folders.set(folder, real);
    }
    return real;
  }

  for (const path of [...found.entries.keys()].sort()) {
    await pause();
    const verdict = filter.judge(path);
    if (typeof verdict !== 'number') {
      const known = skipped.has(verdict.path);
      if (!known && lstatQuietly(prefix + verdict.path.replace(/\/$/, '')) !== undefined)
        skipped.set(verdict.path, verdict);
      continue;
    }
    if (!isRealFolder(folderOf(path))) continue;
    const { blobId, stat: known } = found.entries.get(path)!;
    const stat = known ?? lstatQuietly(prefix + path);
    if (stat === undefined) continue;
    if (stat === null) skipped.set(path, { path, reason: 'unreadable', detail: 'no permission' });
    else if (!known && (stat as Stats).isSymbolicLink()) {
      const link = judgeLink(root, path);
      if (link.kind === 'skip') skipped.set(path, link.skipped);
      else links.push({ path, target: link.target, isFolder: link.isFolder });
    } else if (!known && !(stat as Stats).isFile()) {
      if (!(stat as Stats).isDirectory())
        skipped.set(path, { path, reason: 'not_a_file', detail: 'pipe, socket or device' });
    } else if (stat.size > maxFileBytes) skipped.set(path, { path, reason: 'too_large', detail: `${stat.size} bytes` });
    else {
      const { size, mtimeMs } = stat;
      const changedMs = known ? mtimeMs : Math.max(mtimeMs, (stat as Stats).ctimeMs);
      files.push({ path, size, mtimeMs, changedMs, blobId, flags: verdict });
    }
  }

  const twins = findCaseTwins(prefix, files);
  for (const [path, first] of twins)
    skipped.set(path, { path, reason: 'excluded', detail: `the same file as ${first} on this file system` });
  const listed = twins.size === 0 ? files : files.filter(({ path }) => !twins.has(path));
  for (const { path, target, isFolder } of links)
    if (!isListed(listed, target, isFolder))
      skipped.set(path, { path, reason: 'excluded', detail: `link to ${target || 'the root'}, which is not listed` });
  return { files: listed, skipped: tidySkipped(skipped.values()) };
}

/**
 * Paths that differ only in case and are one file on disk (a repository made elsewhere, on a file system that ignores
 * case), with the first of them.
 */
function findCaseTwins(prefix: string, files: readonly WalkedFile[]): Map<string, string> {
  const first = new Map<string, string>();
  const twins = new Map<string, string>();
  for (const { path } of files) {
    const folded = path.toLowerCase();
    const other = first.get(folded);
    if (other === undefined) first.set(folded, path);
    else if (isSameFile(prefix + path, prefix + other)) twins.set(path, other);
  }
  return twins;
}

function isSameFile(a: string, b: string): boolean {
  const [one, two] = [lstatQuietly(a), lstatQuietly(b)];
  return one != null && two != null && one.ino === two.ino && one.dev === two.dev;
}

/** The file itself, or anything below the folder, is among the sorted files. */
function isListed(files: readonly WalkedFile[], target: string, isFolder: boolean): boolean {
  const sought = isFolder ? `${target}/` : target;
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (files[middle]!.path < sought) low = middle + 1;
    else high = middle;
  }
  const next = files[low]?.path;
  return next !== undefined && (isFolder ? next.startsWith(sought) : next === sought);
}

function isPlainFolder(absolute: string): boolean {
  return lstatQuietly(absolute)?.isDirectory() ?? false;
}
