/** Where the indexes live when SEXTANT_HOME does not say: the platform's own place for an application's data. */
import { join, resolve } from 'node:path';
import { atHome } from '../parsing/expand-tilde.ts';

export function dataFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (environment.SEXTANT_HOME) return resolve(atHome(environment.SEXTANT_HOME, home));
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'sextant');
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'sextant');
  // The XDG rules ask to ignore a relative path.
  const xdg = environment.XDG_DATA_HOME;
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'share'), 'sextant');
}
