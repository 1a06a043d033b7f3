/** Is the index what is on disk? Re-derived by a walk and compared by content id, or by size and time; never assumed. */
import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DENIED, isLost, type SkippedFile, type WalkedFile } from '../model/source-file.ts';
import type { TreeView } from '../store/store.ts';
import { blobId, walk, walkRef, walkUnless } from '../walk/index.ts';
import type { WalkOptions } from '../walk/walk.ts';
import type { LastLook } from './last-look.ts';

/** Paths listed at most; the count is what matters beyond it. */
const MAX_PENDING = 100;

/** How far to look: what git and the file system vouch for is believed, or every file is read. */
export type Diligence = 'stat' | 'read';

/** Paths that differ between the folder and the tree, sorted: changed, new and gone. */
export async function pendingChanges(
  view: TreeView,
  options: WalkOptions,
  diligence: Diligence,
  last?: LastLook,
): Promise<string[]> {
  // Mostly nothing differs, and then git's ids, as they are, show it.
  if (diligence === 'stat' && (await isAsListed(view, options, last))) return [];
  const { files } = await walk(options);
  const pending: string[] = [];
  const seen = new Set<string>();
  const skipped = new Map(view.skipped().map((skip) => [skip.path, skip]));
  for (const file of files) {
    seen.add(file.path);
    if (pending.length < MAX_PENDING && (await differs(view, options.root, file, skipped, diligence)))
      pending.push(file.path);
  }
  for (const { path } of view.files) if (!seen.has(path) && pending.length < MAX_PENDING) pending.push(path);
  return pending.sort();
}

/** The same for a ref: where it stands now, and the paths in which that differs from the tree. Throws ref_not_found. */
export async function pendingInRef(
  view: TreeView,
  options: WalkOptions,
): Promise<{ readonly commit: string; readonly pending: string[] }> {
  const { files, commit } = await walkRef(options.root, view.info.ref, options);
  const known = new Map(view.files.map((file) => [file.path, file.blobId]));
  const skipped = new Map(view.skipped().map((skip) => [skip.path, skip]));
  // What was left out by its content has no id in the tree; at the same commit it is still left out.
  const isOpen = (skip: SkippedFile | undefined) => !skip || isLost(skip) || commit !== view.info.commit;
  const pending = files
    .filter(({ path, blobId: id }) => (known.has(path) ? known.get(path) !== id : isOpen(skipped.get(path))))
    .map(({ path }) => path);
  const present = new Set(files.map(({ path }) => path));
  for (const path of known.keys()) if (!present.has(path)) pending.push(path);
  return { commit, pending: pending.sort().slice(0, MAX_PENDING) };
}

async function isAsListed(view: TreeView, options: WalkOptions, last?: LastLook): Promise<boolean> {
  const walked = await walkUnless({ ...options, trustIds: true }, (print) => last?.has(print) ?? false);
  if (walked === null) return true;
  const isSame = await areListed(view, options, walked.files);
  if (isSame && walked.print) last?.keep(walked.print);
  return isSame;
}

async function areListed(view: TreeView, options: WalkOptions, files: readonly WalkedFile[]): Promise<boolean> {
  const skipped = new Map(view.skipped().map((skip) => [skip.path, skip]));
  let found = 0;
  for (const file of files) {
    const old = view.files[view.indexOfPath(file.path)];
    if (old) found++;
    if (old && old.size !== file.size) return false;
    if (await differs(view, options.root, file, skipped, 'stat')) return false;
  }
  return found === view.files.length;
}

async function differs(
  view: TreeView,
  root: string,
  file: WalkedFile,
  skipped: ReadonlyMap<string, SkippedFile>,
  diligence: Diligence,
): Promise<boolean> {
  const index = view.indexOfPath(file.path);
  if (index < 0) {
    const skip = skipped.get(file.path);
    if (!skip || isLost(skip)) return true;
    if (skip.stamp === DENIED) return canRead(join(root, file.path));
    return skip.stamp !== undefined && skip.stamp !== `${file.size}:${file.mtimeMs}`;
  }
  const old = view.files[index]!;
  if (diligence === 'stat') {
    if (file.blobId !== null) return file.blobId !== old.blobId;
    if (file.size !== old.size) return true;
    if (file.mtimeMs === old.mtimeMs && file.mtimeMs < view.info.publishedAtMs - view.info.durationMs - 2_000)
      return false;
  }
  try {
    return blobId(await readFile(join(root, file.path))) !== old.blobId;
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
