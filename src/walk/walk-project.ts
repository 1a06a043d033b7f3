/** The port of this room: what a caller passes to a walk, and what the walk returns. */
import type { GitState, SkippedFile, WalkedFile } from '../model/records/source-file.ts';

export interface WalkOptions {
  /** The folder to list, as a real path. */
  readonly root: string;
  readonly includeTests: boolean;
  readonly includeVendor: boolean;
  readonly includeGenerated: boolean;
  /**
   * Globs of the settings. A file that matches `exclude` is skipped ('excluded'); one that matches `include` is listed
   * even if it is generated or vendored.
   */
  readonly exclude: readonly string[];
  readonly include: readonly string[];
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal;
  /**
   * Takes git's blob ids of unchanged files without checking whether git converts line endings or runs filters, so an
   * id may differ from that of the bytes on disk. Halves the time of a walk; the caller has to read each file that
   * seems to differ.
   */
  readonly trustIds?: boolean;
  /**
   * The file that an earlier walk found at a path: while size and time are the same, so is the content. Null if the
   * file changed too shortly before that walk for its time to prove anything.
   */
  readonly known?: (path: string) => KnownFile | null;
  /**
   * An earlier walk of the folder by the same rules. If few files changed since, the walk looks at those only; the walk
   * of a ref reuses its verdicts. Called after git was started, so that loading it costs no time.
   */
  readonly earlier?: () => EarlierWalk | null;
}

export interface KnownFile {
  readonly blobId: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The output of `git ls-files` for a folder. A later walk compares it with a new one. */
export interface GitListingOutput {
  /** Standard output, byte for byte. */
  readonly listing: Buffer;
  /** Whatever else decides which files are listed: git's warnings, `.sextantignore` of the root, git's settings. */
  readonly context: string;
  /** git converts no contents here, so a file that git reports as unchanged has the bytes of its blob id. */
  readonly hasExactIds: boolean;
}

/** Identifies one published tree of a store. */
export interface TreeVersion {
  readonly generation: number;
  readonly publishedAtMs: number;
}

export interface EarlierWalk {
  /** The tree that was published from this walk. */
  readonly tree: TreeVersion;
  readonly gitListing: GitListingOutput;
  readonly files: readonly (KnownFile & { readonly path: string })[];
  readonly file: (path: string) => (KnownFile & Pick<WalkedFile, 'flags'>) | null;
  readonly skipped: readonly SkippedFile[];
}

export interface WalkResult {
  /** Sorted by path (UTF-16 order). */
  readonly files: readonly WalkedFile[];
  /**
   * Sorted by path. A folder that is skipped as a whole is one entry, whose path ends with a slash. Files that an
   * ignore file names have no entry.
   */
  readonly skipped: readonly SkippedFile[];
  readonly git: GitState | null;
  /** Null if git did not list the folder. */
  readonly gitListing: GitListingOutput | null;
  /**
   * Set if the walk looked only at the paths that changed since the walk of `tree`: `files` and `skipped` then hold
   * those paths only, and every other path is as in the tree.
   */
  readonly since?: { readonly tree: TreeVersion; readonly paths: ReadonlySet<string> };
}
