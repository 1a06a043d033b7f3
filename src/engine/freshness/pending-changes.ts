/** Compares the index with the files on disk: a walk lists them, and content ids, or size and time, are compared. */
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DENIED,
  isLost,
  isSettled,
  type SkippedFile,
  stampOf,
  type WalkedFile,
} from '../../model/records/source-file.ts';
import { readRepositoryFileAsync } from '../../model/runtime/repository-file.ts';
import type { TreeView } from '../../store/store.ts';
import { blobId, type FolderFingerprint, readFolderFingerprint, walk, walkRef } from '../../walk/index.ts';
import type { WalkOptions } from '../../walk/walk-project.ts';
import type { PendingCache } from './pending-cache.ts';

/** Upper bound of listed paths: with more, only the number matters. */
const MAX_PENDING = 100;
/** Unchanged files that may be read before a full comparison is faster. */
const MAX_NEEDLESS_READS = 20;

/** `stat` trusts git and the file system's times; `read` reads every file. */
export type Diligence = 'stat' | 'read';

/** Changed, new and deleted paths of the folder compared with the tree, sorted. */
export async function pendingChanges(
  view: TreeView,
  options: WalkOptions,
  diligence: Diligence,
  cache?: PendingCache,
  /** A fingerprint that is being taken already. */
  startedFingerprint?: Promise<FolderFingerprint | null>,
): Promise<string[]> {
  if (diligence === 'read') return compare(view, options, diligence);
  const fingerprint = cache ? await (startedFingerprint ?? readFolderFingerprint(options)) : null;
  const known = fingerprint && cache?.find(fingerprint);
  if (known) return known;
  const pending = (await pendingAsListed(view, options)) ?? (await compare(view, options, diligence));
  // Taken again: a change during the walk must not be cached under the earlier fingerprint.
  if (fingerprint?.isSettled && (await readFolderFingerprint(options))?.digest === fingerprint.digest)
    cache?.save(fingerprint, pending);
  return pending;
}

async function compare(view: TreeView, options: WalkOptions, diligence: Diligence): Promise<string[]> {
  const { files } = await walk(options);
  const pending: string[] = [];
  const skipped = skippedIn(view);
  for (const file of files) {
    if (pending.length >= MAX_PENDING) break;
    if (await differs(view, options, file, skipped, diligence)) pending.push(file.path);
  }
  return addDeleted(pending, view, files);
}

/** The commit that a ref names now, and the paths that differ from the tree. Throws ref_not_found. */
export async function pendingInRef(
  view: TreeView,
  options: WalkOptions,
): Promise<{ readonly commit: string; readonly pending: string[] }> {
  const { files, commit } = await walkRef(options.root, view.info.ref, options);
  const known = new Map(view.files.map((file) => [file.path, file.blobId]));
  const skipped = skippedIn(view);
  // A file that was skipped for its content has no id in the tree; at the same commit it is still skipped.
  const mayBeIndexed = (skip: SkippedFile | undefined) => !skip || isLost(skip) || commit !== view.info.commit;
  const pending = files
    .filter(({ path, blobId: id }) => (known.has(path) ? known.get(path) !== id : mayBeIndexed(skipped.get(path))))
    .map(({ path }) => path);
  const present = new Set(files.map(({ path }) => path));
  for (const path of known.keys()) if (!present.has(path)) pending.push(path);
  return { commit, pending: pending.sort().slice(0, MAX_PENDING) };
}

/**
 * As compare(), but by git's ids, in half the time. A file that git stores in another form than the disk (line endings,
 * filters) looks changed, so files that differ are read. Returns null when so many reads were needless that compare()
 * is faster.
 */
async function pendingAsListed(view: TreeView, options: WalkOptions): Promise<string[] | null> {
  const { files } = await walk({ ...options, trustIds: true });
  const pending: string[] = [];
  const skipped = skippedIn(view);
  let needlessReads = 0;
  for (const file of files) {
    if (pending.length >= MAX_PENDING) break;
    const old = view.files[view.indexOfPath(file.path)];
    const sameSize = !old || old.size === file.size;
    if (sameSize && !(await differs(view, options, file, skipped, 'stat'))) continue;
    const isChanged = !old || file.blobId === null || (await differs(view, options, file, skipped, 'read'));
    if (isChanged) pending.push(file.path);
    else if (++needlessReads > MAX_NEEDLESS_READS) return null;
  }
  return addDeleted(pending, view, files);
}

function skippedIn(view: TreeView): ReadonlyMap<string, SkippedFile> {
  return new Map(view.skipped().map((skip) => [skip.path, skip]));
}

function addDeleted(pending: readonly string[], view: TreeView, files: readonly WalkedFile[]): string[] {
  const present = new Set(files.map(({ path }) => path));
  const deleted = view.files.filter(({ path }) => !present.has(path)).map(({ path }) => path);
  return [...pending, ...deleted].slice(0, MAX_PENDING).sort();
}

async function differs(
  view: TreeView,
  { root, maxFileBytes: maxBytes }: WalkOptions,
  file: WalkedFile,
  skipped: ReadonlyMap<string, SkippedFile>,
  diligence: Diligence,
): Promise<boolean> {
  const index = view.indexOfPath(file.path);
  if (index < 0) {
    const skip = skipped.get(file.path);
    if (!skip || isLost(skip)) return true;
    if (skip.stamp === DENIED) return canRead(join(root, file.path));
    // A skip without a stamp came from a walk, for the file's size or for being a link; this walk did not skip it.
    // Unsupported files are never skipped by a walk.
    return skip.stamp === undefined ? skip.reason !== 'unsupported' : skip.stamp !== stampOf(file);
  }
  const old = view.files[index]!;
  if (diligence === 'stat') {
    if (file.blobId !== null) return file.blobId !== old.blobId;
    if (file.size !== old.size) return true;
    if (file.mtimeMs === old.mtimeMs && isSettled(file.changedMs, view.info)) return false;
  }
  try {
    return blobId((await readRepositoryFileAsync(root, file.path, { maxBytes })).bytes) !== old.blobId;
  } catch {
    return true;
  }
}

function canRead(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
