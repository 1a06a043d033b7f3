/** Files as the walk sees them: which there are, which are left out and why, what a path alone tells about a file. */

/** Why a file is not in the index. A closed list: `status --skipped` groups by it. */
export type SkipReason =
  | 'secret'
  | 'binary'
  | 'too_large'
  | 'minified'
  | 'generated'
  | 'vendored'
  | 'link_outside_root'
  | 'link_cycle'
  | 'submodule'
  | 'unreadable'
  | 'invalid_name'
  | 'not_a_file'
  | 'unsupported'
  | 'excluded';

export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
  /** A few words more, where they help: the size, the rule that matched. */
  readonly detail?: string;
  /** Size and time of the file when its content was judged, so that it is not read again while they stay. */
  readonly stamp?: string;
}

/** A kind of project that a caller may require: it has a file in the language, or the manifest. */
export interface ProjectKind {
  readonly language: string;
  readonly manifest: string;
  /** The reason to give where there is neither. */
  readonly missing: string;
}

/** Size and time of a file, as a stamp. */
export function stampOf(file: { readonly size: number; readonly mtimeMs: number }): string {
  return `${file.size}:${file.mtimeMs}`;
}

const RACY_MS = 2_000;

/**
 * Two writes within one tick of the file system's clock look alike, and so do two of which the later one was given the
 * time of the first: a time so shortly before a tree was made says nothing about a file.
 */
export function isSettled(
  atMs: number,
  tree: { readonly publishedAtMs: number; readonly durationMs: number },
): boolean {
  return atMs < tree.publishedAtMs - tree.durationMs - RACY_MS;
}

/** Stamp of a file that could not be opened: neither size nor time tells when it can be, so every run tries. */
export const DENIED = 'denied';

/** Lost with its parser in the last run: its content is unknown, and the next run tries it again. */
export function isLost(skip: SkippedFile): boolean {
  return skip.reason === 'unreadable' && skip.stamp === undefined;
}

/** Bits of `FileEntry.flags`. */
export const FileFlag = {
  Test: 1,
  Vendored: 2,
  Generated: 4,
  Example: 8,
  Documentation: 16,
  Barrel: 32,
  Config: 64,
  /** The content holds access tokens, for which the index has marks. */
  Redacted: 128,
} as const;

export interface WalkedFile {
  /** Relative to the root, with forward slashes, NFC as on disk. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /**
   * When anything about it last changed, its name or its rights too: the time of the last write can be set back, this
   * one cannot.
   */
  readonly changedMs: number;
  /**
   * git blob id in hex when git's index already knows it and the file is clean; otherwise null and the reader computes
   * it.
   */
  readonly blobId: string | null;
  /** FileFlag bits that the path alone decides. */
  readonly flags: number;
}

export interface GitState {
  /** The common git directory (worktrees of one repository share it), real path. */
  readonly commonDir: string;
  /** Root of the work tree, real path; null for a bare repository. */
  readonly workTree: string | null;
  /** Branch name of HEAD, null when detached or unborn. */
  readonly branch: string | null;
  /** Commit id of HEAD, null when unborn. */
  readonly head: string | null;
}

/** A file of a published tree. */
export interface FileEntry {
  readonly path: string;
  readonly blobId: string;
  readonly language: string;
  readonly flags: number;
  readonly size: number;
  readonly lines: number;
  readonly mtimeMs: number;
}
