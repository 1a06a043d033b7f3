import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * `~/x` as a shell reads it. It does not in `--path=~/x`, and nobody does in a configuration or in what a client sets
 * before it starts us.
 */
export function atHome(path: string, home: string = homedir()): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
