/**
 * The pending changes found by the last walk of a folder, cached beside the store: while the folder's fingerprint stays
 * the same, a short command need not list and judge every file again. A failed write is not an error.
 */
import { statSync } from 'node:fs';
import { readDerived, writeDerived } from '../../memory/notebook/derived-file.ts';
import { digest } from '../../model/runtime/checksum.ts';
import type { TreeInfo, TreeView } from '../../store/store.ts';
import type { FolderPrint, WalkOptions } from '../../walk/index.ts';
import { besideStore } from '../projects/cache-path.ts';

export interface LastLook {
  /** The paths that differed from the tree when the folder had this print; null where that is not known. */
  find(print: FolderPrint): string[] | null;
  keep(print: FolderPrint, pending: readonly string[]): void;
}

interface Kept {
  readonly of: string;
  readonly pending: string[];
}

/** `program`: a file of this build. Another build may judge files in another way. */
export function lastLook(folder: string, program: string, view: TreeView, options: WalkOptions): LastLook {
  const file = besideStore(folder, 'looks', view.info);
  const nameOf = ({ text }: FolderPrint) => digest(Buffer.from(nameOfWalk(program, view.info, options) + text));
  return {
    find(print) {
      try {
        const kept = JSON.parse(String(readDerived(file) ?? '{}')) as Kept;
        return kept.of === nameOf(print) && Array.isArray(kept.pending) ? kept.pending : null;
      } catch {
        return null;
      }
    },
    keep(print, pending) {
      writeDerived(file, JSON.stringify({ of: nameOf(print), pending }));
    },
  };
}

/**
 * The walk by which a tree was made, in a few characters: by the same rules of the same build, and of no other tree.
 */
export function nameOfWalk(program: string, tree: TreeInfo, options: Omit<WalkOptions, 'root'>): string {
  const { generation, publishedAtMs, root } = tree;
  const { signal: _signal, ...rules } = { ...options, root };
  return digest(Buffer.from(JSON.stringify([generation, publishedAtMs, buildOf(program), rules])));
}

function buildOf(program: string): string {
  const stat = statSync(program, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs}` : '';
}
