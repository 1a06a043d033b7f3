/**
 * Bare mirrors of remote repositories, for those who index what they have no clone of: one commit of one branch,
 * without its history.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { withoutCredentials } from '../../model/records/repository-name.ts';
import { type Limits, packEntries, type Remote, runRemote, splitCredentials } from './remote-git.ts';

export type { Remote } from './remote-git.ts';

export interface RemoteHead {
  readonly branch: string;
  readonly commit: string;
}

/** A local path is one that an operator typed; others are fetched over these. */
const PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];
const MAX_MEMORY_BYTES = 2 ** 31;
const ASKING: Limits = { silenceMs: 60_000, totalMs: 120_000, maxBytes: 0, maxMemoryBytes: MAX_MEMORY_BYTES };
/** One commit of the largest public repositories takes two to five gigabytes. */
const FETCHING: Limits = { ...ASKING, silenceMs: 300_000, totalMs: 2 * 3_600_000, maxBytes: 16 * 2 ** 30 };
/** Each fetch leaves one, of which only the last commit's files are asked for: past that, begin anew. */
const MAX_PACKS = 30;

/**
 * Where a branch stands at the remote; without one, the branch that its HEAD names. Throws ref_not_found, and
 * fetch_failed where it does not answer.
 */
export async function remoteHead(
  remote: Remote,
  ref: string | null,
  signal?: AbortSignal,
  limits: Limits = ASKING,
): Promise<RemoteHead> {
  checkRemote(remote);
  const wanted = ref === null ? ['HEAD'] : [`refs/heads/${checkedBranch(ref)}`];
  const { url } = splitCredentials(remote);
  const text = await runRemote(null, ['ls-remote', '--symref', '--', url, ...wanted], remote, limits, signal);
  const named = ref ?? /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(text)?.[1];
  const commit = /^([0-9a-f]{40,64})\t/m.exec(text)?.[1];
  if (!named || !commit) throw new EngineError('ref_not_found', { ref: ref ?? 'HEAD' });
  return { branch: named, commit };
}

/** Brings the branch's newest commit into the mirror, which is made when it is missing. Its HEAD names that branch. */
export async function fetchMirror(
  folder: string,
  remote: Remote,
  branch: string,
  signal?: AbortSignal,
  limits: Limits = FETCHING,
): Promise<void> {
  checkRemote(remote);
  checkedBranch(branch);
  const packs = packEntries(folder).filter(({ name }) => name.endsWith('.pack'));
  if (packs.length > MAX_PACKS) rmSync(folder, { recursive: true });
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    await runRemote(folder, ['init', '--quiet', '--bare', '--template=', folder], remote, ASKING, signal);
  }
  const spec = `+refs/heads/${branch}:refs/heads/${branch}`;
  const quiet = [
    '--progress',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
  ];
  const { url } = splitCredentials(remote);
  try {
    await runRemote(folder, ['fetch', ...quiet, '--depth=1', '--force', '--', url, spec], remote, limits, signal);
  } catch (error) {
    removeUnfinished(folder);
    throw error;
  }
  await runRemote(folder, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], remote, ASKING, signal);
}

/** A git that is killed leaves behind what it had received. */
function removeUnfinished(folder: string): void {
  const packs = join(folder, 'objects', 'pack');
  for (const { name } of packEntries(folder)) if (name.startsWith('tmp_')) rmSync(join(packs, name), { force: true });
}

function checkRemote({ url }: Remote): void {
  const protocol = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  const isKnown = protocol === undefined ? /^(?:\/|[\w.-]+@[\w.-]+:)/.test(url) : PROTOCOLS.includes(protocol);
  // A remote helper is named by "NAME::ADDRESS"; a leading dash would be an option.
  if (isKnown && !/^[\w-]*::/.test(url) && !/[\0-\x20\x7f]/.test(url)) return;
  const shown = JSON.stringify(withoutCredentials(url.replace(/\s/g, '%20')));
  const fix = 'pass an https, ssh, git or file address, or an absolute path.';
  throw new EngineError('invalid_input', { reason: `${shown} is no address of a repository: ${fix}` });
}

function checkedBranch(branch: string): string {
  if (/^[\w][\w./+@-]*$/.test(branch) && !branch.includes('..') && !branch.endsWith('.lock')) return branch;
  throw new EngineError('ref_not_found', { ref: branch });
}
