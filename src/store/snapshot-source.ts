/**
 * Published snapshots of other machines, and the port to their derived contents, which the fleet implements over
 * OpenSearch. A source holds contents of one extractor version and one model, so reading a content gives the same data
 * as deriving it here.
 */
import type { FileEntry, SkippedFile } from '../model/records/source-file.ts';
import type { ContentBatch, ContentKey } from './store.ts';

/** A published ref of a repository. */
export interface Snapshot {
  readonly ref: string;
  readonly branch: string | null;
  readonly commit: string;
  /** Grows with every publication of this ref. */
  readonly generation: number;
  readonly publishedAtMs: number;
  readonly durationMs: number;
  readonly modelId: string;
  readonly options: Readonly<Record<string, boolean | string>>;
  /** Sorted by path. The contents of all files can be read. */
  readonly files: readonly FileEntry[];
  readonly skipped: readonly SkippedFile[];
}

/** The size of a content, so that a run can be planned without reading the content. */
export interface KnownContent extends ContentKey {
  readonly bytes: number;
  readonly lines: number;
}

export interface ContentSource {
  /** The contents that the source has, of those requested. */
  known(keys: readonly ContentKey[]): Promise<readonly KnownContent[]>;
  /** Yields derived data in batches of a few contents, in any order. Leaves out contents that the source lacks. */
  read(keys: readonly ContentKey[]): AsyncIterable<ContentBatch>;
  /** Writes the contents that the source lacks, one at a time; returns how many were new. */
  write(batch: ContentBatch): Promise<number>;
}
