import { lstatSync, type Stats } from 'node:fs';

/** lstat() without exceptions. Undefined: there is no such file; null: the system denies access to it. */
export function lstatQuietly(path: string | Buffer): Stats | null | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' || code === 'ENAMETOOLONG' ? null : undefined;
  }
}

/** The fields of a stat that change with a file, as text to compare. */
export function statFingerprint(stat: Stats | null | undefined): string {
  return stat ? `${stat.ino} ${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : '-';
}
