/** Bare mirrors of remote repositories, for indexing without a clone: one commit of one branch, without history. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../../model/records/engine-errors.ts';
import { withoutCredentials } from '../../../model/records/repository-name.ts';
import { type Limits, packEntries, type Remote, runRemote, splitCredentials } from './remote-git.ts';

export type { Remote } from './remote-git.ts';

export interface RemoteHead {
  readonly branch: string;
  readonly commit: string;
}

/** Protocols of an address. An address without one is a local path or an scp-like `user@host:path`. */
const PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'];
const MAX_MEMORY_BYTES = 2 ** 31;
const QUERY_LIMITS: Limits = { silenceMs: 60_000, totalMs: 120_000, maxBytes: 0, maxMemoryBytes: MAX_MEMORY_BYTES };
/** One commit of the largest public repositories takes two to five gigabytes. */
const FETCH_LIMITS: Limits = { ...QUERY_LIMITS, silenceMs: 300_000, totalMs: 2 * 3_600_000, maxBytes: 16 * 2 ** 30 };
/** Each fetch adds a pack, and only the newest commit is used: with more packs, the mirror is made anew. */
const MAX_PACKS = 30;

/**
 * The commit of a branch at the remote; without `ref`, of the branch that the remote's HEAD names. Throws
 * ref_not_found, and fetch_failed if the remote does not answer.
 */
export async function remoteHead(
  remote: Remote,
  ref: string | null,
  signal?: AbortSignal,
  limits: Limits = QUERY_LIMITS,
): Promise<RemoteHead> {
  checkRemote(remote);
  const wanted = ref === null ? ['HEAD'] : [`refs/heads/${checkedBranch(ref)}`];
  const { url } = splitCredentials(remote);
  const text = await runRemote(null, ['ls-remote', '--symref', '--', url, ...wanted], remote, limits, signal);
  const branch = ref ?? /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(text)?.[1];
  const commit = /^([0-9a-f]{40,64})\t/m.exec(text)?.[1];
  if (!branch || !commit) throw new EngineError('ref_not_found', { ref: ref ?? 'HEAD' });
  return { branch, commit };
}

/** Fetches the branch's newest commit into the mirror, creates the mirror if needed, and points its HEAD there. */
export async function fetchMirror(
  folder: string,
  remote: Remote,
  branch: string,
  signal?: AbortSignal,
  limits: Limits = FETCH_LIMITS,
): Promise<void> {
  checkRemote(remote);
  checkedBranch(branch);
  const packs = packEntries(folder).filter(({ name }) => name.endsWith('.pack'));
  if (packs.length > MAX_PACKS) rmSync(folder, { recursive: true });
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    await runRemote(folder, ['init', '--quiet', '--bare', '--template=', folder], remote, QUERY_LIMITS, signal);
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
    removePartialPacks(folder);
    throw error;
  }
  await runRemote(folder, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], remote, QUERY_LIMITS, signal);
}

/** Deletes the partial packs that a killed git leaves behind. */
function removePartialPacks(folder: string): void {
  const packs = join(folder, 'objects', 'pack');
  for (const { name } of packEntries(folder)) if (name.startsWith('tmp_')) rmSync(join(packs, name), { force: true });
}

function checkRemote({ url }: Remote): void {
  const protocol = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  const isKnown = protocol === undefined ? /^(?:\/|[\w.-]+@[\w.-]+:)/.test(url) : PROTOCOLS.includes(protocol);
  // "NAME::ADDRESS" would start a remote helper, and git takes a leading dash for an option.
  if (isKnown && !/^[\w-]*::/.test(url) && !/[\0-\x20\x7f]/.test(url)) return;
  const shown = JSON.stringify(withoutCredentials(url.replace(/\s/g, '%20')));
  const fix = 'pass an https, ssh, git or file address, or an absolute path.';
  throw new EngineError('invalid_input', { reason: `${shown} is no address of a repository: ${fix}` });
}

function checkedBranch(branch: string): string {
  if (/^[\w][\w./+@-]*$/.test(branch) && !branch.includes('..') && !branch.endsWith('.lock')) return branch;
  throw new EngineError('ref_not_found', { ref: branch });
}
