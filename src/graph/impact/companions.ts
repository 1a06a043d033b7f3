/** Counts in the history which files change together, and finds those that a change left out. */
import type { Companion } from '../../model/records/impact.ts';
import { nameOf } from '../../model/text/path-text.ts';

/** The paths that a commit changed. */
export type CommitPaths = readonly string[];

/** A commit with more files (a renaming, a new licence) says nothing about what belongs together. */
const MAX_FILES = 40;

export interface TogetherCount {
  readonly together: number;
  readonly commits: number;
}

export class CoChangeHistory {
  readonly #byPath = new Map<string, CommitPaths[]>();

  /** `tree`: the current paths. */
  constructor(commits: readonly CommitPaths[], tree: readonly string[]) {
    const today = todaysPaths(tree);
    for (const past of commits) {
      if (past.length > MAX_FILES) continue;
      const paths = [...new Set(past.map(today))];
      for (const path of paths) {
        const commits = this.#byPath.get(path);
        if (commits) commits.push(paths);
        else this.#byPath.set(path, [paths]);
      }
    }
  }

  /** The files that changed together with this one, with counts. */
  with(path: string): ReadonlyMap<string, TogetherCount> {
    const own = this.#byPath.get(path) ?? [];
    const counts = new Map<string, number>();
    for (const paths of own)
      for (const other of paths) if (other !== path) counts.set(other, (counts.get(other) ?? 0) + 1);
    return new Map([...counts].map(([other, together]) => [other, { together, commits: own.length }]));
  }
}

/**
 * A path that no longer exists stands for the only file of its name, because whole folders move and their files go on
 * changing together.
 */
function todaysPaths(tree: readonly string[]): (path: string) => string {
  const there = new Set(tree);
  const byName = new Map<string, string | null>();
  for (const path of tree) byName.set(nameOf(path), byName.has(nameOf(path)) ? null : path);
  return (path) => (there.has(path) ? path : (byName.get(nameOf(path)) ?? path));
}

const MIN_TOGETHER = 3;
const MIN_SHARE = 0.25;

/** Files that usually change with the changed ones and did not, most likely first. */
export function findCompanions(
  history: CoChangeHistory,
  changed: readonly string[],
  isThere: (path: string) => boolean,
): Companion[] {
  const isChanged = new Set(changed);
  const best = new Map<string, Companion>();
  for (const path of changed)
    for (const [other, { together, commits }] of history.with(path)) {
      if (isChanged.has(other) || together < MIN_TOGETHER || together / commits < MIN_SHARE || !isThere(other))
        continue;
      const known = best.get(other);
      if (!known || together / commits > known.together / known.commits)
        best.set(other, { path: other, together, commits, with: path });
    }
  return [...best.values()].sort(
    (a, b) =>
      b.together / (b.commits + 1) - a.together / (a.commits + 1) ||
      b.together - a.together ||
      (a.path < b.path ? -1 : 1),
  );
}
