/** Suggests files for a path without a file and for a name without a symbol. */
import { posix } from 'node:path';
import { editDistance } from '../../model/text/edit-distance.ts';
import type { Engine } from '../engine.ts';

const MAX_SIMILAR = 5;

/**
 * Indexed files that the path is a part of, such as those of a folder; else those whose names are nearest to the one
 * that it ends with.
 */
export async function similarPaths(engine: Engine, project: string, path: string): Promise<readonly string[]> {
  const find = (part: string, limit: number) => engine.findPaths(project, part, limit).catch(() => []);
  const whole = await find(path, MAX_SIMILAR);
  return whole.length > 0 ? whole : nearest(path.toLowerCase(), await find('', Number.MAX_SAFE_INTEGER));
}

/** The indexed file that is called so, by its path or the end of it. */
export async function fileNamed(engine: Engine, project: string, name: string): Promise<string | undefined> {
  const paths = await engine.findPaths(project, name, MAX_SIMILAR).catch(() => []);
  return paths.find((path) => `/${path}`.endsWith(`/${name}`));
}

/**
 * Another ending or another folder counts like a slip in the name. Of equals, those that share most folders with the
 * path come first.
 */
function nearest(wanted: string, paths: readonly string[]): string[] {
  const { name, ext, dir } = posix.parse(wanted);
  const folders = new Set(dir.split('/'));
  const slips = Math.floor(name.length / 3);
  let least = Number.POSITIVE_INFINITY;
  let found: { readonly path: string; readonly shared: number }[] = [];
  for (const path of paths) {
    const other = posix.parse(path.toLowerCase());
    const inName = editDistance(name, other.name, slips);
    const distance = inName + Number(other.ext !== ext) + Number(other.dir !== dir);
    if (inName > slips || distance > least) continue;
    if (distance < least) found = [];
    least = distance;
    found.push({ path, shared: other.dir.split('/').filter((part) => folders.has(part)).length });
  }
  return found
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_SIMILAR)
    .map(({ path }) => path);
}
