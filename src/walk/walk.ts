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
  /** Global git excludes file, where the caller knows one (git itself is asked otherwise). */
  readonly signal?: AbortSignal;
}

export interface WalkResult {
  /** Sorted by path (UTF-16 order). */
  readonly files: readonly WalkedFile[];
  readonly skipped: readonly SkippedFile[];
  readonly git: GitState | null;
}
