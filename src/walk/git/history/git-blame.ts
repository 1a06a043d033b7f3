/** Finds the commits that last changed the lines of a file. */
import type { LineCommit } from '../../../model/records/browse.ts';
import { runGit } from '../process/git-process.ts';

const NOT_COMMITTED = /^0+$/;

/** The commits that last changed the lines, newest first; empty if git has no such file or lines. */
export async function blameLines(
  folder: string,
  file: string,
  [first, last]: readonly [number, number],
  signal?: AbortSignal,
): Promise<LineCommit[]> {
  // The repository may name a list of commits to ignore that does not exist, or a pipe that never ends.
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
