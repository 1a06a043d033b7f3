/** Any ref from git's objects, without a checkout. */

import { join } from 'node:path';
import { EngineError, ErrorWithFix } from '../../model/records/engine-errors.ts';
import { realOrNull, textOf } from './git-place.ts';
import { type GitOutcome, runGit, spawnGit } from './git-process.ts';
import { placeOf, plainBranchCommit, readGitState } from './git-state.ts';

/** Of a listing with sizes, which git looks up one by one: a million files, up to a minute of git's time. */
const MAX_LISTING = 128 << 20;

export interface RefFile {
  readonly path: string;
  readonly blobId: string;
  readonly size: number;
  /** '100644', '100755', '120000' (link), '160000' (submodule; size 0). */
  readonly mode: string;
}

export interface RefListing {
  readonly commit: string;
  /** Sorted by path (UTF-16 order); paths relative to the folder asked for. Names that are not UTF-8 are left out. */
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
  // Every process less counts: with few changes, starting git is most of what another branch costs.
  const commit = plainBranchCommit(git, ref) ?? (await resolveRef(folder, ref, signal));
  const tree = await runGit(folder, ['ls-tree', '-r', '-z', '-l', commit], { ...options, maxAnswerBytes: MAX_LISTING });
  if (tree.code !== 0) throw (isPartial(git) && lacksObjects(folder)) || refused(tree, refusalIn(tree.stderr));
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
  files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { commit, files, invalidNames };
}

/** Sextant fetches nothing: whom git would ask, and how, is set up by the repository. */
function lacksObjects(folder: string): EngineError {
  return new ErrorWithFix(
    'unsupported',
    { what: 'Reading a ref', reason: 'this clone is partial and lacks files of the ref.' },
    `Run \`git -C ${folder} fetch --refetch --no-filter\`, then try again.`,
  );
}

/** Whether contents may be missing until git fetches them from a remote. */
function isPartial({ commonDir }: { readonly commonDir: string }): boolean {
  return /^[ \t]*(?:promisor|partialclone)[ \t]*=/im.test(textOf(join(commonDir, 'config')) ?? '');
}

function refused({ code, fix, timedOut, stderr, tooLarge }: GitOutcome, words: string): EngineError {
  const said = code === -1 ? 'git is not installed' : `git says: ${words}`;
  const reason = timedOut ? stderr : tooLarge ? 'it names more files than can be listed.' : said;
  const data = { what: 'Reading a ref', reason };
  return fix === undefined ? new EngineError('unsupported', data) : new ErrorWithFix('unsupported', data, fix);
}

/** git's last line of error names what it could not do; earlier lines say why. */
function refusalIn(stderr: string): string {
  const reasons = stderr.split('\n').flatMap((line) => /^(?:fatal|error): (.+)$/.exec(line)?.[1] ?? []);
  return reasons.length > 0 ? [...new Set(reasons)].join('; ') : stderr.trim();
}

/**
 * Commit id of a branch, tag or (abbreviated) commit. Throws ref_not_found, and unsupported where git refuses to work.
 */
export async function resolveRef(folder: string, ref: string, signal?: AbortSignal): Promise<string> {
  const missing = () => new EngineError('ref_not_found', { ref });
  // An option in disguise, or nothing at all.
  if (ref === '' || ref.startsWith('-') || /[\0-\x20\x7f]/.test(ref)) throw missing();
  const outcome = await runGit(
    folder,
    ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`],
    signal ? { signal } : {},
  );
  const commit = outcome.stdout.toString('latin1').trim();
  if (outcome.code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  if (outcome.code === -1 || outcome.fix !== undefined) throw refused(outcome, refusalIn(outcome.stderr));
  // Git says nothing of a ref that is not there; what it says otherwise is about itself or the repository.
  const refusal = /^fatal: (.*(?:ownership|not a git repository|permission denied|unable to read).*)$/im.exec(
    outcome.stderr,
  );
  if (refusal) throw refused(outcome, refusal[1]!);
  throw missing();
}

/**
 * Contents by id, in the order asked for, through one process. An id that the repository does not have is left out: its
 * caller sees that it did not come.
 */
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
  const writing = feed(child.stdin, ids);
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

async function feed(
  stdin: NodeJS.WritableStream & { readonly destroyed?: boolean },
  ids: Iterable<string>,
): Promise<void> {
  let block = '';
  for (const id of ids) {
    block += `${id}\n`;
    if (block.length < 16_384) continue;
    if (!(await put(stdin, block))) return;
    block = '';
  }
  await put(stdin, block);
  stdin.end();
}

/** False when git is gone. */
function put(stdin: NodeJS.WritableStream, block: string): Promise<boolean> {
  return new Promise((resolve) => stdin.write(block, (error) => resolve(!error)));
}
