/**
 * Paths that read_file refuses, on top of the engine's own rules (secrets, version control, links out of the project).
 */

export const EXCLUDED_FOLDERS: readonly string[] = ['node_modules', '.git', 'dist', 'build', '.next', '.context'];
export const MAX_FILE_BYTES = 1024 * 1024;

/** Rules that look at the path only, not at the file. */
export function pathFault(path: string): 'absolute' | 'traversal' | null {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return 'absolute';
  return path.split(/[/\\]/).includes('..') ? 'traversal' : null;
}

/** The reason why a file is never read, or null. `path` is in lower case with links resolved. */
export function refuseSensitive(path: string): string | null {
  const sensitive = path
    .split('/')
    .some((name) => name === 'node_modules' || name === '.git' || name.startsWith('.env'));
  return sensitive ? 'Access to sensitive paths denied' : null;
}
