/** Runs `git log` commands that print one record per commit, and passes on each record as it arrives. */
import { spawnGit } from '../process/git-process.ts';

/** Longer records are cut: a commit message may have any length. */
const MAX_RECORD_CHARS = 1 << 20;

/** The character that the formats of this folder print before each commit. */
const COMMIT_SEPARATOR = '\u0001';

export interface RecordSplitter {
  push(piece: string): void;
  /** Ends the last record. */
  finish(): void;
}

/** Calls `take` with each record, without the separator. */
export function splitRecords(separator: string, take: (record: string) => void): RecordSplitter {
  let pending: string[] = [];
  let length = 0;
  const add = (text: string) => {
    if (length < MAX_RECORD_CHARS) pending.push(text.slice(0, MAX_RECORD_CHARS - length));
    length += text.length;
  };
  const finish = () => {
    const record = pending.join('');
    pending = [];
    length = 0;
    take(record);
  };
  return {
    push(piece) {
      const [first, ...others] = piece.split(separator);
      add(first!);
      for (const next of others) {
        finish();
        add(next);
      }
    },
    finish,
  };
}

export interface RecordsRequest {
  readonly folder: string;
  readonly args: readonly string[];
  /** Text for git's standard input. */
  readonly input?: string;
  /** Stops git after this time, with the records that it has printed by then. */
  readonly timeMs?: number;
  readonly signal?: AbortSignal;
}

/** `stopped`: `take` returned false. `timed-out`: the time was over. `failed`: git is missing or refused. */
export type RecordsEnd = 'complete' | 'stopped' | 'timed-out' | 'failed';

/** Calls `take` with each record that git prints, until it returns false. */
export async function readRecords(request: RecordsRequest, take: (record: string) => boolean): Promise<RecordsEnd> {
  const { folder, args, input, timeMs, signal } = request;
  const child = await spawnGit(folder, args, signal).catch(() => null);
  if (child === null) return 'failed';
  return new Promise((resolve) => {
    let ended = false;
    const timer = timeMs === undefined ? undefined : setTimeout(() => end('timed-out'), timeMs);
    const end = (result: RecordsEnd) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      child.kill();
      resolve(result);
    };
    const records = splitRecords(COMMIT_SEPARATOR, (record) => {
      if (!ended && !take(record)) end('stopped');
    });
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (piece: string) => records.push(piece));
    child.stderr.resume();
    // git may end before it has read its input; its exit code tells whether that was an error.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', () => end('failed'));
    child.on('close', (code) => {
      if (code === 0) records.finish();
      end(code === 0 ? 'complete' : 'failed');
    });
  });
}
