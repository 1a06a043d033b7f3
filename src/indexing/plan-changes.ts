/**
 * Plans a run: which files are known already, by blob id or by size and time, and which have to be read. Its only side
 * effect is reading a few changed files to hash them.
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
  /** Files whose contents the store has already. */
  readonly kept: FileEntry[];
  readonly jobs: FileJob[];
  /** Files that are skipped for their name, or that an earlier run skipped and that are unchanged. */
  readonly skipped: SkippedFile[];
  readonly removed: number;
  /** The number of kept files that are new to this tree: the store has their contents from another tree. */
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
  /** Another tree of the same extractor. Files with the same path and id there need no lookup of their contents. */
  readonly neighbour: KnownTree | null;
}

/**
 * Up to this number, changed files are hashed here, so that reverted files need not be derived; with more, the workers
 * hash them. Files that look unchanged, but changed too shortly before the last run to be sure, are always hashed here:
 * deriving them again takes far longer.
 */
const MAX_HASHED_FILES = 200;

/** Text formats that people do not search code for. */
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
  const isUntouched = ({ path }: { readonly path: string }) => changed !== null && !changed.has(path);
  if (changed !== null) {
    plan.kept.push(...previous!.files.filter(isUntouched));
    plan.skipped.push(...before.filter(isUntouched));
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
    else if (skip && skip.stamp === stampOf(file) && isSettledSince(file, previous)) plan.skipped.push(skip);
    else unknown.push(file);
  }
  added += planUnknown({ root, fromGit, previous }, unknown, plan, writer);
  const present = new Set(walked.map((file) => file.path));
  const removed = previous ? previous.files.filter((file) => !present.has(file.path) && !isUntouched(file)).length : 0;
  return { ...plan, removed, added };
}

function knownEntry(file: WalkedFile, previous: KnownTree | null): FileEntry | null {
  const index = previous?.indexOfPath(file.path) ?? -1;
  if (index < 0) return null;
  const old = previous!.files[index]!;
  // A file of another size has another content, even if git reports it as unchanged: git once converted it, and with
  // the present settings would not.
  const isSame =
    old.size === file.size &&
    (file.blobId !== null
      ? file.blobId === old.blobId
      : old.mtimeMs === file.mtimeMs && isSettledSince(file, previous));
  return isSame ? { ...old, flags: old.flags | file.flags, mtimeMs: file.mtimeMs } : null;
}

function isSettledSince(file: WalkedFile, previous: KnownTree | null): boolean {
  return previous !== null && isSettled(file.changedMs, previous.info);
}

function entryAt(previous: KnownTree | null, path: string): FileEntry | undefined {
  return previous?.files[previous.indexOfPath(path)];
}

/**
 * Plans the files that the previous tree does not know: the store may have their contents under another path, from
 * another branch or an earlier state. Others become jobs. Returns the number of kept files that are new to this tree.
 */
function planUnknown(
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
  const hashesAll = files.filter((file) => file.blobId === null).length <= MAX_HASHED_FILES;
  for (const file of files) {
    const id = file.blobId ?? (hashesAll || looksUnchanged(file) ? hashFile(root, file) : null);
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

/** The blob id of a file on disk; null if it cannot be read. Synchronous, since only few files are hashed here. */
function hashFile(root: string, { path, size }: WalkedFile): string | null {
  try {
    // A file that has grown meanwhile is refused here, and read by its job.
    return blobId(readRepositoryFile(root, path, { maxBytes: size }).bytes);
  } catch {
    return null;
  }
}
