/** The files of a walk and of a published tree, the reasons why files are skipped, and the flags of a path. */

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
  /** Details for people: the size, the rule that matched. */
  readonly detail?: string;
  /** Size and time of the file when its content was judged. While they stay the same, it is not read again. */
  readonly stamp?: string;
}

/** A kind of project that a caller may require: it has a file in the language, or the manifest. */
export interface ProjectKind {
  readonly language: string;
  readonly manifest: string;
  /** The reason of the error if the project has neither. */
  readonly missing: string;
}

/** The size and the time of a file, as text to compare. */
export function stampOf(file: { readonly size: number; readonly mtimeMs: number }): string {
  return `${file.size}:${file.mtimeMs}`;
}

const RACY_MS = 2_000;

/**
 * Whether a file's time is old enough to prove that the file did not change after the tree was made. Two writes within
 * one tick of the file system's clock have the same time.
 */
export function isSettled(
  atMs: number,
  tree: { readonly publishedAtMs: number; readonly durationMs: number },
): boolean {
  return atMs < tree.publishedAtMs - tree.durationMs - RACY_MS;
}

/**
 * The stamp of a file that could not be opened. Every run tries it again, since size and time do not change with it.
 */
export const DENIED = 'denied';

/** Whether the parser died of the file in the last run. Its content is unknown, and the next run tries it again. */
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
  /** The content has access tokens, which the index replaces by marks. */
  Redacted: 128,
} as const;

export interface WalkedFile {
  /** Relative to the root, with forward slashes, in the Unicode form of the disk. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The later of the times of the last write and of the last status change. Only the first can be set back. */
  readonly changedMs: number;
  /** The blob id from git's index if the file is unchanged; null if it has to be computed from the file. */
  readonly blobId: string | null;
  /** The FileFlag bits that follow from the path. */
  readonly flags: number;
}

export interface GitState {
  /** The real path of the common git directory, which all work trees of a repository share. */
  readonly commonDir: string;
  /** The real path of the work tree's root; null for a bare repository. */
  readonly workTree: string | null;
  /** The branch of HEAD; null if HEAD is detached or unborn. */
  readonly branch: string | null;
  /** The commit of HEAD; null if HEAD is unborn. */
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
