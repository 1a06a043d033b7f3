/** The paths that each commit changed, newest commit first, for finding files that change together. */
import { readRecords } from './git-records.ts';

export interface ChangedPathsRequest {
  readonly folder: string;
  /** The commit or ref to start at. */
  readonly from: string;
  readonly maxCommits: number;
  readonly timeMs: number;
  readonly signal?: AbortSignal;
}

/** A commit with more paths is left out: a sweep through the tree says nothing about which files belong together. */
const MAX_PATHS = 200;

/** Reads for at most `timeMs`. Empty without git, and if there is no such commit. Merges are left out. */
export async function readChangedPaths(request: ChangedPathsRequest): Promise<string[][]> {
  const { folder, from, maxCommits, timeMs, signal } = request;
  const quiet = ['--no-renames', '--no-show-signature', '--no-mailmap', '--no-textconv', '--no-ext-diff'];
  const args = ['log', '--format=%x01', '--name-only', '-z', '--no-merges', `--max-count=${maxCommits}`, ...quiet];
  const commits: string[][] = [];
  const reading = { folder, args: [...args, '--relative', from, '--', '.'], timeMs, ...(signal ? { signal } : {}) };
  await readRecords(reading, (record) => {
    const paths = record
      .replace(/^\0?\n/, '')
      .split('\0', MAX_PATHS + 1)
      .filter((path) => path.trim() !== '');
    if (paths.length > 0 && paths.length <= MAX_PATHS) commits.push(paths.map((path) => path.replace(/^\n/, '')));
    return true;
  });
  return commits;
}
