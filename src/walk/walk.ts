/** The walk port: which files a project has. Implemented in this room; imported by the indexing ring. */
import type { GitState, SkippedFile, WalkedFile } from '../model/source-file.ts';

export interface WalkOptions {
  /** Folder to list, real path. */
  readonly root: string;
  readonly includeTests: boolean;
  readonly includeVendor: boolean;
  readonly includeGenerated: boolean;
  /** Extra globs from the configuration: files matching `exclude` are skipped ('excluded'); `include` keeps what generated/vendored rules would skip. */
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal;
  /**
   * Git's ids of unchanged files are taken as they are, though line endings or filters may make the bytes on disk others: half the time,
   * for who compares and looks again where something differs.
   */
  readonly trustIds?: boolean;
  /** What an earlier walk found at a path: a file that still has that size and time still has that content. Null where its time would not tell. */
  readonly known?: (path: string) => KnownFile | null;
}

export interface KnownFile {
  readonly blobId: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface WalkResult {
  /** Sorted by path (UTF-16 order). */
  readonly files: readonly WalkedFile[];
  /** Sorted by path. A folder that is left out whole is one entry, with a slash at the end of its path. Ignored files have none. */
  readonly skipped: readonly SkippedFile[];
  readonly git: GitState | null;
}
