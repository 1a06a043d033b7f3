import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Expands `~/x` as a shell does. A shell leaves `--path=~/x` alone, and values from a configuration file or a client's
 * settings never pass through one.
 */
export function atHome(path: string, home: string = homedir()): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
