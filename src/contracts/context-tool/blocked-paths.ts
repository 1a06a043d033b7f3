/** What may not be read, on top of the engine's own rules (secrets, version control, links out of the project). */

export const EXCLUDED_FOLDERS: readonly string[] = ['node_modules', '.git', 'dist', 'build', '.next', '.context'];
export const MAX_FILE_BYTES = 1024 * 1024;

/** What a path says about itself, whatever lies there. */
export function pathFault(path: string): 'absolute' | 'traversal' | null {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return 'absolute';
  return path.split(/[/\\]/).includes('..') ? 'traversal' : null;
}

/** Why a file is never read, or null. The path is as names are compared: lower case, links resolved. */
export function refuseSensitive(path: string): string | null {
  const sensitive = path
    .split('/')
    .some((name) => name === 'node_modules' || name === '.git' || name.startsWith('.env'));
  return sensitive ? 'Access to sensitive paths denied' : null;
}
