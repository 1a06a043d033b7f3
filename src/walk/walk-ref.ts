/** The walk of a ref: its tree in git's objects, sifted by the same rules as a live folder. Nothing is checked out. */
import type { SkippedFile, WalkedFile } from '../model/source-file.ts';
import { listRef } from './git-refs.ts';
import { createIgnoreRules } from './ignore-rules.ts';
import { createSieve, type SieveOptions } from './sieve.ts';

export interface RefWalk {
  readonly commit: string;
  readonly files: readonly WalkedFile[];
  readonly skipped: readonly SkippedFile[];
}

export async function walkRef(
  root: string,
  ref: string,
  options: SieveOptions,
  signal?: AbortSignal,
): Promise<RefWalk> {
  const listing = await listRef(root, ref, signal);
  const sieve = createSieve(options, createIgnoreRules());
  const files: WalkedFile[] = [];
  const skipped = new Map<string, SkippedFile>();
  const skip = (entry: SkippedFile) => skipped.set(entry.path, entry);
  for (const path of listing.invalidNames) skip({ path, reason: 'invalid_name', detail: 'name is not UTF-8' });
  for (const { path, mode, size, blobId } of listing.files) {
    const verdict = sieve.judge(path);
    if (typeof verdict !== 'number') skip(verdict);
    else if (mode === '160000') skip({ path: `${path}/`, reason: 'submodule' });
    else if (mode === '120000') skip({ path, reason: 'not_a_file', detail: 'link' });
    else if (size > options.maxFileBytes) skip({ path, reason: 'too_large', detail: `${size} bytes` });
    else files.push({ path, size, mtimeMs: 0, blobId, flags: verdict });
  }
  return { commit: listing.commit, files, skipped: [...skipped.values()] };
}
