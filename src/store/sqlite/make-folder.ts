/**
 * Creates a folder and those above it. mkdir() of Node with `recursive` never returns if the system reports "no such
 * file" although the parent exists, as /proc does.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * By default only the owner may read the folder, because an index holds the code of private repositories. Throws the
 * system's error.
 */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makeFolder(above, mode);
    makeFolder(path, mode);
  }
}
