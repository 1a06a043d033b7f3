/**
 * Syncs one repository from its remote to a published snapshot: compares, fetches, lists, derives new contents,
 * publishes.
 */
import { join } from 'node:path';
import { deriveFiles, type KnownTree, listTree, type Outcome, type WorkerPool } from '../../indexing/index.ts';
import { detectLanguage, isAmbiguous, PLAIN_TEXT } from '../../languages/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { SkippedFile } from '../../model/records/source-file.ts';
import type { ContentSource, Snapshot } from '../../store/snapshot-source.ts';
import { fetchMirror, type Remote, remoteHead } from '../../walk/index.ts';
import type { RepositoryLease } from '../catalogue/leases.ts';
import type { Repositories, RepositoryRecord } from '../catalogue/repositories.ts';
import type { NumberedRepository, SearchedFiles } from '../search/searched-files.ts';
import { DOCUMENTS_FORMAT, type PublishedSnapshots, type SnapshotHead } from '../snapshots/published-snapshots.ts';
import { ContentUploads } from './content-uploads.ts';
import type { Derivation } from './derivation.ts';
import { type GitToken, tokenFor } from './git-token.ts';

export interface SyncParts {
  readonly repositories: Repositories;
  readonly snapshots: PublishedSnapshots;
  readonly contents: ContentSource;
  readonly searched: SearchedFiles;
  readonly derivation: Derivation;
  readonly pool: WorkerPool;
  /** Folder of this worker's bare mirrors. */
  readonly mirrors: string;
  readonly gitToken?: GitToken;
}

export interface SyncReport {
  readonly name: string;
  readonly branch: string;
  readonly commit: string;
  /** False if the published snapshot is of this commit already. */
  readonly isNew: boolean;
  readonly files: number;
  /** Number of files parsed here; `created` counts contents that were new to the fleet. */
  readonly derived: number;
  readonly created: number;
  readonly durationMs: number;
}

/**
 * Throws git's errors, and index_in_progress if the lease was lost: written documents stay, and the next worker finds
 * them.
 */
export async function syncRepository(
  parts: SyncParts,
  repository: RepositoryRecord,
  lease: RepositoryLease,
  signal?: AbortSignal,
): Promise<SyncReport> {
  const started = Date.now();
  const { name } = repository;
  const numbered = { name, number: await parts.repositories.numberOf(name) };
  const token = parts.gitToken && tokenFor(repository.url, parts.gitToken);
  const remote: Remote = { url: repository.url, ...(token === undefined ? {} : { token }) };
  const { branch, commit } = await remoteHead(remote, repository.ref, signal);
  const published = await parts.snapshots.head(name, branch);
  const previous = published ? await parts.snapshots.read(name, branch) : null;
  const { extractor } = parts.derivation;
  const report = (isNew: boolean, files: number, derived: number, created: number): SyncReport => {
    return { name, branch, commit, isNew, files, derived, created, durationMs: Date.now() - started };
  };
  const isWhole = previous?.options.extractor === extractor && published?.documents === DOCUMENTS_FORMAT;
  if (isWhole && previous.commit === commit) {
    const { searched, contents } = parts;
    if (!(await searched.hasExpectedCounts(name, previous.files.length))) {
      await searched.add(numbered, previous.files, extractor, contents);
      await searched.keepOnly(numbered, previous.files, extractor);
    }
    return report(false, previous.files.length, 0, 0);
  }
  const mirror = join(parts.mirrors, encodeURIComponent(name));
  await fetchMirror(mirror, remote, branch, signal);
  await lease.extend();
  const same = previous?.options.extractor === extractor ? previous : null;
  const { outcome, created, head } = await deriveAndPublish(
    parts,
    { ...numbered, mirror, branch },
    same,
    published,
    started,
    signal,
  );
  return report(true, head.summary.files, outcome.made.length, created);
}

interface Place extends NumberedRepository {
  readonly mirror: string;
  readonly branch: string;
}

async function deriveAndPublish(
  { snapshots, contents, searched, derivation, pool }: SyncParts,
  { name, number, mirror, branch }: Place,
  previous: Snapshot | null,
  published: SnapshotHead | null,
  started: number,
  signal: AbortSignal | undefined,
): Promise<{ outcome: Outcome; created: number; head: SnapshotHead }> {
  const run = { root: mirror, walk: derivation.walk, setup: derivation.setup, pool, ...(signal ? { signal } : {}) };
  const listing = await listTree(run, branch);
  // The language of an ambiguous file depends on its content: such a file is derived, and its content is found to exist
  // when it is written.
  const keys = listing.files
    .filter(({ path }) => !isAmbiguous(path))
    .map(({ path, blobId }) => ({ blobId: blobId!, language: detectLanguage(path)?.id ?? PLAIN_TEXT }));
  const uploads = new ContentUploads(contents, await contents.known(unknownIn(previous, keys)));
  const trees = { previous: previous && knownTree(previous), neighbour: null };
  const outcome = await deriveFiles(run, uploads, listing, trees, () => undefined);
  await uploads.finish();
  const files = [...outcome.kept, ...outcome.made].sort(byPath);
  const skipped = [...listing.skipped, ...outcome.skipped].sort(byPath);
  if (files.length === 0)
    throw new EngineError('no_project', { path: name, reason: 'no source or text file was found there' });
  const draft = {
    ref: branch,
    branch,
    commit: listing.commit!,
    durationMs: Date.now() - started,
    modelId: derivation.modelId,
    options: derivation.options,
    files,
    skipped,
  };
  const numbered = { name, number };
  await searched.add(numbered, files, derivation.extractor, contents);
  const head = await snapshots.publish(name, draft, published?.generation ?? 0);
  await searched.keepOnly(numbered, files, derivation.extractor);
  return { outcome, created: uploads.created, head };
}

/** Contents of the previous snapshot exist: it could not have been published otherwise. */
function unknownIn(
  previous: Snapshot | null,
  keys: readonly { readonly blobId: string; readonly language: string }[],
): { readonly blobId: string; readonly language: string }[] {
  const known = new Set(previous?.files.map(({ blobId, language }) => `${blobId} ${language}`));
  const open = new Map(keys.map((key) => [`${key.blobId} ${key.language}`, key]));
  return [...open].flatMap(([key, value]) => (known.has(key) ? [] : [value]));
}

function knownTree(snapshot: Snapshot): KnownTree {
  const indexOf = new Map(snapshot.files.map(({ path }, i) => [path, i]));
  return {
    files: snapshot.files,
    info: snapshot,
    indexOfPath: (path) => indexOf.get(path) ?? -1,
    skipped: (): readonly SkippedFile[] => snapshot.skipped,
  };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
