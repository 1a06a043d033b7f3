import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Expands `~/x` as a shell does. A shell does not expand `--path=~/x`, and values of a configuration file or a client's
 * settings never pass through one.
 */
export function expandTilde(path: string, home: string = homedir()): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
