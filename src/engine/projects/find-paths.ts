/** Paths that contain the typed part of a path, the likeliest first. */
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

/** 0: the path begins with the part, 1: its file name does, 2: it contains it, -1: it does not. */
function matchRank(path: string, part: string): number {
  if (path.startsWith(part)) return 0;
  if (nameOf(path).startsWith(part)) return 1;
  return path.includes(part) ? 2 : -1;
}
