/**
 * Is the index what is on disk? Re-derived by a walk and compared by content id, or by size and time; never assumed.
 */
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
import { readRepositoryFileAside } from '../../model/runtime/repository-file.ts';
import type { TreeView } from '../../store/store.ts';
import { blobId, type FolderPrint, lookAt, walk, walkRef } from '../../walk/index.ts';
import type { WalkOptions } from '../../walk/walk-project.ts';
import type { LastLook } from './pending-cache.ts';

/** Paths listed at most; the count is what matters beyond it. */
const MAX_PENDING = 100;
/** Files read for nothing before a closer walk is the quicker way. */
const MOST_IN_VAIN = 20;

/** How thoroughly to look: trust git and the file system's times, or read every file. */
export type Diligence = 'stat' | 'read';

/** Paths that differ between the folder and the tree, sorted: changed, new and gone. */
export async function pendingChanges(
  view: TreeView,
  options: WalkOptions,
  diligence: Diligence,
  last?: LastLook,
  /** A look that is under way already. */
  look?: Promise<FolderPrint | null>,
): Promise<string[]> {
  if (diligence === 'read') return compare(view, options, diligence);
  const print = last ? await (look ?? lookAt(options)) : null;
  const known = print && last?.find(print);
  if (known) return known;
  const pending = (await pendingAsListed(view, options)) ?? (await compare(view, options, diligence));
  // Checked again: a later change must not be taken for an earlier one.
  if (print?.settled && (await lookAt(options))?.text === print.text) last?.keep(print, pending);
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
  return withGone(pending, view, files);
}

/** For a ref: the commit it names now, and the paths that differ from the tree. Throws ref_not_found. */
export async function pendingInRef(
  view: TreeView,
  options: WalkOptions,
): Promise<{ readonly commit: string; readonly pending: string[] }> {
  const { files, commit } = await walkRef(options.root, view.info.ref, options);
  const known = new Map(view.files.map((file) => [file.path, file.blobId]));
  const skipped = skippedIn(view);
  // A file that was left out for its content has no id in the tree; at the same commit it is still left out.
  const isOpen = (skip: SkippedFile | undefined) => !skip || isLost(skip) || commit !== view.info.commit;
  const pending = files
    .filter(({ path, blobId: id }) => (known.has(path) ? known.get(path) !== id : isOpen(skipped.get(path))))
    .map(({ path }) => path);
  const present = new Set(files.map(({ path }) => path));
  for (const path of known.keys()) if (!present.has(path)) pending.push(path);
  return { commit, pending: pending.sort().slice(0, MAX_PENDING) };
}

/**
 * pendingChanges() by git's ids as they are, in half the time. A file that git keeps in another form than the disk has
 * looks changed by them, so whatever differs is read; null where so many did in vain that a closer walk is the quicker
 * way.
 */
async function pendingAsListed(view: TreeView, options: WalkOptions): Promise<string[] | null> {
  const { files } = await walk({ ...options, trustIds: true });
  const pending: string[] = [];
  const skipped = skippedIn(view);
  let inVain = 0;
  for (const file of files) {
    if (pending.length >= MAX_PENDING) break;
    const old = view.files[view.indexOfPath(file.path)];
    const sameSize = !old || old.size === file.size;
    if (sameSize && !(await differs(view, options, file, skipped, 'stat'))) continue;
    const sure = !old || file.blobId === null || (await differs(view, options, file, skipped, 'read'));
    if (sure) pending.push(file.path);
    else if (++inVain > MOST_IN_VAIN) return null;
  }
  return withGone(pending, view, files);
}

function skippedIn(view: TreeView): ReadonlyMap<string, SkippedFile> {
  return new Map(view.skipped().map((skip) => [skip.path, skip]));
}

function withGone(pending: readonly string[], view: TreeView, files: readonly WalkedFile[]): string[] {
  const present = new Set(files.map(({ path }) => path));
  const gone = view.files.filter(({ path }) => !present.has(path)).map(({ path }) => path);
  return [...pending, ...gone].slice(0, MAX_PENDING).sort();
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
    // Without a stamp, it was a walk that left it out, for its size or for being a link, and this one does not; or it
    // is of a kind that no walk leaves out.
    return skip.stamp === undefined ? skip.reason !== 'unsupported' : skip.stamp !== stampOf(file);
  }
  const old = view.files[index]!;
  if (diligence === 'stat') {
    if (file.blobId !== null) return file.blobId !== old.blobId;
    if (file.size !== old.size) return true;
    if (file.mtimeMs === old.mtimeMs && isSettled(file.changedMs, view.info)) return false;
  }
  try {
    return blobId((await readRepositoryFileAside(root, file.path, { maxBytes })).bytes) !== old.blobId;
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
