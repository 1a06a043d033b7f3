/**
 * Detects what makes a repository's git folder unsafe to read:
 *  - objects and refs outside of it, through alternates (`git clone --shared`, `--reference`) or links: an unpacked
 *    archive may name those of any repository of this machine and, on Windows, of another machine;
 *  - pipes and devices in place of refs and packs, which git would read without end.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isWithin } from '../../../model/text/is-within.ts';
import { lstatQuietly } from '../../lstat-quietly.ts';
import { type GitPlace, readConfigValue, readGitFile, realOrNull } from '../git-place.ts';

/** Folders of loose refs to search. Repositories with more refs keep them packed. */
const MAX_FOLDERS = 10_000;

/** The first path outside of the repository from which git would read objects or refs, or null. */
export function outsideObjects(commonDir: string): string | null {
  const objects = join(commonDir, 'objects');
  const refs = join(commonDir, 'refs');
  for (const folder of [objects, refs]) if (isLink(folder) && !isInside(folder, commonDir)) return folder;
  const storage = refStorage(commonDir);
  if (storage !== null && !isInside(storage, commonDir)) return storage;
  // A name in quotes (git quotes special characters) is not unquoted, so it counts as outside.
  const lines = readGitFile(join(objects, 'info', 'alternates'))?.split('\n') ?? [];
  const named = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(objects, line));
  const linked = [objects, join(objects, 'info'), join(objects, 'pack')]
    .flatMap(entriesOf)
    .concat([...refEntries(refs)])
    .filter((entry) => entry.isSymbolicLink())
    .map(pathOf);
  return [...named, ...linked].find((path) => !isInside(path, commonDir)) ?? null;
}

/** The path of `extensions.refStorage = files://PATH`, from which git 2.54 and later read refs; null if unset. */
function refStorage(commonDir: string): string | null {
  const named = readConfigValue(readGitFile(join(commonDir, 'config')) ?? '', /^[^#;\n]*\brefstorage[ \t]*=(.*)$/im);
  const path = named?.split('://')[1];
  return path === undefined ? null : resolve(commonDir, path);
}

/** The first HEAD, ref or file of objects/info and objects/pack that is neither a file nor a folder, or null. */
export function specialFile({ gitDir, commonDir }: GitPlace): string | null {
  const objects = join(commonDir, 'objects');
  const heads = [...new Set([gitDir, commonDir])].map((folder) => join(folder, 'HEAD'));
  const specialHead = heads.find((path) => !isOrdinary(path) && lstatQuietly(path) !== undefined);
  if (specialHead !== undefined) return specialHead;
  const entries = ['info', 'pack']
    .flatMap((name) => entriesOf(join(objects, name)))
    .concat(...[...new Set([gitDir, commonDir])].map((folder) => [...refEntries(join(folder, 'refs'))]));
  const special = entries.find((entry) => !(entry.isFile() || entry.isDirectory() || isOrdinary(pathOf(entry))));
  return special === undefined ? null : pathOf(special);
}

function* refEntries(refs: string): Generator<Dirent> {
  const folders = [refs];
  for (let at = 0; at < folders.length && at < MAX_FOLDERS; at++)
    for (const entry of entriesOf(folders[at]!)) {
      yield entry;
      if (entry.isDirectory()) folders.push(pathOf(entry));
    }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function pathOf(entry: Dirent): string {
  return join(entry.parentPath ?? entry.path, entry.name);
}

function isLink(path: string): boolean {
  return lstatQuietly(path)?.isSymbolicLink() ?? false;
}

/** A file, a folder, or a broken link: HEAD of a new repository may be a link to a branch that has no commit yet. */
function isOrdinary(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined || stat.isFile() || stat.isDirectory();
  } catch {
    return false;
  }
}

/** Compares the name before the real path: resolving a link may already contact another machine. */
function isInside(folder: string, commonDir: string): boolean {
  if (!isWithin(folder, commonDir)) return false;
  const real = realOrNull(folder);
  return real === null || isWithin(real, commonDir);
}
