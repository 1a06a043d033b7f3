/**
 * Reads the changes of the work tree, of git's index, or between two commits. It uses git's plumbing commands, whose
 * output no setting of a repository changes, and reads a stream, since a diff may be larger than memory.
 */
import { EngineError } from '../../../model/records/engine-errors.ts';
import type { Diff, FileChange } from '../../../model/records/impact.ts';
import { resolveRef } from '../git-refs.ts';
import { runGit, spawnGit } from '../process/git-process.ts';
import { DiffReader } from './diff-reader.ts';

/** The id of the empty tree, which git knows in every repository. The first commit is compared with it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** git detects renames among at most so many files; beyond that, a renamed file is a deleted and an added one. */
const RENAME_LIMIT = 400;
const OPTIONS = [
  '-p',
  '-U0',
  '-r',
  '-M',
  `-l${RENAME_LIMIT}`,
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--full-index',
  '--ignore-submodules=all',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--relative',
];
const MAX_FILES = 10_000;
const MAX_BYTES = 256 << 20;
/** Nested trees that repeat one tree may differ in more files than git can hold. */
const TIMEOUT_MS = 30_000;
const ENDED = `git was ended: the difference takes more than ${TIMEOUT_MS / 1000} s or too much memory.`;

export interface DiffRequest {
  readonly diff?: string;
  readonly staged?: boolean;
}

export interface NamedDiff extends Diff {
  /** What is compared: "the work tree against HEAD". */
  readonly description: string;
}

/**
 * The changes inside `folder`, with paths relative to it. Throws ref_not_found, unsupported if git refuses to work, and
 * cancelled.
 */
export async function readDiff(folder: string, request: DiffRequest, signal?: AbortSignal): Promise<NamedDiff> {
  const { args, description } = await buildCommand(folder, request, signal);
  const reader = new DiffReader(MAX_FILES);
  const child = await spawnGit(folder, [args[0]!, ...OPTIONS, ...args.slice(1), '--', '.'], signal);
  let stderr = '';
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (piece: string) => {
      bytes += piece.length;
      reader.push(piece);
      if (bytes > MAX_BYTES) child.kill();
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (piece: string) => {
      if (stderr.length < 2_000) stderr += piece;
    });
    child.stdin.on('error', () => {});
    child.stdin.end();
    child.on('error', (error) => reject(signal?.aborted ? new EngineError('cancelled', {}, error) : error));
    child.on('close', (code) => {
      clearTimeout(timer);
      const reason = code === null ? ENDED : `git says: ${stderr.trim()}`;
      if (signal?.aborted) reject(new EngineError('cancelled'));
      else if (code !== 0 && bytes <= MAX_BYTES)
        reject(new EngineError('unsupported', { what: 'Reading a diff', reason }));
      else resolve();
    });
  });
  return { ...reader.finish(), description };
}

/** The files that git neither tracks nor ignores: they are changes of a work tree, too. */
export async function listUntracked(folder: string, signal?: AbortSignal): Promise<string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', '.'];
  const { code, stdout } = await runGit(folder, args, signal ? { signal } : {});
  return code === 0 ? stdout.toString('utf8').split('\0').filter(Boolean) : [];
}

export function newFile(path: string, lines: number): FileChange {
  return {
    path,
    oldPath: null,
    status: 'added',
    isBinary: false,
    added: lines > 0 ? [[1, lines]] : [],
    cuts: [],
    removed: [],
  };
}

async function buildCommand(
  folder: string,
  { diff, staged }: DiffRequest,
  signal?: AbortSignal,
): Promise<{ readonly args: readonly string[]; readonly description: string }> {
  const commitOf = (ref: string) => resolveRef(folder, ref, signal);
  if (diff === undefined) {
    const head = await commitOf('HEAD').catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'ref_not_found') return EMPTY_TREE;
      throw error;
    });
    return staged
      ? { args: ['diff-index', '--cached', head], description: 'what is staged, against HEAD' }
      : { args: ['diff-index', head], description: 'the work tree against HEAD' };
  }
  const range = /^(.*?)(\.{2,3})(.*)$/.exec(diff);
  if (range) {
    const [from, to] = [await commitOf(range[1] || 'HEAD'), await commitOf(range[3] || 'HEAD')];
    const merge = range[2] === '...' ? ['--merge-base'] : [];
    return { args: ['diff-tree', ...merge, from, to], description: diff };
  }
  if (diff.endsWith('^!')) {
    const commit = await commitOf(diff.slice(0, -2));
    const parent = await commitOf(`${commit}^1`).catch(() => EMPTY_TREE);
    return { args: ['diff-tree', parent, commit], description: `the commit ${commit.slice(0, 12)}` };
  }
  if (staged)
    return { args: ['diff-index', '--cached', await commitOf(diff)], description: `what is staged, against ${diff}` };
  return { args: ['diff-index', await commitOf(diff)], description: `the work tree against ${diff}` };
}
