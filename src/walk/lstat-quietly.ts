import { lstatSync, type Stats } from 'node:fs';

/** undefined: not there; null: there, but out of reach. */
export function lstatQuietly(path: string | Buffer): Stats | null | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' || code === 'ENAMETOOLONG' ? null : undefined;
  }
}

/** All that may change with a file, in a form for comparing. */
export function inNumbers(stat: Stats | null | undefined): string {
  return stat ? `${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : '-';
}
