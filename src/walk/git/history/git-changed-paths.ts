/** Which files changed together: the paths of each commit, newest first, as many as there is time for. */
import { spawnGit } from '../git-process.ts';
import { splitRecords } from '../listing/git-records.ts';

export interface ChangedPathsRequest {
  readonly folder: string;
  /** Where to begin. */
  readonly from: string;
  readonly maxCommits: number;
  readonly timeMs: number;
  readonly signal?: AbortSignal;
}

/** Commits that change more are sweeps through the tree: their paths are not read to the end. */
const MAX_PATHS = 200;

/** Empty without git, and where there is no such commit. Merges have no paths of their own and are left out. */
export async function readChangedPaths(request: ChangedPathsRequest): Promise<string[][]> {
  const { folder, from, maxCommits, timeMs, signal } = request;
  const quiet = ['--no-renames', '--no-show-signature', '--no-mailmap', '--no-textconv', '--no-ext-diff'];
  const args = ['log', '--format=%x01', '--name-only', '-z', '--no-merges', `--max-count=${maxCommits}`, ...quiet];
  const child = await spawnGit(folder, [...args, '--relative', from, '--', '.'], signal).catch(() => null);
  if (child === null) return [];
  const commits: string[][] = [];
  const records = splitRecords('\u0001', (record) => {
    const paths = record
      .replace(/^\0?\n/, '')
      .split('\0', MAX_PATHS + 1)
      .filter((path) => path.trim() !== '');
    if (paths.length > 0 && paths.length <= MAX_PATHS) commits.push(paths.map((path) => path.replace(/^\n/, '')));
  });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => child.kill(), timeMs);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (piece: string) => records.push(piece));
    child.stderr.resume();
    child.stdin.on('error', () => {});
    child.stdin.end();
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    child.on('error', end);
    child.on('close', () => {
      records.finish();
      end();
    });
  });
  return commits;
}
