/**
 * Caches the pending changes that the last walk of a folder found, beside the store: while the folder's fingerprint
 * stays the same, a short command does not walk again. A failed write is not an error.
 */
import { statSync } from 'node:fs';
import { readDerived, writeDerived } from '../../memory/notebook/derived-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import type { TreeInfo, TreeView } from '../../store/store.ts';
import type { FolderFingerprint, WalkOptions } from '../../walk/index.ts';
import { cachePath } from '../projects/cache-path.ts';

export interface PendingCache {
  /** The paths that differed from the tree when the folder had this fingerprint; null if unknown. */
  find(fingerprint: FolderFingerprint): string[] | null;
  save(fingerprint: FolderFingerprint, pending: readonly string[]): void;
}

interface CachedPending {
  readonly of: string;
  readonly pending: string[];
}

/** `program`: a file of this build, part of the key because another build may decide differently about files. */
export function openPendingCache(folder: string, program: string, view: TreeView, options: WalkOptions): PendingCache {
  const file = cachePath(folder, 'looks', view.info);
  const nameOf = (fingerprint: FolderFingerprint) =>
    digest(Buffer.from(walkKey(program, view.info, options) + fingerprint.digest));
  return {
    find(fingerprint) {
      try {
        const cached = JSON.parse(String(readDerived(file) ?? '{}')) as CachedPending;
        return cached.of === nameOf(fingerprint) && Array.isArray(cached.pending) ? cached.pending : null;
      } catch {
        return null;
      }
    },
    save(fingerprint, pending) {
      writeDerived(file, JSON.stringify({ of: nameOf(fingerprint), pending }));
    },
  };
}

/** A digest of the walk that a tree was made by: its rules, the build, and the tree itself. */
export function walkKey(program: string, tree: TreeInfo, options: Omit<WalkOptions, 'root'>): string {
  const { generation, publishedAtMs, root } = tree;
  const { signal: _signal, ...rules } = { ...options, root };
  return digest(Buffer.from(JSON.stringify([generation, publishedAtMs, buildOf(program), rules])));
}

function buildOf(program: string): string {
  const stat = statSync(program, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs}` : '';
}
