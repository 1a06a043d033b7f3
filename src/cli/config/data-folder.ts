/** The default data folder, used without SEXTANT_HOME: the platform's folder for application data. */
import { join, resolve } from 'node:path';
import { expandTilde } from '../parsing/expand-tilde.ts';

export function dataFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (environment.SEXTANT_HOME) return resolve(expandTilde(environment.SEXTANT_HOME, home));
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'sextant');
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'sextant');
  // The XDG specification requires relative paths to be ignored.
  const xdg = environment.XDG_DATA_HOME;
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'share'), 'sextant');
}
