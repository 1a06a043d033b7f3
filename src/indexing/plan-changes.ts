/**
 * What a run has to do: which files are known already, by content id or by size and time, and which must be read. Pure
 * but for hashing a few changed files.
 */
import { extname } from 'node:path';
import { detectLanguage, isAmbiguous, PLAIN_TEXT } from '../languages/index.ts';
import { type FileEntry, isSettled, type SkippedFile, stampOf, type WalkedFile } from '../model/records/source-file.ts';
import { readRepositoryFile } from '../model/runtime/repository-file.ts';
import type { StoreWriter, TreeInfo, TreeView } from '../store/store.ts';
import { blobId } from '../walk/index.ts';
import type { FileJob } from './deriving/deriver.ts';
import type { Listing } from './list-files.ts';

export interface Plan {
  /** Files whose content the store has already. */
  readonly kept: FileEntry[];
  readonly jobs: FileJob[];
  /** By their name; or left out before, most of them for their content, and not touched since. */
  readonly skipped: SkippedFile[];
  readonly removed: number;
  /** Of those that are kept: new to this tree, though the store has their content from elsewhere. */
  readonly added: number;
}

/** The part of a published tree that a plan reads. */
export type KnownTree = Pick<TreeView, 'files' | 'indexOfPath' | 'skipped'> & {
  readonly info: Pick<TreeInfo, 'publishedAtMs' | 'durationMs'>;
};

/** The part of a store that a plan calls. */
export type KnownContents = Pick<StoreWriter, 'findContents' | 'extentOf'>;

export interface KnownTrees {
  /** The tree that the run replaces. */
  readonly previous: KnownTree | null;
  /**
   * Another tree of the store, of the same extractor: what it holds under the same path and id need not be looked up.
   */
  readonly neighbour: KnownTree | null;
}

/**
 * Changed files up to this number are hashed here, so that a reverted file costs nothing; beyond it the workers do it
 * along the way. Files that look unchanged, but changed too shortly before the last run to be sure, are hashed whatever
 * their number: parsing them again takes far longer.
 */
const HASH_LIMIT = 200;

/** Text, but nothing that anybody searches code for. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  '.svg',
  '.csv',
  '.tsv',
  '.map',
  '.snap',
  '.po',
  '.pot',
  '.ipynb',
  '.log',
  '.patch',
  '.diff',
  '.drawio',
  '.xcf',
  '.lock',
  '.sum',
]);

export function planRun(
  root: string,
  { files: walked, fromGit, changed }: Listing,
  { previous, neighbour }: KnownTrees,
  writer: KnownContents,
): Plan {
  const plan: Omit<Plan, 'removed' | 'added'> = { kept: [], jobs: [], skipped: [] };
  const before = previous?.skipped() ?? [];
  const oldSkips = new Map(before.filter((skip) => skip.stamp).map((skip) => [skip.path, skip]));
  const stays = ({ path }: { readonly path: string }) => changed !== null && !changed.has(path);
  if (changed !== null) {
    plan.kept.push(...previous!.files.filter(stays));
    plan.skipped.push(...before.filter(stays));
  }
  const unknown: WalkedFile[] = [];
  let added = 0;
  for (const file of walked) {
    if (UNSUPPORTED.has(extname(file.path).toLowerCase())) {
      plan.skipped.push({ path: file.path, reason: 'unsupported', detail: extname(file.path) });
      continue;
    }
    const own = knownEntry(file, previous);
    const known = own ?? (file.blobId === null ? null : knownEntry(file, neighbour));
    if (known && !own) added++;
    const skip = known ? undefined : oldSkips.get(file.path);
    if (known) plan.kept.push(known);
    else if (skip && skip.stamp === stampOf(file) && settled(file, previous)) plan.skipped.push(skip);
    else unknown.push(file);
  }
  added += findElsewhere({ root, fromGit, previous }, unknown, plan, writer);
  const present = new Set(walked.map((file) => file.path));
  const removed = previous ? previous.files.filter((file) => !present.has(file.path) && !stays(file)).length : 0;
  return { ...plan, removed, added };
}

function knownEntry(file: WalkedFile, previous: KnownTree | null): FileEntry | null {
  const index = previous?.indexOfPath(file.path) ?? -1;
  if (index < 0) return null;
  const old = previous!.files[index]!;
  // Of another size it is not that content, whatever git says: it takes a file for unchanged that it once converted and
  // now would not.
  const same =
    old.size === file.size &&
    (file.blobId !== null ? file.blobId === old.blobId : old.mtimeMs === file.mtimeMs && settled(file, previous));
  return same ? { ...old, flags: old.flags | file.flags, mtimeMs: file.mtimeMs } : null;
}

function settled(file: WalkedFile, previous: KnownTree | null): boolean {
  return previous !== null && isSettled(file.changedMs, previous.info);
}

function entryAt(previous: KnownTree | null, path: string): FileEntry | undefined {
  return previous?.files[previous.indexOfPath(path)];
}

/**
 * Contents that the store has under another path, from another branch or an earlier state. Returns how many of them are
 * new to this tree.
 */
function findElsewhere(
  { root, fromGit, previous }: { root: string; fromGit: boolean; previous: KnownTree | null },
  files: readonly WalkedFile[],
  plan: Pick<Plan, 'kept' | 'jobs'>,
  writer: KnownContents,
): number {
  const looksUnchanged = ({ path, size, mtimeMs }: WalkedFile) => {
    const old = entryAt(previous, path);
    return old !== undefined && old.size === size && old.mtimeMs === mtimeMs;
  };
  const keyed: { file: WalkedFile; blobId: string; language: string }[] = [];
  const hash = files.filter((file) => file.blobId === null).length <= HASH_LIMIT;
  for (const file of files) {
    const id = file.blobId ?? (hash || looksUnchanged(file) ? hashFile(root, file) : null);
    if (id === null || isAmbiguous(file.path)) plan.jobs.push(jobOf(root, fromGit, file));
    else keyed.push({ file, blobId: id, language: detectLanguage(file.path)?.id ?? PLAIN_TEXT });
  }
  const rows = writer.findContents(keyed);
  let added = 0;
  keyed.forEach(({ file, blobId: id, language }, i) => {
    const row = rows[i]!;
    const found = row < 0 ? null : writer.extentOf(row);
    if (found?.bytes !== file.size) plan.jobs.push(jobOf(root, fromGit, file));
    else {
      if (entryAt(previous, file.path)?.blobId !== id) added++;
      plan.kept.push({
        path: file.path,
        blobId: id,
        language,
        flags: file.flags,
        size: file.size,
        lines: found.lines,
        mtimeMs: file.mtimeMs,
      });
    }
  });
  return added;
}

function jobOf(root: string, fromGit: boolean, file: WalkedFile): FileJob {
  return { path: file.path, root, gitBlob: fromGit ? file.blobId : null, flags: file.flags };
}

/** At once: few files, each of which has to be hashed at once anyway. */
function hashFile(root: string, { path, size }: WalkedFile): string | null {
  try {
    // A file that has grown meanwhile is read again by its job.
    return blobId(readRepositoryFile(root, path, { maxBytes: size }).bytes);
  } catch {
    return null;
  }
}
