/**
 * Whether a folder is as it was when it was last found to be what is indexed, kept beside the store: a short command then need not list and judge
 * every file. A file that cannot be written is done without.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../memory/write-whole.ts';
import type { TreeView } from '../store/store.ts';
import type { FolderPrint, WalkOptions } from '../walk/index.ts';

export interface LastLook {
  /** Was the folder found to be the tree's when it had this print? */
  has(print: FolderPrint): boolean;
  keep(print: FolderPrint): void;
}

/** `program`: a file of this build. Another build may judge files in another way. */
export function lastLook(folder: string, program: string, view: TreeView, options: WalkOptions): LastLook {
  const { root, ref, generation, publishedAtMs } = view.info;
  const { signal: _signal, ...rules } = options;
  const named = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = join(folder, 'looks', named(`${root}\n${ref}`));
  const lineOf = ({ text }: FolderPrint) =>
    `${named(JSON.stringify([generation, publishedAtMs, buildOf(program), rules]))} ${text}\n`;
  return {
    has(print) {
      try {
        return readFileSync(file, 'utf8') === lineOf(print);
      } catch {
        return false;
      }
    },
    keep(print) {
      if (print.settled) writeWhole(file, lineOf(print));
    },
  };
}

function buildOf(program: string): string {
  const stat = statSync(program, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs}` : '';
}
