/**
 * Where derived contents and published snapshots can be had from beside the local store: another machine, by content
 * id. A port; the fleet implements it over OpenSearch. What is read is what deriving the same content here would give:
 * keys carry the extractor and the model by the source that answers.
 */
import type { FileEntry, SkippedFile } from '../model/records/source-file.ts';
import type { ContentBatch, ContentKey } from './store.ts';

/** A published ref of a repository: whole or absent. */
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
  /** Sorted by path. Every content that they name can be read. */
  readonly files: readonly FileEntry[];
  readonly skipped: readonly SkippedFile[];
}

/** The sizes of a content, for a plan that does not read it. */
export interface KnownContent extends ContentKey {
  readonly bytes: number;
  readonly lines: number;
}

export interface ContentSource {
  /** The keys whose derived data is there. */
  known(keys: readonly ContentKey[]): Promise<readonly KnownContent[]>;
  /** Derived data, a batch of a few contents at a time, in any order; keys that are not there are left out. */
  read(keys: readonly ContentKey[]): AsyncIterable<ContentBatch>;
  /** Writes what is not there yet, each content on its own; returns how many were new. */
  write(batch: ContentBatch): Promise<number>;
}

export interface SnapshotSource extends ContentSource {
  /** The published snapshot; null where there is none. */
  snapshot(repository: string, ref: string): Promise<Snapshot | null>;
}
