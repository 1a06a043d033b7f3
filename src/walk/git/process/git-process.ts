/**
 * Starts git for the repository that findPlace() found; only remote-git.ts starts it, too. Every setting is switched
 * off by which a repository could make git execute a program, fetch, or read files outside of the repository. Nothing
 * here writes to a repository. A failure of git is a GitOutcome: the caller decides between an error and a way without
 * git.
 */
import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { guardChild } from '../../../model/runtime/child-guard.ts';
import { piped } from '../../../model/runtime/open-files.ts';
import { gitProgram } from '../../programs.ts';
import { findPlace, type GitPlace, realOrNull } from '../git-place.ts';
import { openChildOutputFile } from './child-output-file.ts';
import { type ConfiguredNames, DEFAULT_NAMES, readConfiguredNames } from './git-config-names.ts';
import { safeArguments, safeEnvironment, searchPath } from './git-settings.ts';
import { outsideObjects, specialFile } from './outside-objects.ts';

/** Commands that read a repository's objects or refs. */
const OBJECT_READERS: ReadonlySet<string> = new Set([
  'blame',
  'cat-file',
  'diff-index',
  'diff-tree',
  'log',
  'ls-tree',
  'rev-parse',
]);
/** git's exit code when it refuses to work. */
const REFUSED = 128;
/** Longest silence of git. The longest one measured was a listing of half a million files on a cold disk. */
const TIMEOUT_MS = 60_000;
/** The same for commands that read only a file or two. */
const SHORT_TIMEOUT_MS = 10_000;
const SHORT_COMMANDS: ReadonlySet<string> = new Set(['check-ignore', 'config', 'rev-parse', 'symbolic-ref']);
/** git's own memory, without the files that it maps. An archive may hold a sparse file of any size. */
const MAX_MEMORY_BYTES = 2 ** 31;
/**
 * Output that is held in memory: about a million files. A few kilobytes of nested trees that each hold one tree ten
 * times name more files than any machine can list; so can a packed index of long names.
 */
const MAX_ANSWER_BYTES = 256 << 20;
/** How often the size of an output file is checked. */
const SIZE_CHECK_MS = 50;

export interface GitOutcome {
  /** The exit code; -1 if git could not be started. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** If git was not started for safety: what the user can do about it. */
  readonly fix?: string;
  /** git was stopped because it took too long. */
  readonly timedOut?: boolean;
  /** git was stopped because its output was too long. */
  readonly tooLarge?: boolean;
}

/** A command line that is safe to start. */
interface GitCommand {
  readonly program: string;
  readonly args: string[];
  readonly env: NodeJS.ProcessEnv;
  readonly isShort: boolean;
}

/** The command to start in a folder, or the outcome that says why git must not be started. */
async function prepare(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<GitCommand | GitOutcome> {
  const real = realOrNull(folder) ?? folder;
  const place = findPlace(real);
  const program = gitProgram(searchPath(), place?.workTree ?? real);
  if (program === null) return refusal(-1, 'git is not on the PATH');
  const unsafe = place && OBJECT_READERS.has(args[0]!) ? unsafeObjects(folder, place) : null;
  if (unsafe !== null) return unsafe;
  const env = safeEnvironment(real, place);
  const command = (names: ConfiguredNames, gitArgs: readonly string[]): GitCommand => ({
    program,
    args: ['--no-optional-locks', ...safeArguments(place, names), ...gitArgs],
    env,
    isShort: SHORT_COMMANDS.has(gitArgs[0]!),
  });
  const names = place
    ? await readConfiguredNames(place, (query) =>
        collect(folder, command(DEFAULT_NAMES, query), null, signal ? { signal } : {}),
      )
    : DEFAULT_NAMES;
  return names
    ? command(names, args)
    : refusal(REFUSED, 'fatal: the configuration or the index of the repository cannot be read safely');
}

function unsafeObjects(folder: string, place: GitPlace): GitOutcome | null {
  const outside = outsideObjects(place.commonDir);
  if (outside !== null)
    return {
      ...refusal(REFUSED, `fatal: the repository keeps objects outside of itself, in ${outside}`),
      fix: `Run \`git -C ${folder} repack -a -d\`, remove objects/info/alternates from its git folder, then try again.`,
    };
  const special = specialFile(place);
  if (special === null) return null;
  return {
    ...refusal(REFUSED, `fatal: ${special} is neither a file nor a folder`),
    fix: `Remove ${special}, then try again.`,
  };
}

function tooMuch(bytes: number): string {
  return `fatal: git's answer has more than ${bytes >> 20} MB`;
}

function refusal(code: number, reason: string): GitOutcome {
  return { code, stdout: Buffer.alloc(0), stderr: reason };
}

/**
 * Starts git in `folder`, with an open standard input. The child is killed when the signal is aborted. Throws
 * `unsupported` if git must not be started, and an error if the process has no free file descriptor.
 */
export async function spawnGit(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<ChildProcessWithoutNullStreams> {
  const command = await prepare(folder, args, signal);
  if ('code' in command) throw new EngineError('unsupported', { what: 'git', reason: command.stderr });
  const options = spawnOptions(folder, command.env, signal);
  return guardChild(piped(spawn(command.program, command.args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })), {
    timeoutMs: TIMEOUT_MS,
    idle: true,
    maxMemoryBytes: MAX_MEMORY_BYTES,
  });
}

function spawnOptions(folder: string, env: NodeJS.ProcessEnv, signal?: AbortSignal) {
  return { cwd: folder, env, windowsHide: true, ...(signal ? { signal } : {}) };
}

interface GitOptions {
  readonly signal?: AbortSignal;
  readonly input?: string | Uint8Array;
  /** How long git may be silent. */
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
}

/** File descriptors for git's output. */
interface OutputFiles {
  readonly out: number;
  readonly err: number;
}

/**
 * runGit() for output that would fill a pipe while this process does other work. A file is also faster to make and to
 * read than a pipe. Falls back to pipes if a file cannot be made or written.
 */
export async function runGitIntoFiles(
  folder: string,
  args: readonly string[],
  options: Pick<GitOptions, 'signal' | 'timeoutMs'> = {},
): Promise<GitOutcome> {
  const out = openChildOutputFile();
  const err = openChildOutputFile();
  try {
    const output = out && err && (await run(folder, args, options, { out: out.fd, err: err.fd }));
    // Any other failure may be that of a full disk, so git runs again with pipes.
    if (output?.code === 0) return { code: 0, stdout: out!.read(), stderr: err!.read().toString('utf8') };
    if (output?.timedOut || output?.tooLarge) return output;
  } finally {
    out?.close();
    err?.close();
  }
  return runGit(folder, args, options);
}

/** Runs git to its end. Throws `cancelled`, and an error if the process has no free file descriptor. */
export function runGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitOutcome> {
  return run(folder, args, options, null);
}

/** The version of the git that is used for a folder; null without git. */
export async function gitVersion(folder: string): Promise<string | null> {
  const { code, stdout } = await runGit(folder, ['--version']);
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

async function run(
  folder: string,
  args: readonly string[],
  options: GitOptions,
  files: OutputFiles | null,
): Promise<GitOutcome> {
  if (options.signal?.aborted) throw new EngineError('cancelled');
  const command = await prepare(folder, args, options.signal);
  return 'code' in command ? command : collect(folder, command, files, options);
}

function collect(
  folder: string,
  command: GitCommand,
  files: OutputFiles | null,
  options: GitOptions,
): Promise<GitOutcome> {
  const { signal, input, timeoutMs = command.isShort ? SHORT_TIMEOUT_MS : TIMEOUT_MS } = options;
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let timedOut = false;
    let tooLarge = false;
    // Each pipe costs time, so git gets only those that it needs.
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const stdio: StdioOptions = files ? ['ignore', files.out, files.err] : [stdin, 'pipe', 'pipe'];
    const started = spawn(command.program, command.args, { ...spawnOptions(folder, command.env, signal), stdio });
    const onTimeout = () => {
      timedOut = true;
    };
    const child = guardChild(files ? started : piped(started), {
      timeoutMs,
      idle: true,
      maxMemoryBytes: MAX_MEMORY_BYTES,
      onTimeout,
    });
    let bytes = 0;
    const limit = (size: number) => {
      if (size <= maxAnswerBytes) return;
      tooLarge = true;
      child.kill('SIGKILL');
    };
    const addTo = (pieces: Buffer[]) => (piece: Buffer) => {
      bytes += piece.length;
      limit(bytes);
      if (!tooLarge) pieces.push(piece);
    };
    child.stdout?.on('data', addTo(out));
    child.stderr?.on('data', addTo(err));
    const timer =
      files && setInterval(() => limit(fstatSync(files.out).size + fstatSync(files.err).size), SIZE_CHECK_MS);
    child.once('exit', () => clearInterval(timer ?? undefined));
    // git may end before it has read all of its input; its exit code says whether that was an error.
    child.stdin?.on('error', () => {});
    child.on('error', (error) => {
      if (signal?.aborted) reject(new EngineError('cancelled', {}, error));
      else resolve({ code: -1, stdout: Buffer.alloc(0), stderr: error.message });
    });
    child.on('close', (code) => {
      if (signal?.aborted) reject(new EngineError('cancelled'));
      else if (timedOut) resolve({ ...refusal(-1, `git gave no answer within ${timeoutMs} ms`), timedOut });
      else if (tooLarge) resolve({ ...refusal(REFUSED, tooMuch(maxAnswerBytes)), tooLarge });
      else resolve({ code: code ?? -1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') });
    });
    child.stdin?.end(input);
  });
}
