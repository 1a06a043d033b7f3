/** Finds indexed paths that contain a part of a path, best match first. */
import { nameOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';

export function findPaths(view: TreeView, part: string, limit: number): readonly string[] {
  const wanted = part.toLowerCase();
  const ranked = view.files
    .map(({ path }) => ({ path, rank: matchRank(path.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank >= 0);
  ranked.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length);
  return ranked.slice(0, limit).map(({ path }) => path);
}

/** 0 if the path begins with `part`, 1 if its file name does, 2 if the path contains it, -1 otherwise. */
function matchRank(path: string, part: string): number {
  if (path.startsWith(part)) return 0;
  if (nameOf(path).startsWith(part)) return 1;
  return path.includes(part) ? 2 : -1;
}
