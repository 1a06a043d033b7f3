/**
 * Repositories that are asked by their address: a bare clone of one commit in the data folder, made and brought up to
 * date by the one git that speaks to remotes (walk/git/git-mirror.ts). It has no work tree: nothing of it is executed.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { nameOfUrl } from '../../model/records/repository-name.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { fetchMirror, remoteHead } from '../../walk/index.ts';

/** A question soon after another does not ask the remote again. */
const FRESH_MS = 3_600_000;
/** Beside the clone: its time is that of the last fetch. */
const MARK = '.fetched';

export interface RemoteClone {
  /** The bare repository. */
  readonly root: string;
  readonly isFetched: boolean;
  /** When the remote was asked last, in milliseconds. */
  readonly fetchedAt: number;
  /** Why an older clone could not be brought up to date. */
  readonly failure: EngineError | null;
}

/** Throws invalid_input for what is no address, fetch_failed where there is no clone yet and the remote gives none. */
export async function openRemoteClone(home: string, url: string, signal?: AbortSignal): Promise<RemoteClone> {
  const root = join(home, 'clones', folderOf(url));
  const known = statSync(root + MARK, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isThere = known > 0 && existsSync(root);
  if (isThere && Date.now() - known < FRESH_MS) return { root, isFetched: false, fetchedAt: known, failure: null };
  try {
    if (isThere) await bringUpToDate(root, url, signal);
    else await makeClone(root, url, signal);
  } catch (error) {
    if (!isThere || signal?.aborted || !(error instanceof EngineError)) throw error;
    return { root, isFetched: false, fetchedAt: known, failure: error };
  }
  const now = new Date();
  writeFileSync(root + MARK, '');
  utimesSync(root + MARK, now, now);
  return { root, isFetched: true, fetchedAt: now.getTime(), failure: null };
}

async function bringUpToDate(root: string, url: string, signal?: AbortSignal): Promise<void> {
  const { branch } = await remoteHead({ url }, null, signal);
  await fetchMirror(root, { url }, branch, signal);
}

/** Made beside its place: a clone that was broken off is none. */
async function makeClone(root: string, url: string, signal?: AbortSignal): Promise<void> {
  const { branch } = await remoteHead({ url }, null, signal);
  const unfinished = `${root}.${process.pid}.part`;
  mkdirSync(dirname(root), { recursive: true });
  try {
    await fetchMirror(unfinished, { url }, branch, signal);
    rmSync(root, { recursive: true, force: true });
    renameSync(unfinished, root);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The address as people write it, without credentials. */
function folderOf(url: string): string {
  const path = /^file:\/\/|^\//.exec(url);
  if (path) return join('local', `${basename(url).replace(/[^\w.-]/g, '_')}-${digest(Buffer.from(url)).slice(0, 8)}`);
  return join(...nameOfUrl(url).split('/'));
}
