/**
 * Repositories that are queried by URL: a bare clone of one commit in the data folder, created and updated by
 * walk/git/git-mirror.ts, the one module that talks to remotes. A bare clone has no work tree, so nothing of it is
 * executed.
 */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../../model/records/engine-errors.ts';
import { nameOfUrl } from '../../model/records/repository-name.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { fetchMirror, remoteHead } from '../../walk/index.ts';

/** The remote is not contacted again within this time. */
const FETCH_INTERVAL_MS = 3_600_000;
/** Suffix of the marker file beside the clone; its modification time is that of the last fetch. */
const MARKER_SUFFIX = '.fetched';

export interface RemoteClone {
  /** The bare repository. */
  readonly root: string;
  readonly isFetched: boolean;
  /** Time of the last fetch, in milliseconds. */
  readonly fetchedAt: number;
  /** Why an existing clone could not be updated; null if it was, or did not have to be. */
  readonly failure: EngineError | null;
}

/** Throws invalid_input for a malformed URL, fetch_failed if there is no clone yet and the fetch fails. */
export async function openRemoteClone(home: string, url: string, signal?: AbortSignal): Promise<RemoteClone> {
  const root = join(home, 'clones', folderOf(url));
  const lastFetchMs = statSync(root + MARKER_SUFFIX, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isCloned = lastFetchMs > 0 && existsSync(root);
  if (isCloned && Date.now() - lastFetchMs < FETCH_INTERVAL_MS)
    return { root, isFetched: false, fetchedAt: lastFetchMs, failure: null };
  try {
    if (isCloned) await fetchClone(root, url, signal);
    else await makeClone(root, url, signal);
  } catch (error) {
    if (!isCloned || signal?.aborted || !(error instanceof EngineError)) throw error;
    return { root, isFetched: false, fetchedAt: lastFetchMs, failure: error };
  }
  const now = new Date();
  writeFileSync(root + MARKER_SUFFIX, '');
  utimesSync(root + MARKER_SUFFIX, now, now);
  return { root, isFetched: true, fetchedAt: now.getTime(), failure: null };
}

async function fetchClone(root: string, url: string, signal?: AbortSignal): Promise<void> {
  const { branch } = await remoteHead({ url }, null, signal);
  await fetchMirror(root, { url }, branch, signal);
}

/** Clones to a temporary path first, so that an interrupted clone is not taken for a whole one. */
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

/** The clone's folder: host and path of the URL, without credentials. */
function folderOf(url: string): string {
  const path = /^file:\/\/|^\//.exec(url);
  if (path) return join('local', `${basename(url).replace(/[^\w.-]/g, '_')}-${digest(Buffer.from(url)).slice(0, 8)}`);
  return join(...nameOfUrl(url).split('/'));
}
