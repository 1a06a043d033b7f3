/** Lists the files of a run: all of a folder, only those that changed since the last run, or those of a ref. */
import type { OnProgress } from '../model/records/progress.ts';
import type { SkippedFile, WalkedFile } from '../model/records/source-file.ts';
import type { TreeView } from '../store/store.ts';
import { type RefWalk, walk, walkRef } from '../walk/index.ts';
import type { GitListingOutput, TreeVersion, WalkOptions, WalkResult } from '../walk/walk-project.ts';

/** A walk that the caller has started, of the folder or of the run's ref. */
export interface StartedWalk {
  readonly folder?: Promise<WalkResult>;
  readonly ref?: Promise<RefWalk>;
}

/** The options of a run that decide how to walk. */
export interface WalkRun {
  readonly root: string;
  readonly walk: Omit<WalkOptions, 'root' | 'signal'>;
  /** A walk with these options that the caller has started already. */
  readonly walked?: StartedWalk;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** The files of a run. */
export interface Listing {
  readonly files: readonly WalkedFile[];
  readonly skipped: readonly SkippedFile[];
  readonly branch: string | null;
  readonly commit: string | null;
  /** The contents are read from git's objects, not from disk. */
  readonly fromGit: boolean;
  /** If the walk looked only at these paths; all other files are as in the previous tree. Null after a whole walk. */
  readonly changed: ReadonlySet<string> | null;
  readonly gitListing: GitListingOutput | null;
}

export async function listFolder(run: WalkRun, previous: TreeView | null): Promise<Listing> {
  run.onProgress?.({ phase: 'walk', done: 0, total: 0, lines: 0, currentFile: null });
  const { earlier, ...all } = { ...run.walk, root: run.root, ...(run.signal ? { signal: run.signal } : {}) };
  let walked = await (run.walked?.folder ?? walk(previous && earlier ? { ...all, earlier } : all));
  // If another run has published meanwhile, the walk compared the folder with an outdated tree.
  if (walked.since && !(previous && isSameTree(walked.since.tree, previous.info))) walked = await walk(all);
  const { files, skipped, git, gitListing, since } = walked;
  const state = { branch: git?.branch ?? null, commit: git?.head ?? null };
  return { files, skipped, ...state, fromGit: false, changed: since?.paths ?? null, gitListing };
}

function isSameTree(a: TreeVersion, b: TreeVersion): boolean {
  return a.generation === b.generation && a.publishedAtMs === b.publishedAtMs;
}

export async function listTree(run: WalkRun, ref: string): Promise<Listing> {
  run.onProgress?.({ phase: 'walk', done: 0, total: 0, lines: 0, currentFile: null });
  const { files, skipped, commit } = await (run.walked?.ref ?? walkRef(run.root, ref, run.walk, run.signal));
  return { files, skipped, branch: ref, commit, fromGit: true, changed: null, gitListing: null };
}
