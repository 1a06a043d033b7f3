/**
 * Objects that a repository would read from elsewhere: alternates (`git clone --shared`, `--reference`) and links. An
 * unpacked archive may name the objects of any repository of the machine that way, and on Windows those of another
 * machine.
 */
import { join, resolve } from 'node:path';
import { isWithin } from '../../model/text/is-within.ts';
import { lstatQuietly } from '../lstat-quietly.ts';
import { realOrNull, textOf } from './git-place.ts';

/** The first place outside of the repository, or null. */
export function outsideObjects(commonDir: string): string | null {
  const objects = join(commonDir, 'objects');
  for (const folder of [objects, join(objects, 'pack'), join(objects, 'info')])
    if (lstatQuietly(folder)?.isSymbolicLink() && !isInside(folder, commonDir)) return folder;
  const lines = textOf(join(objects, 'info', 'alternates'))?.split('\n') ?? [];
  // git gives names with special characters in quotes: those are taken for outside as they stand.
  const named = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(objects, line));
  return named.find((folder) => !isInside(folder, commonDir)) ?? null;
}

/** By its name first: asking where a path leads may already be a visit to another machine. */
function isInside(folder: string, commonDir: string): boolean {
  if (!isWithin(folder, commonDir)) return false;
  const real = realOrNull(folder);
  return real === null || isWithin(real, commonDir);
}
