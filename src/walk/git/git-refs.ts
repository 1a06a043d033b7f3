/** Reads a ref, its files and their contents from git's objects, without a checkout. */

import { join } from 'node:path';
import { EngineError, ErrorWithFix } from '../../model/records/engine-errors.ts';
import { compareText } from '../../model/text/path-text.ts';
import { readGitFile, realOrNull } from './git-place.ts';
import { placeOf, plainBranchCommit, readGitState } from './git-state.ts';
import { type GitOutcome, runGit, spawnGit } from './process/git-process.ts';

/** Output of `git ls-tree -l`: about a million files, for whose sizes git needs up to a minute. */
const MAX_LISTING_BYTES = 128 << 20;

export interface RefFile {
  readonly path: string;
  readonly blobId: string;
  readonly size: number;
  /** '100644', '100755', '120000' (link), '160000' (submodule; size 0). */
  readonly mode: string;
}

export interface RefListing {
  readonly commit: string;
  /** Sorted by path (UTF-16 order), relative to the requested folder. Names that are not UTF-8 are left out. */
  readonly files: readonly RefFile[];
  readonly invalidNames: readonly string[];
}

/**
 * Throws not_a_repository, ref_not_found, cancelled. `folder` is a work tree, a folder inside one, or a bare
 * repository.
 */
export async function listRef(folder: string, ref: string, signal?: AbortSignal): Promise<RefListing> {
  const options = signal ? { signal } : {};
  const git = await readGitState(folder, signal);
  if (git === null) throw new EngineError('not_a_repository', { path: folder });
  // If few files differ, starting git takes most of the time of indexing another branch, so spare a process.
  const commit = plainBranchCommit(git, ref) ?? (await resolveRef(folder, ref, signal));
  const tree = await runGit(folder, ['ls-tree', '-r', '-z', '-l', commit], {
    ...options,
    maxAnswerBytes: MAX_LISTING_BYTES,
  });
  if (tree.code !== 0) throw (isPartial(git) && missingObjects(folder)) || refused(tree, errorIn(tree.stderr));
  const files: RefFile[] = [];
  const invalidNames: string[] = [];
  for (const record of tree.stdout.toString('utf8').split('\0')) {
    const tab = record.indexOf('\t');
    if (tab < 0) continue;
    const [mode, , blobId, size] = record.slice(0, tab).split(/ +/);
    const path = record.slice(tab + 1);
    if (path.includes('\ufffd')) invalidNames.push(path);
    else files.push({ path, blobId: blobId!, size: Number(size) || 0, mode: mode! });
  }
  files.sort((a, b) => compareText(a.path, b.path));
  return { commit, files, invalidNames };
}

/**
 * Sextant does not fetch the missing objects: the repository's configuration decides which host git would contact, and
 * by which program.
 */
function missingObjects(folder: string): EngineError {
  return new ErrorWithFix(
    'unsupported',
    { what: 'Reading a ref', reason: 'this clone is partial and lacks files of the ref.' },
    `Run \`git -C ${folder} fetch --refetch --no-filter\`, then try again.`,
  );
}

/** Whether the repository is a partial clone, whose missing contents git fetches on demand. */
function isPartial({ commonDir }: { readonly commonDir: string }): boolean {
  return /^[ \t]*(?:promisor|partialclone)[ \t]*=/im.test(readGitFile(join(commonDir, 'config')) ?? '');
}

function refused({ code, fix, timedOut, stderr, tooLarge }: GitOutcome, message: string): EngineError {
  const failure = code === -1 ? 'git is not installed' : `git says: ${message}`;
  const reason = timedOut ? stderr : tooLarge ? 'it names more files than can be listed.' : failure;
  const data = { what: 'Reading a ref', reason };
  return fix === undefined ? new EngineError('unsupported', data) : new ErrorWithFix('unsupported', data, fix);
}

/** git's error messages in one line: the last one names what it could not do, the earlier ones say why. */
function errorIn(stderr: string): string {
  const reasons = stderr.split('\n').flatMap((line) => /^(?:fatal|error): (.+)$/.exec(line)?.[1] ?? []);
  return reasons.length > 0 ? [...new Set(reasons)].join('; ') : stderr.trim();
}

/**
 * The commit id of a branch, tag or (abbreviated) commit. Throws ref_not_found, and unsupported if git refuses to work.
 */
export async function resolveRef(folder: string, ref: string, signal?: AbortSignal): Promise<string> {
  const missing = () => new EngineError('ref_not_found', { ref });
  // git would take a leading dash for an option.
  if (ref === '' || ref.startsWith('-') || /[\0-\x20\x7f]/.test(ref)) throw missing();
  const outcome = await runGit(
    folder,
    ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`],
    signal ? { signal } : {},
  );
  const commit = outcome.stdout.toString('latin1').trim();
  if (outcome.code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  if (outcome.code === -1 || outcome.fix !== undefined) throw refused(outcome, errorIn(outcome.stderr));
  // With --quiet, git prints nothing about a missing ref; these messages are about the repository.
  const refusal = /^fatal: (.*(?:ownership|not a git repository|permission denied|unable to read).*)$/im.exec(
    outcome.stderr,
  );
  if (refusal) throw refused(outcome, refusal[1]!);
  throw missing();
}

/** Reads blobs through one process, in the order of `ids`. Leaves out ids that the repository does not have. */
export async function* readBlobs(
  folder: string,
  ids: Iterable<string>,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly id: string; readonly bytes: Uint8Array }> {
  await placeOf(realOrNull(folder) ?? folder, signal);
  const child = await spawnGit(folder, ['cat-file', '--batch', '--buffer'], signal);
  let failure: Error | null = null;
  child.on('error', (error) => {
    failure = error;
  });
  child.stdin.on('error', () => {});
  child.stderr.resume();
  const writing = writeIds(child.stdin, ids);
  try {
    let held: Buffer = Buffer.alloc(0);
    let wanted: { id: string; size: number } | null = null;
    let pieces: Buffer[] = [];
    let heldBytes = 0;
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      pieces.push(piece);
      heldBytes += piece.length;
      if (wanted !== null && heldBytes <= wanted.size) continue;
      held = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      for (;;) {
        if (wanted === null) {
          const end = held.indexOf(10);
          if (end < 0) break;
          const [id, type, size] = held.toString('latin1', 0, end).split(' ');
          held = held.subarray(end + 1);
          if (type === 'missing') continue;
          wanted = { id: id!, size: Number(size) };
        }
        if (held.length <= wanted.size) break;
        yield { id: wanted.id, bytes: held.subarray(0, wanted.size) };
        held = held.subarray(wanted.size + 1);
        wanted = null;
      }
      pieces = [held];
      heldBytes = held.length;
    }
    if (signal?.aborted) throw new EngineError('cancelled');
    if (failure)
      throw new EngineError('unsupported', { what: 'Reading a ref', reason: 'git is not installed' }, failure);
  } catch (error) {
    throw signal?.aborted ? new EngineError('cancelled', {}, error) : error;
  } finally {
    child.kill();
    await writing;
  }
}

async function writeIds(
  stdin: NodeJS.WritableStream & { readonly destroyed?: boolean },
  ids: Iterable<string>,
): Promise<void> {
  let block = '';
  for (const id of ids) {
    block += `${id}\n`;
    if (block.length < 16_384) continue;
    if (!(await write(stdin, block))) return;
    block = '';
  }
  await write(stdin, block);
  stdin.end();
}

/** False if git has ended. */
function write(stdin: NodeJS.WritableStream, block: string): Promise<boolean> {
  return new Promise((resolve) => stdin.write(block, (error) => resolve(!error)));
}
