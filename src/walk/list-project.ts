/** Walks a folder on disk: lists its paths with git or without, then filters them by path and by lstat(). */

import { realpathSync, type Stats, statSync } from 'node:fs';
import { EngineError, toEngineError } from '../model/records/engine-errors.ts';
import type { GitState, SkippedFile, WalkedFile } from '../model/records/source-file.ts';
import { textInRepository } from '../model/runtime/repository-file.ts';
import { folderOf } from '../model/text/path-text.ts';
import { findChanged, readListingContext } from './folder-changes.ts';
import { type FolderFingerprint, fingerprintFolder } from './folder-fingerprint.ts';
import { listWithoutGit } from './folder-listing.ts';
import { type ConversionSettings, readConversionSettings } from './git/git-conversions.ts';
import { hasStrayGit } from './git/git-place.ts';
import { readGitState } from './git/git-state.ts';
import {
  readListing,
  runListing,
  runShortListing,
  shortenListing,
  type TrackedFile,
} from './git/listing/git-listing.ts';
import type { GitOutcome } from './git/process/git-process.ts';
import { lstatQuietly } from './lstat-quietly.ts';
import { createIgnoreRules, type IgnoreRules, MAX_RULES_BYTES } from './rules/ignore-rules.ts';
import { judgeLink } from './rules/links.ts';
import { findOutputFolder, TOOL_FOLDER_FILES } from './rules/output-folders.ts';
import { createPathFilter, type PathFilter, tidySkipped } from './rules/path-filter.ts';
import type { GitListingOutput, WalkOptions, WalkResult } from './walk-project.ts';
import { createEventLoopYield } from './yield-to-event-loop.ts';

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
  const options = withRealRoot(requested);
  const git = await findWorkTree(options);
  return (await walkChanged(options, git)) ?? walkAll(options, git, await startGit(options, git));
}

/** Walks only the files that changed since the earlier walk. Null if they are unknown, or too many. */
async function walkChanged(options: WalkOptions, git: WorkTree | null): Promise<WalkResult | null> {
  const { root, signal } = options;
  if (git === null || !options.earlier) return null;
  const context = readListingContext(root, git);
  const outcome = await runShortListing(root, signal);
  const earlier = options.earlier();
  if (outcome.code !== 0 || earlier === null) return null;
  const gitListing = toListingOutput(context, outcome, outcome.stdout, earlier.gitListing.hasExactIds);
  const changed = findChanged(root, gitListing, earlier);
  if (changed === null) return null;
  const ownRules = createIgnoreRules();
  addOwnRules(root, [], ownRules);
  const entries = new Map([...changed].map(([path, blobId]) => [path, { blobId, stat: null }]));
  const filtered = await filterEntries(options, { entries, skipped: [] }, createPathFilter(options, ownRules));
  return { ...filtered, git, gitListing, since: { tree: earlier.tree, paths: new Set(changed.keys()) } };
}

/** git's warnings name the folders that it could not list, so they are part of the context. */
function toListingOutput(
  context: string,
  { stderr }: GitOutcome,
  listing: Buffer,
  hasExactIds: boolean,
): GitListingOutput {
  return { listing, context: `${context}\n${stderr}`, hasExactIds };
}

/**
 * The folder's fingerprint now. If an earlier walk with the same options began and ended with this fingerprint, its
 * result still holds. Null without git.
 */
export async function readFolderFingerprint(requested: WalkOptions): Promise<FolderFingerprint | null> {
  const { root, signal } = withRealRoot(requested);
  const git = await readGitState(root, signal);
  return git?.workTree == null ? null : fingerprintFolder(root, await runShortListing(root, signal));
}

/** Links are judged by their real targets, so the root has to be a real path, too. */
function withRealRoot(requested: WalkOptions): WalkOptions {
  return { ...requested, root: realRoot(requested.root) };
}

type WorkTree = GitState & { readonly workTree: string };

/** Throws invalid_input for a bare repository. */
async function findWorkTree({ root, signal }: WalkOptions): Promise<WorkTree | null> {
  const git = await readGitState(root, signal);
  if (git !== null && git.workTree === null)
    throw new EngineError('invalid_input', {
      reason:
        `${root} is a bare git repository and has no files of its own: pass a ref to index one of its branches, or ` +
        'a clone of it.',
    });
  return git as WorkTree | null;
}

interface GitAnswers {
  readonly context: string;
  readonly outcome: GitOutcome;
  readonly settings: ConversionSettings | null;
}

/** Runs the two git commands of a walk in parallel; with `trustIds` only the listing. Null without git. */
async function startGit({ root, signal, trustIds }: WalkOptions, git: WorkTree | null): Promise<GitAnswers | null> {
  if (git === null) return null;
  const context = readListingContext(root, git);
  const [outcome, settings] = await Promise.all([
    runListing(root, signal),
    trustIds ? null : readConversionSettings(git, signal),
  ]);
  return { context, outcome, settings };
}

async function walkAll(options: WalkOptions, git: WorkTree | null, answers: GitAnswers | null): Promise<WalkResult> {
  const ownRules = createIgnoreRules();
  const filter = createPathFilter(options, ownRules);
  try {
    const listed = await findWithGit(options, git, answers, ownRules, filter);
    const found = listed ?? (await findWithoutGit(options, git, ownRules, filter));
    const gitListing =
      listed && answers?.settings
        ? toListingOutput(answers.context, answers.outcome, shortenListing(answers.outcome), listed.hasExactIds)
        : null;
    return { ...(await filterEntries(options, found, filter)), git, gitListing };
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
  answers: GitAnswers | null,
  ownRules: IgnoreRules,
  filter: PathFilter,
): Promise<(Candidates & { readonly hasExactIds: boolean }) | null> {
  if (git === null || answers === null) return null;
  const listing = await readListing(options.root, git, answers.outcome, answers.settings, options);
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
  // A file may change and change back while it is read. Only its blob id or its time shows that.
  const hasIds = [...listing.tracked.values()].some(({ blobId }) => blobId !== null);
  return { entries, skipped, hasExactIds: listing.risk === 'none' && hasIds };
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

/** Adds the rules of the root's .sextantignore, and of each other one that is among the listed paths. */
function addOwnRules(root: string, paths: Iterable<string>, rules: IgnoreRules): void {
  const names = new Set(['.sextantignore']);
  for (const path of paths) if (path.endsWith('/.sextantignore')) names.add(path);
  for (const path of names) {
    const text = textInRepository(root, path, MAX_RULES_BYTES);
    if (text !== null) rules.add(path.slice(0, -'/.sextantignore'.length), text);
  }
}

/** The folder of build output above an untracked path, recognised by files beside or inside it. */
function outputFolderAbove(path: string, ids: ReadonlyMap<string, unknown>, filter: PathFilter): SkippedFile | null {
  if (filter.isIncluded(path)) return null;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    const parent = folder.slice(0, folder.lastIndexOf('/') + 1);
    const found = findOutputFolder(folder.slice(parent.length), (name) => ids.has(parent + name));
    if (found) return { path: `${folder}/`, reason: found.reason, detail: found.why };
    if (TOOL_FOLDER_FILES.some((name) => ids.has(`${folder}/${name}`)))
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
  const yieldIfDue = createEventLoopYield(signal);
  const prefix = root.endsWith('/') ? root : `${root}/`;
  const files: WalkedFile[] = [];
  const skipped = new Map(found.skipped.map((skip) => [skip.path, skip]));
  const links: { path: string; target: string; isFolder: boolean }[] = [];
  const folders = new Map<string, boolean>();

  /** git counts a tracked path as deleted once a folder above it has become a link; so does the walk. */
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
    await yieldIfDue();
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
 * Maps a path to an earlier one that differs only in case and is the same file on disk: a repository from a system that
 * tells case apart, on one that does not.
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

/** Whether the target of a link is among the sorted files, or, for a folder, a file below it. */
function isListed(files: readonly WalkedFile[], target: string, isFolder: boolean): boolean {
  const key = isFolder ? `${target}/` : target;
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (files[middle]!.path < key) low = middle + 1;
    else high = middle;
  }
  const next = files[low]?.path;
  return next !== undefined && (isFolder ? next.startsWith(key) : next === key);
}

function isPlainFolder(absolute: string): boolean {
  return lstatQuietly(absolute)?.isDirectory() ?? false;
}
