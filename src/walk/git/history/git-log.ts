/** Reads the commits of a repository, newest first, as a stream: a reader may stop at any commit and resume there. */
import { readRecords } from './git-records.ts';
import { showsText } from './shown-text.ts';

export interface Commit {
  readonly id: string;
  readonly dateMs: number;
  readonly subject: string;
  readonly body: string;
  readonly isMerge: boolean;
}

export interface HistoryRequest {
  /** Only commits that touch this folder are read, unless it is the whole work tree. */
  readonly folder: string;
  /** Whether `folder` is the whole work tree. */
  readonly isWhole: boolean;
  /** The commit to start at, or HEAD. */
  readonly from: string;
  /** A commit that the caller knows: neither it nor its ancestors are read. */
  readonly until?: string;
  /** The number of commits to skip first. */
  readonly skip?: number;
  /** Reads only these commits, in this order, instead of the history from `from`. */
  readonly ids?: readonly string[];
  /** Only commits that changed these lines of a file (git follows them back), or that added or removed a text. */
  readonly only?:
    | { readonly file: string; readonly lines: readonly [first: number, last: number] }
    | { readonly text: string };
  readonly signal?: AbortSignal;
}

/** `stopped`: the reader had enough. `failed`: there is no git, no such commit, or no history. */
export type HistoryEnd = 'complete' | 'stopped' | 'failed';

const MAX_SUBJECT_CHARS = 1_000;
const MAX_BODY_CHARS = 4_000;
/** With PATCH, git prints the patch after these fields. */
const FORMAT = '--format=%x01%H%x00%ct%x00%P%x00%s%x00%b%x00';

/** Switches off what settings could add: checks of signatures, names from a mailmap, diffs by a program. */
const PLAIN_OUTPUT = ['--no-show-signature', '--no-mailmap', '--no-ext-diff', '--no-textconv'];
const PATCH = ['-p', '-U0', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', '--no-renames'];

/** Calls `take` with each commit until it returns false. */
export async function readHistory(request: HistoryRequest, take: (commit: Commit) => boolean): Promise<HistoryEnd> {
  const { folder, isWhole, from, until, skip = 0, ids, only, signal } = request;
  const range = ids ? ['--no-walk=unsorted', '--stdin'] : [from, ...(until ? [`^${until}`] : [])];
  // git accepts no path beside -L, which names its file itself.
  const paths = isWhole || (only && 'file' in only) ? [] : ['--', '.'];
  const args = ['log', `--skip=${skip}`, FORMAT, ...PLAIN_OUTPUT, ...selection(only), ...range, ...paths];
  const input = ids ? { input: `${ids.join('\n')}\n` } : {};
  const end = await readRecords({ folder, args, ...input, ...(signal ? { signal } : {}) }, (record) => {
    const commit = only && 'text' in only && !patchShows(record, only.text) ? null : parseCommit(record);
    return commit === null || take(commit);
  });
  return end === 'timed-out' ? 'failed' : end;
}

function patchShows(record: string, text: string): boolean {
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
    subject: subject.slice(0, MAX_SUBJECT_CHARS),
    body: (body ?? '').replaceAll('\r\n', '\n').slice(0, MAX_BODY_CHARS),
    isMerge: (parents ?? '').includes(' '),
  };
}
