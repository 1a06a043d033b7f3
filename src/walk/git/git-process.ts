/**
 * Running git. Nothing here writes to a repository (no optional locks) or runs a monitor hook that a repository brings along. Failure is data:
 * the callers decide whether git's refusal means "do without git" or an error.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EngineError } from '../../model/records/engine-errors.ts';
import { piped } from '../../model/runtime/open-files.ts';
import { openSpool } from './child-output-file.ts';

const SAFE_ARGS = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];

/**
 * Variables of a calling git (a hook, `git rebase --exec`) that would point git at another repository or index than the one asked for.
 * The composition root removes them from the environment before anything runs.
 */
export const GIT_LOCAL_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
] as const;

/**
 * Set in the environment beside them: git would write a log into a pipe commit by commit, and a history of ten thousand cost us and git a fifth
 * of a second each for that alone. None of our gits is talked with back and forth.
 */
export const GIT_SETTINGS = { GIT_FLUSH: '0' } as const;

export interface GitOutcome {
  /** Exit code; -1 when git could not be started at all. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Starts git in `folder`, to be told something on its standard input. The child ends when the signal fires. Throws where no file can be opened. */
export function spawnGit(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): ChildProcessWithoutNullStreams {
  return piped(
    spawn('git', [...SAFE_ARGS, ...args], { ...spawnOptions(folder, signal), stdio: ['pipe', 'pipe', 'pipe'] }),
  );
}

/** The same for who has nothing to tell it: a pipe less to make and close, or all three. */
function spawnMute(folder: string, args: readonly string[], into: Into | null, signal?: AbortSignal) {
  const options = spawnOptions(folder, signal);
  if (into) return spawn('git', [...SAFE_ARGS, ...args], { ...options, stdio: ['ignore', into.out, into.err] });
  return piped(spawn('git', [...SAFE_ARGS, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
}

function spawnOptions(folder: string, signal?: AbortSignal) {
  return { cwd: folder, windowsHide: true, ...(signal ? { signal } : {}) };
}

interface GitOptions {
  readonly signal?: AbortSignal;
  readonly input?: string | Uint8Array;
}

/** Files that take what git says. */
interface Into {
  readonly out: number;
  readonly err: number;
}

/** runGit() for words that fill a pipe, where there is something else to do meanwhile: a file is quicker to make and to read than a pipe, too. */
export async function runGitAside(
  folder: string,
  args: readonly string[],
  options: Pick<GitOptions, 'signal'> = {},
): Promise<GitOutcome> {
  const out = openSpool();
  const err = openSpool();
  try {
    const said = out && err && (await run(folder, args, options, { out: out.fd, err: err.fd }));
    // Otherwise it was perhaps only a file that could not be written.
    if (said?.code === 0) return { code: 0, stdout: out!.read(), stderr: err!.read().toString('utf8') };
  } finally {
    out?.close();
    err?.close();
  }
  return runGit(folder, args, options);
}

/** Runs git to its end. Throws only `cancelled`, and where no file can be opened. */
export function runGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitOutcome> {
  return run(folder, args, options, null);
}

function run(
  folder: string,
  args: readonly string[],
  { signal, input }: GitOptions,
  into: Into | null,
): Promise<GitOutcome> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(new EngineError('cancelled'));
      return;
    }
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const child = input === undefined ? spawnMute(folder, args, into, signal) : spawnGit(folder, args, signal);
    child.stdout?.on('data', (piece: Buffer) => out.push(piece));
    child.stderr?.on('data', (piece: Buffer) => err.push(piece));
    // git may end before it has read all of its input; its exit code tells what matters.
    child.stdin?.on('error', () => {});
    child.on('error', (error) => {
      if (signal?.aborted) reject(new EngineError('cancelled', {}, error));
      else resolve({ code: -1, stdout: Buffer.alloc(0), stderr: error.message });
    });
    child.on('close', (code) => {
      if (signal?.aborted) reject(new EngineError('cancelled'));
      else resolve({ code: code ?? -1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') });
    });
    child.stdin?.end(input);
  });
}
