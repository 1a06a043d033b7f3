/**
 * A folder and those above it. Node's own way (`recursive`) never comes back where the system answers "no such file"
 * although the folder above is there, as /proc does.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Throws the system's error. Only the owner may read the folder unless `mode` says otherwise: indexes hold the code of
 * private repositories.
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
