/** Counts the commits and the changed lines of a folder per day, and its commits per file. */
import type { ActivityDay } from '../../../model/records/browse.ts';
import { readRecords } from './git-records.ts';

export interface CommitActivity {
  readonly days: readonly ActivityDay[];
  readonly commits: number;
  readonly byFile: ReadonlyMap<string, number>;
  /** The time was over before the first commit was reached. */
  readonly partial: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const ARGUMENTS = [
  'log',
  '--format=%x01%ct',
  '--numstat',
  '--no-merges',
  '--no-renames',
  '--no-show-signature',
  '--no-textconv',
  '--no-ext-diff',
  '--relative',
  'HEAD',
  '--',
  '.',
];

/** Reads from the newest commit back, for at most `timeMs`. */
export async function readCommitActivity(folder: string, timeMs: number): Promise<CommitActivity> {
  const days = new Map<number, { startMs: number; commits: number; added: number; removed: number }>();
  const byFile = new Map<string, number>();
  let commits = 0;
  const end = await readRecords({ folder, args: ARGUMENTS, timeMs }, (record) => {
    const [seconds, ...files] = record.split('\n');
    if (!seconds) return true;
    const startMs = Math.floor((Number(seconds) * 1000) / DAY_MS) * DAY_MS;
    const day = days.get(startMs) ?? { startMs, commits: 0, added: 0, removed: 0 };
    days.set(startMs, day);
    day.commits++;
    commits++;
    for (const line of files) {
      const [added, removed, path] = line.split('\t');
      if (path === undefined) continue;
      day.added += Number(added) || 0;
      day.removed += Number(removed) || 0;
      byFile.set(path, (byFile.get(path) ?? 0) + 1);
    }
    return true;
  });
  const sorted = [...days.values()].sort((a, b) => a.startMs - b.startMs);
  return { days: sorted, commits, byFile, partial: end === 'timed-out' };
}
