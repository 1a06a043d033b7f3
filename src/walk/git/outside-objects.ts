/**
 * What makes a repository's own folder unsafe to read. Objects and refs elsewhere: alternates (`git clone --shared`,
 * `--reference`) and links, by which an unpacked archive may name those of any repository of the machine, and on
 * Windows of another machine. Pipes and devices in the place of refs and packs, which git would read without an end.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isWithin } from '../../model/text/is-within.ts';
import { lstatQuietly } from '../lstat-quietly.ts';
import { configured, type GitPlace, realOrNull, textOf } from './git-place.ts';

/** Folders of refs that are looked into: a repository with that many keeps its refs packed. */
const MAX_FOLDERS = 10_000;

/** The first place outside of the repository, or null. */
export function outsideObjects(commonDir: string): string | null {
  const objects = join(commonDir, 'objects');
  const refs = join(commonDir, 'refs');
  for (const folder of [objects, refs]) if (isLink(folder) && !isInside(folder, commonDir)) return folder;
  const kept = refStorage(commonDir);
  if (kept !== null && !isInside(kept, commonDir)) return kept;
  // git gives names with special characters in quotes: those are taken for outside as they stand.
  const lines = textOf(join(objects, 'info', 'alternates'))?.split('\n') ?? [];
  const named = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(objects, line));
  const linked = [objects, join(objects, 'info'), join(objects, 'pack')]
    .flatMap(entriesOf)
    .concat([...refEntries(refs)])
    .filter((entry) => entry.isSymbolicLink())
    .map(pathOf);
  return [...named, ...linked].find((path) => !isInside(path, commonDir)) ?? null;
}

/** Git 2.54 and later read refs from the path of `extensions.refStorage = files://PATH`. Null without one. */
function refStorage(commonDir: string): string | null {
  const named = configured(textOf(join(commonDir, 'config')) ?? '', /^[^#;\n]*\brefstorage[ \t]*=(.*)$/im);
  const path = named?.split('://')[1];
  return path === undefined ? null : resolve(commonDir, path);
}

/** The first ref, list of refs or pack that is neither a file nor a folder, or null. */
export function specialFile({ gitDir, commonDir }: GitPlace): string | null {
  const objects = join(commonDir, 'objects');
  const own = [...new Set([gitDir, commonDir])].map((folder) => join(folder, 'HEAD'));
  const odd = own.find((path) => !isOrdinary(path) && lstatQuietly(path) !== undefined);
  if (odd !== undefined) return odd;
  const entries = ['info', 'pack']
    .flatMap((name) => entriesOf(join(objects, name)))
    .concat(...[...new Set([gitDir, commonDir])].map((folder) => [...refEntries(join(folder, 'refs'))]));
  const strange = entries.find((entry) => !(entry.isFile() || entry.isDirectory() || isOrdinary(pathOf(entry))));
  return strange === undefined ? null : pathOf(strange);
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

/** A link that leads nowhere is one: the HEAD of a new repository may name a branch without a commit. */
function isOrdinary(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined || stat.isFile() || stat.isDirectory();
  } catch {
    return false;
  }
}

/** By its name first: asking where a path leads may already be a visit to another machine. */
function isInside(folder: string, commonDir: string): boolean {
  if (!isWithin(folder, commonDir)) return false;
  const real = realOrNull(folder);
  return real === null || isWithin(real, commonDir);
}
