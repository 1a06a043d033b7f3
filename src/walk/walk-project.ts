/** The walk port: which files a project has. Implemented in this room; imported by the indexing ring. */
import type { GitState, SkippedFile, WalkedFile } from '../model/records/source-file.ts';

export interface WalkOptions {
  /** Folder to list, real path. */
  readonly root: string;
  readonly includeTests: boolean;
  readonly includeVendor: boolean;
  readonly includeGenerated: boolean;
  /**
   * Extra globs from the configuration: files matching `exclude` are skipped ('excluded'); `include` keeps what
   * generated/vendored rules would skip.
   */
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal;
  /**
   * Git's ids of unchanged files are taken as they are, though line endings or filters may make the bytes on disk
   * others: half the time, for who compares and looks again where something differs.
   */
  readonly trustIds?: boolean;
  /**
   * What an earlier walk found at a path: a file that still has that size and time still has that content. Null where
   * its time would not tell.
   */
  readonly known?: (path: string) => KnownFile | null;
  /**
   * An earlier walk of the folder by the same rules: where little has changed since, only that is looked at; a ref's
   * files that it has need not be judged again. Asked for once git is under way.
   */
  readonly earlier?: () => EarlierWalk | null;
}

export interface KnownFile {
  readonly blobId: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Git's listing of a folder, to be compared with a later one. */
export interface GitWords {
  /** The listing that git printed, byte for byte. */
  readonly listing: Buffer;
  /** Git's warnings, and our own ignore rules in the root: they decide with the listing. */
  readonly beside: string;
  /** git stores all contents as they are on disk, so a file that it calls unchanged has the same bytes. */
  readonly exact: boolean;
}

/** Tells one published tree from another. */
export interface TreeMark {
  readonly generation: number;
  readonly publishedAtMs: number;
}

export interface EarlierWalk {
  /** The tree that was made of it. */
  readonly of: TreeMark;
  readonly words: GitWords;
  readonly files: readonly (KnownFile & { readonly path: string })[];
  readonly file: (path: string) => (KnownFile & Pick<WalkedFile, 'flags'>) | null;
  readonly skipped: readonly SkippedFile[];
}

export interface WalkResult {
  /** Sorted by path (UTF-16 order). */
  readonly files: readonly WalkedFile[];
  /**
   * Sorted by path. A folder that is left out whole is one entry, with a slash at the end of its path. Ignored files
   * have none.
   */
  readonly skipped: readonly SkippedFile[];
  readonly git: GitState | null;
  /** Null where git did not list the folder. */
  readonly words: GitWords | null;
  /**
   * Where only the difference to an earlier walk was looked at: files and skipped are those among its paths, all others
   * are as they were.
   */
  readonly since?: { readonly of: TreeMark; readonly paths: ReadonlySet<string> };
}
