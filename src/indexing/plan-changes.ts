/** What a run has to do: which files are known already, by content id or by size and time, and which must be read. Pure but for hashing a few changed files. */
import { extname } from 'node:path';
import { detectLanguage, isAmbiguous, PLAIN_TEXT } from '../languages/index.ts';
import { type FileEntry, isSettled, type SkippedFile, stampOf, type WalkedFile } from '../model/records/source-file.ts';
import { readRepositoryFile } from '../model/runtime/repository-file.ts';
import type { StoreWriter, TreeView } from '../store/store.ts';
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
}

export interface KnownTrees {
  /** What the run replaces. */
  readonly previous: TreeView | null;
  /** Another tree of the store, of the same extractor: what it holds under the same path and id need not be looked up. */
  readonly neighbour: TreeView | null;
}

/** Changed files up to this number are hashed here, so that a reverted file costs nothing; beyond it the workers do it along the way. */
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
  writer: StoreWriter,
): Plan {
  const plan: Plan = { kept: [], jobs: [], skipped: [], removed: 0 };
  const before = previous?.skipped() ?? [];
  const oldSkips = new Map(before.filter((skip) => skip.stamp).map((skip) => [skip.path, skip]));
  const stays = ({ path }: { readonly path: string }) => changed !== null && !changed.has(path);
  if (changed !== null) {
    plan.kept.push(...previous!.files.filter(stays));
    plan.skipped.push(...before.filter(stays));
  }
  const unknown: WalkedFile[] = [];
  for (const file of walked) {
    if (UNSUPPORTED.has(extname(file.path).toLowerCase())) {
      plan.skipped.push({ path: file.path, reason: 'unsupported', detail: extname(file.path) });
      continue;
    }
    const known = knownEntry(file, previous) ?? (file.blobId === null ? null : knownEntry(file, neighbour));
    const skip = known ? undefined : oldSkips.get(file.path);
    if (known) plan.kept.push(known);
    else if (skip && skip.stamp === stampOf(file) && settled(file, previous)) plan.skipped.push(skip);
    else unknown.push(file);
  }
  findElsewhere(root, fromGit, unknown, plan, writer);
  const present = new Set(walked.map((file) => file.path));
  const removed = previous ? previous.files.filter((file) => !present.has(file.path) && !stays(file)).length : 0;
  return { ...plan, removed };
}

function knownEntry(file: WalkedFile, previous: TreeView | null): FileEntry | null {
  const index = previous?.indexOfPath(file.path) ?? -1;
  if (index < 0) return null;
  const old = previous!.files[index]!;
  // Of another size it is not that content, whatever git says: it takes a file for unchanged that it once converted and now would not.
  const same =
    old.size === file.size &&
    (file.blobId !== null ? file.blobId === old.blobId : old.mtimeMs === file.mtimeMs && settled(file, previous));
  return same ? { ...old, flags: old.flags | file.flags, mtimeMs: file.mtimeMs } : null;
}

function settled(file: WalkedFile, previous: TreeView | null): boolean {
  return previous !== null && isSettled(file.changedMs, previous.info);
}

/** Contents that the store has under another path, from another branch or an earlier state. */
function findElsewhere(
  root: string,
  fromGit: boolean,
  files: readonly WalkedFile[],
  plan: Plan,
  writer: StoreWriter,
): void {
  const keyed: { file: WalkedFile; blobId: string; language: string }[] = [];
  const hash = files.filter((file) => file.blobId === null).length <= HASH_LIMIT;
  for (const file of files) {
    const id = file.blobId ?? (hash ? hashFile(root, file) : null);
    if (id === null || isAmbiguous(file.path)) plan.jobs.push(jobOf(root, fromGit, file));
    else keyed.push({ file, blobId: id, language: detectLanguage(file.path)?.id ?? PLAIN_TEXT });
  }
  const rows = writer.findContents(keyed);
  keyed.forEach(({ file, blobId: id, language }, i) => {
    const row = rows[i]!;
    const found = row < 0 ? null : writer.extentOf(row);
    if (found?.bytes !== file.size) plan.jobs.push(jobOf(root, fromGit, file));
    else {
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
}

function jobOf(root: string, fromGit: boolean, file: WalkedFile): FileJob {
  return { path: file.path, root, gitBlob: fromGit ? file.blobId : null, flags: file.flags };
}

/** At once: few files, each of which has to be hashed at once anyway. */
function hashFile(root: string, { path, size }: WalkedFile): string | null {
  try {
    // One that has grown is read again by its job.
    return blobId(readRepositoryFile(root, path, { maxBytes: size }).bytes);
  } catch {
    return null;
  }
}
