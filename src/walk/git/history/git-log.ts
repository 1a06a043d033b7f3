/**
 * The history of a repository as data: newest first, read as a stream, so that who reads may stop anywhere and go on
 * from there later.
 */
import { spawnGit } from '../git-process.ts';
import { splitRecords } from '../listing/git-records.ts';
import { showsText } from './shown-text.ts';

export interface Commit {
  readonly id: string;
  readonly dateMs: number;
  readonly subject: string;
  readonly body: string;
  readonly isMerge: boolean;
}

export interface HistoryRequest {
  /** The folder whose history is meant: only commits that touch it, where it is not the whole work tree. */
  readonly folder: string;
  readonly isWhole: boolean;
  /** Where to begin: a commit, or HEAD. */
  readonly from: string;
  /** Commits known already: neither they nor their ancestors are read. */
  readonly until?: string;
  /** Commits to pass over first. */
  readonly skip?: number;
  /** Only these commits, in their order, instead of a walk. */
  readonly ids?: readonly string[];
  /**
   * Only commits that changed these lines of a file, followed back through its past, or that added or removed a text.
   */
  readonly only?:
    | { readonly file: string; readonly lines: readonly [first: number, last: number] }
    | { readonly text: string };
  readonly signal?: AbortSignal;
}

export type HistoryEnd = 'complete' | 'stopped' | 'failed';

const MAX_SUBJECT = 1_000;
const MAX_BODY = 4_000;
/** A patch, where one is asked for, follows its commit. */
const FORMAT = '--format=%x01%H%x00%ct%x00%P%x00%s%x00%b%x00';

/** Nothing that a setting could add to them: a check of signatures, names from a file, differences by a program. */
const ONLY_COMMITS = ['--no-show-signature', '--no-mailmap', '--no-ext-diff', '--no-textconv'];
const PATCH = ['-p', '-U0', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '--no-renames'];

/** Calls `take` for each commit until it returns false. `failed`: no git, no such commit, no history. */
export async function readHistory(request: HistoryRequest, take: (commit: Commit) => boolean): Promise<HistoryEnd> {
  const { folder, isWhole, from, until, skip = 0, ids, only, signal } = request;
  const range = ids ? ['--no-walk=unsorted', '--stdin'] : [from, ...(until ? [`^${until}`] : [])];
  // Lines name their file themselves, and git takes no other beside it.
  const paths = isWhole || (only && 'file' in only) ? [] : ['--', '.'];
  const args = ['log', `--skip=${skip}`, FORMAT, ...ONLY_COMMITS, ...selection(only), ...range, ...paths];
  const child = await spawnGit(folder, args, signal).catch(() => null);
  if (child === null) return 'failed';
  return new Promise((resolve) => {
    let ended = false;
    const end = (how: HistoryEnd) => {
      if (ended) return;
      ended = true;
      child.kill();
      resolve(how);
    };
    child.stdout.setEncoding('utf8');
    const records = splitRecords('\u0001', (record) => {
      const commit = ended || (only && 'text' in only && !showsIt(record, only.text)) ? null : parseCommit(record);
      if (commit && !take(commit)) end('stopped');
    });
    child.stdout.on('data', (piece: string) => records.push(piece));
    child.stderr.resume();
    child.stdin.on('error', () => {});
    child.stdin.end(ids ? `${ids.join('\n')}\n` : undefined);
    child.on('error', () => end('failed'));
    child.on('close', (code) => {
      if (code === 0) records.finish();
      end(code === 0 ? 'complete' : 'failed');
    });
  });
}

function showsIt(record: string, text: string): boolean {
  const [, , , , , patch = ''] = record.split('\0');
  return showsText(patch, text);
}

function selection(only: HistoryRequest['only']): readonly string[] {
  if (!only) return ['--no-patch'];
  if ('text' in only) return ['-S', only.text, ...PATCH];
  return ['--no-patch', `-L${only.lines[0]},${only.lines[1]}:${only.file}`];
}

function parseCommit(record: string): Commit | null {
  const [id, seconds, parents, subject, body] = record.split('\0');
  if (!id || subject === undefined) return null;
  return {
    id,
    dateMs: Number(seconds) * 1000,
    subject: subject.slice(0, MAX_SUBJECT),
    body: (body ?? '').replaceAll('\r\n', '\n').slice(0, MAX_BODY),
    isMerge: (parents ?? '').includes(' '),
  };
}
