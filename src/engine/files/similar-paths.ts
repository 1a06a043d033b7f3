/** Suggests indexed files for a path or name that does not exist. */
import { posix } from 'node:path';
import { editDistance } from '../../model/text/edit-distance.ts';
import type { Engine } from '../engine.ts';

const MAX_SIMILAR = 5;

/**
 * Indexed files whose path contains the given one, such as the files of a folder; otherwise the files with the nearest
 * names.
 */
export async function similarPaths(engine: Engine, project: string, path: string): Promise<readonly string[]> {
  const find = (part: string, limit: number) => engine.findPaths(project, part, limit).catch(() => []);
  const whole = await find(path, MAX_SIMILAR);
  return whole.length > 0 ? whole : nearest(path.toLowerCase(), await find('', Number.MAX_SAFE_INTEGER));
}

/** The indexed file whose path is `name` or ends with it. */
export async function fileNamed(engine: Engine, project: string, name: string): Promise<string | undefined> {
  const paths = await engine.findPaths(project, name, MAX_SIMILAR).catch(() => []);
  return paths.find((path) => `/${path}`.endsWith(`/${name}`));
}

/**
 * Files with the nearest names. Another extension or folder counts as one edit. Among equals, files that share most
 * folders with the path come first.
 */
function nearest(wanted: string, paths: readonly string[]): string[] {
  const { name, ext, dir } = posix.parse(wanted);
  const folders = new Set(dir.split('/'));
  const maxEdits = Math.floor(name.length / 3);
  let minDistance = Number.POSITIVE_INFINITY;
  let found: { readonly path: string; readonly shared: number }[] = [];
  for (const path of paths) {
    const other = posix.parse(path.toLowerCase());
    const nameEdits = editDistance(name, other.name, maxEdits);
    const distance = nameEdits + Number(other.ext !== ext) + Number(other.dir !== dir);
    if (nameEdits > maxEdits || distance > minDistance) continue;
    if (distance < minDistance) found = [];
    minDistance = distance;
    found.push({ path, shared: other.dir.split('/').filter((part) => folders.has(part)).length });
  }
  return found
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_SIMILAR)
    .map(({ path }) => path);
}
