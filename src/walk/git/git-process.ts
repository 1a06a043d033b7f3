/**
 * The one place that starts git: for the repository that findPlace() found, with every setting switched off by which a
 * repository could execute something, fetch something or read what lies outside of it. Nothing here writes to a
 * repository. Failure is data: the callers decide whether git's refusal means "do without git" or an error.
 */
import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { EngineError } from '../../model/records/engine-errors.ts';
import { guardChild } from '../../model/runtime/child-guard.ts';
import { piped } from '../../model/runtime/open-files.ts';
import { gitProgram } from '../programs.ts';
import { openSpool } from './child-output-file.ts';
import { type RepositoryNames, readNames, USUAL_NAMES } from './git-config-names.ts';
import { findPlace, type GitPlace, realOrNull } from './git-place.ts';
import { safeArguments, safeEnvironment, searchPath } from './git-settings.ts';
import { outsideObjects, specialFile } from './outside-objects.ts';

/** Commands that look into a repository's objects. */
const OBJECT_READERS: ReadonlySet<string> = new Set([
  'blame',
  'cat-file',
  'diff-index',
  'diff-tree',
  'log',
  'ls-tree',
  'rev-parse',
]);
/** Git's exit code where it refuses to work. */
const REFUSED = 128;
/** Without a word from git. The longest wait that was seen was for a listing of half a million files on a cold disk. */
const TIMEOUT_MS = 60_000;
/** Time for questions that git answers from a file or two. */
const SHORT_TIMEOUT_MS = 10_000;
const SHORT_QUESTIONS: ReadonlySet<string> = new Set(['check-ignore', 'config', 'rev-parse', 'symbolic-ref']);
/** Of git's own memory, besides the files that it maps. A sparse file of an archive is as large as its author likes. */
const MAX_MEMORY_BYTES = 2 ** 31;
/**
 * Of an answer that is held whole: a million files. A few kilobytes of trees that hold the same tree ten times over
 * name more files than any machine can list, and so does a packed index of long names.
 */
const MAX_ANSWER_BYTES = 256 << 20;
/** Between two looks at a file that git writes its answer to. */
const SIZE_LOOK_MS = 50;

export interface GitOutcome {
  /** Exit code; -1 when git could not be started at all. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Where git was not started at all: what makes it possible. */
  readonly fix?: string;
  /** The process was stopped because it took too long. */
  readonly timedOut?: boolean;
  /** git was stopped, because its output was too long. */
  readonly tooLarge?: boolean;
}

/** A git that is ready to be started, or why it is not. */
type Start = StartedGit | GitOutcome;

interface StartedGit {
  readonly program: string;
  readonly args: string[];
  readonly env: NodeJS.ProcessEnv;
  readonly isShort: boolean;
}

async function prepare(folder: string, args: readonly string[], signal?: AbortSignal): Promise<Start> {
  const real = realOrNull(folder) ?? folder;
  const place = findPlace(real);
  const program = gitProgram(searchPath(), place?.workTree ?? real);
  if (program === null) return refusal(-1, 'git is not on the PATH');
  const unsafe = place && OBJECT_READERS.has(args[0]!) ? unsafeObjects(folder, place) : null;
  if (unsafe !== null) return unsafe;
  const env = safeEnvironment(real, place);
  const start = (names: RepositoryNames, more: readonly string[]): StartedGit => ({
    program,
    args: ['--no-optional-locks', ...safeArguments(place, names), ...more],
    env,
    isShort: SHORT_QUESTIONS.has(more[0]!),
  });
  const names = place
    ? await readNames(place, (question) =>
        collect(folder, start(USUAL_NAMES, question), null, signal ? { signal } : {}),
      )
    : USUAL_NAMES;
  return names
    ? start(names, args)
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
 * Starts git in `folder`, with an open standard input. The child ends when the signal fires. Throws
 * `unsupported` where git must not be started, and where no file can be opened.
 */
export async function spawnGit(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<ChildProcessWithoutNullStreams> {
  const start = await prepare(folder, args, signal);
  if ('code' in start) throw new EngineError('unsupported', { what: 'git', reason: start.stderr });
  return guardChild(
    piped(
      spawn(start.program, start.args, { ...spawnOptions(folder, start.env, signal), stdio: ['pipe', 'pipe', 'pipe'] }),
    ),
    { timeoutMs: TIMEOUT_MS, idle: true, maxMemoryBytes: MAX_MEMORY_BYTES },
  );
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

/** Files that take what git says. */
interface Into {
  readonly out: number;
  readonly err: number;
}

/**
 * runGit() for words that fill a pipe, where there is something else to do meanwhile: a file is quicker to make and to
 * read than a pipe, too.
 */
export async function runGitAside(
  folder: string,
  args: readonly string[],
  options: Pick<GitOptions, 'signal' | 'timeoutMs'> = {},
): Promise<GitOutcome> {
  const out = openSpool();
  const err = openSpool();
  try {
    const output = out && err && (await run(folder, args, options, { out: out.fd, err: err.fd }));
    // Otherwise it was perhaps only a file that could not be written.
    if (output?.code === 0) return { code: 0, stdout: out!.read(), stderr: err!.read().toString('utf8') };
    if (output?.timedOut || output?.tooLarge) return output;
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

/** The version of git that a folder uses; null where there is no git. */
export async function gitVersion(folder: string): Promise<string | null> {
  const { code, stdout } = await runGit(folder, ['--version']);
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

async function run(
  folder: string,
  args: readonly string[],
  options: GitOptions,
  into: Into | null,
): Promise<GitOutcome> {
  if (options.signal?.aborted) throw new EngineError('cancelled');
  const start = await prepare(folder, args, options.signal);
  return 'code' in start ? start : collect(folder, start, into, options);
}

function collect(folder: string, start: StartedGit, into: Into | null, options: GitOptions): Promise<GitOutcome> {
  const { signal, input, timeoutMs = start.isShort ? SHORT_TIMEOUT_MS : TIMEOUT_MS } = options;
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let timedOut = false;
    let tooLarge = false;
    // Each pipe costs time: there is none without input, and none at all where the output goes to files.
    const stdin = input === undefined ? 'ignore' : 'pipe';
    const stdio: StdioOptions = into ? ['ignore', into.out, into.err] : [stdin, 'pipe', 'pipe'];
    const started = spawn(start.program, start.args, { ...spawnOptions(folder, start.env, signal), stdio });
    const onTimeout = () => {
      timedOut = true;
    };
    const child = guardChild(into ? started : piped(started), {
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
    const look = into && setInterval(() => limit(fstatSync(into.out).size + fstatSync(into.err).size), SIZE_LOOK_MS);
    child.once('exit', () => clearInterval(look ?? undefined));
    // git may end before it has read all of its input; its exit code tells what matters.
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
