/**
 * Who wrote the lines of a file last, and what the history says about growth and change. Read from git; nothing of a
 * repository runs.
 */
import type { ActivityDay, LineCommit } from '../../../model/records/browse.ts';
import { runGit, spawnGit } from '../git-process.ts';
import { splitRecords } from '../listing/git-records.ts';

const NOT_COMMITTED = /^0+$/;

/** Newest first; empty where git has no such file or lines. */
export async function blameLines(
  folder: string,
  file: string,
  [first, last]: readonly [number, number],
  signal?: AbortSignal,
): Promise<LineCommit[]> {
  // A list of commits to pass over that the repository names may not be there, or never end.
  const quiet = ['--no-textconv', '--no-ignore-revs-file'];
  const args = ['blame', '--porcelain', ...quiet, '-L', `${first},${last}`, '--', file];
  const { code, stdout } = await runGit(folder, args, signal ? { signal } : {});
  return code === 0 ? readBlame(stdout.toString('utf8')) : [];
}

function readBlame(porcelain: string): LineCommit[] {
  const commits = new Map<string, { author: string; dateMs: number; subject: string; lines: number }>();
  let at = { author: '', dateMs: 0, subject: '', lines: 0 };
  for (const line of porcelain.split('\n')) {
    const [, id] = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line) ?? [];
    if (id !== undefined) {
      at = commits.get(id) ?? { author: '', dateMs: 0, subject: '', lines: 0 };
      at.lines++;
      commits.set(id, at);
    } else if (line.startsWith('author ')) at.author = line.slice('author '.length);
    else if (line.startsWith('author-time ')) at.dateMs = Number(line.slice('author-time '.length)) * 1000;
    else if (line.startsWith('summary ')) at.subject = line.slice('summary '.length);
  }
  return [...commits]
    .map(([id, commit]) => ({ id: NOT_COMMITTED.test(id) ? null : id, ...commit }))
    .sort((a, b) => Number(a.id !== null) - Number(b.id !== null) || b.dateMs - a.dateMs);
}

export interface Changes {
  readonly days: readonly ActivityDay[];
  readonly commits: number;
  readonly byFile: ReadonlyMap<string, number>;
  readonly partial: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the history with its line counts, newest first, until the time is up. */
export async function readChanges(folder: string, timeMs: number): Promise<Changes> {
  const args = ['log', '--format=%x01%ct', '--numstat', '--no-merges', '--no-renames', '--no-show-signature'];
  const quiet = ['--no-textconv', '--no-ext-diff', '--relative', 'HEAD', '--', '.'];
  const days = new Map<number, { startMs: number; commits: number; added: number; removed: number }>();
  const byFile = new Map<string, number>();
  let commits = 0;
  let partial = false;
  const take = (record: string) => {
    const [seconds, ...files] = record.split('\n');
    if (!seconds) return;
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
  };
  const child = await spawnGit(folder, [...args, ...quiet]).catch(() => null);
  if (child === null) return { days: [], commits, byFile, partial };
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      partial = true;
      child.kill();
    }, timeMs);
    const records = splitRecords('\u0001', take);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (piece: string) => records.push(piece));
    child.stderr.resume();
    child.stdin.on('error', () => {});
    child.stdin.end();
    const end = () => {
      clearTimeout(timer);
      if (!partial) records.finish();
      resolve({ days: [...days.values()].sort((a, b) => a.startMs - b.startMs), commits, byFile, partial });
    };
    child.on('error', end);
    child.on('close', end);
  });
}
