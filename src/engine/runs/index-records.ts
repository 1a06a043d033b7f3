/** The records of indexing: requests, and reports about runs, states and maintenance of an index. */
import type { RunCounts } from '../../indexing/index.ts';
import type { ChunkType } from '../../model/records/chunk.ts';
import type { IndexProgress, OnProgress } from '../../model/records/progress.ts';
import type { FileCounts } from '../../model/records/query.ts';
import type { ProjectKind } from '../../model/records/source-file.ts';
import type { ContentSource } from '../../store/snapshot-source.ts';
import type { JobRecord } from '../../store/store.ts';
import type { ProjectInfo } from '../project-records.ts';

export interface IndexOptions {
  readonly force?: boolean;
  /**
   * Treats a folder inside an indexed project as that project, as questions do; without it, every folder is a project
   * of its own.
   */
  readonly enclosing?: boolean;
  readonly ref?: string;
  /** Keeps the checked-out branch addressable by its name after another one is checked out. */
  readonly keepBranch?: boolean;
  readonly includeTests?: boolean;
  readonly includeVendor?: boolean;
  /** Throws no_project if the folder has neither a source file nor a manifest. */
  readonly requireSource?: boolean;
  /** Throws no_project if no file is of this kind. */
  readonly requireProject?: ProjectKind;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
  /** Returns a source of derived blobs for an extractor version, so that they need not be derived here. */
  readonly headStart?: (extractor: string) => Pick<ContentSource, 'read'>;
}

/** The report of a run: what it did, and the size of the index after it. */
export interface IndexReport extends RunCounts {
  readonly project: ProjectInfo;
  readonly ref: string;
  readonly filesTotal: number;
  readonly filesFailed: number;
  /** The files among `filesIndexed` that have syntax errors; the readable parts of them are indexed. */
  readonly filesBroken: number;
  readonly symbolCount: number;
  readonly chunkCount: number;
  readonly vectorCount: number;
  readonly indexBytes: number;
  readonly problems: readonly { readonly path: string; readonly line: number; readonly message: string }[];
}

/** Called after every change of a watched index; `report` is null if another process made the change. */
export type OnChange = (report: IndexReport | null) => void;

/** A run, without the fields that only the store needs. */
export type JobInfo = Omit<JobRecord, 'root' | 'pid'>;

export type SchemaStatus = 'compatible' | 'not_indexed' | 'reindex_required' | 'corrupt_manifest';

export interface ProjectStatus {
  readonly project: ProjectInfo;
  readonly ref: string;
  readonly indexing: 'not_indexed' | 'indexing' | 'ready' | 'failed';
  readonly schema: SchemaStatus;
  readonly schemaVersion: number;
  readonly requiredSchemaVersion: number;
  readonly freshness: 'fresh' | 'stale' | 'syncing';
  readonly pending: readonly string[];
  /** True if the ref names another commit than the indexed one; `pending` then holds the ref. */
  readonly moved: boolean;
  /** True if another version made the index; see Freshness. */
  readonly outdated: boolean;
  /**
   * Why this process failed to update the index the last time, or, without an index, why the last run of any process
   * failed; null without a failure.
   */
  readonly failure: string | null;
  readonly watching: 'events' | 'polling' | 'off';
  readonly fileCount: number;
  readonly symbolCount: number;
  readonly chunkCount: number;
  readonly vectorCount: number;
  readonly lineCount: number;
  readonly indexBytes: number;
  readonly lastIndexedAtMs: number | null;
  readonly lastDurationMs: number | null;
  readonly modelId: string;
  readonly languages: readonly { readonly language: string; readonly files: number; readonly lines: number }[];
  readonly skippedByReason: Readonly<Record<string, number>>;
  readonly activeJob: JobInfo | null;
  /** Progress of this process's run, with its current file; null if there is no run or another process indexes. */
  readonly progress: IndexProgress | null;
  readonly recentJobs: readonly JobInfo[];
  readonly refs: readonly {
    readonly ref: string;
    readonly commit: string | null;
    readonly indexedAtMs: number;
    readonly files: number;
  }[];
  readonly health: {
    readonly storeReadable: boolean;
    readonly vectorsAvailable: boolean;
    readonly postingsBuilt: boolean;
  };
  /** Of a fleet: which commit answers, and how old it is, in words. */
  readonly snapshot?: string;
}

/** A chunk as it is indexed, for the files of an export. */
export interface ExportedChunk {
  readonly path: string;
  readonly type: ChunkType;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly language: string;
  readonly package: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly modifiedMs: number;
  /** Only for the overview of a file. */
  readonly counts?: FileCounts;
  /** Unit length; null where the index has no vector for it. */
  readonly vector: Float32Array | null;
}

export interface ChunkExport {
  readonly ref: string;
  readonly modelId: string;
  readonly dims: number;
  readonly indexedAtMs: number;
  /** In the order of paths; each is read when the iterator reaches it. */
  readonly chunks: Iterable<ExportedChunk>;
}

/** An indexed blob. Where access tokens are redacted, its text differs from the file's. */
export interface IndexedContent {
  readonly blobId: string;
  readonly language: string;
  /** Reads the text; must be called before the next portion is requested. */
  text(): string;
}

export interface ContentsExport {
  /** Identifies everything that decides what is derived from a blob, the model included. */
  readonly extractor: string;
  /** Each blob once, at most a hundred per portion; read when the iterator reaches them. */
  readonly portions: Iterable<readonly IndexedContent[]>;
}

/** The result of verify(): whether the index matches the folder, and whether its file is sound. */
export interface Verification {
  readonly ref: string;
  readonly fileCount: number;
  readonly chunkCount: number;
  /** The indexed commit. `currentCommit` is the one that the ref names now (the same for a work tree). */
  readonly commit: string | null;
  readonly currentCommit: string | null;
  /** Paths that differ between folder (or ref) and index, the first hundred. */
  readonly pending: readonly string[];
  /** True if another version or model made the index: the same files may give other results now. */
  readonly outdated: boolean;
  /** Descriptions of the file's faults; empty if it is sound. */
  readonly faults: readonly string[];
}

/** Space that a collection freed. */
export interface Freed {
  readonly contents: number;
  readonly bytes: number;
}

export interface DroppedRef {
  readonly root: string;
  readonly ref: string;
  /** The work tree's folder is gone, or git no longer knows the ref. */
  readonly reason: 'folder_gone' | 'ref_gone';
}

export interface GarbageReport {
  readonly dropped: readonly DroppedRef[];
  /** Number of remaining trees, those of other work trees included. */
  readonly keptRefs: number;
  /** Number of freed blobs, which no tree named. */
  readonly contents: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}
