/** Requests to index, and the engine's reports about runs, states and upkeep of an index. */
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
   * A folder inside an indexed project means that project, as it does for questions; without it, every folder is a
   * project of its own.
   */
  readonly enclosing?: boolean;
  readonly ref?: string;
  /** The branch that is checked out stays addressable by its name when another one is. */
  readonly keepBranch?: boolean;
  readonly includeTests?: boolean;
  readonly includeVendor?: boolean;
  /** Throws no_project where there is prose or data, but neither a source file nor a manifest. */
  readonly requireSource?: boolean;
  /** Throws no_project where no file is of this kind. */
  readonly requireProject?: ProjectKind;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
  /** Where contents that this version derived may be had from, by the name of what it derives by. */
  readonly headStart?: (extractor: string) => Pick<ContentSource, 'read'>;
}

/** The report of a run: its work, and the index after it. */
export interface IndexReport extends RunCounts {
  readonly project: ProjectInfo;
  readonly ref: string;
  readonly filesTotal: number;
  readonly filesFailed: number;
  /** Of filesIndexed: with syntax errors, found by what could be read of them. */
  readonly filesBroken: number;
  readonly symbolCount: number;
  readonly chunkCount: number;
  readonly vectorCount: number;
  readonly indexBytes: number;
  readonly problems: readonly { readonly path: string; readonly line: number; readonly message: string }[];
}

/** Hears of every change of a watched index; null where another process has made it. */
export type OnChange = (report: IndexReport | null) => void;

/** A run, without what only the store needs. */
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
  /** A ref that stands elsewhere than where it was indexed; `pending` names it then. */
  readonly moved: boolean;
  /** Another version made it; see Freshness. */
  readonly outdated: boolean;
  /**
   * Why the last try of this process to bring it up to date failed, or the last one of all where there is no index yet;
   * else null.
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
  /** How far a run of this process is, with the file it is at; null where another process indexes, or none. */
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
}

/** A chunk as the index holds it, for files that others read. */
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
  /** Of a file's overview. */
  readonly counts?: FileCounts;
  /** Unit length; null where the index has no vector for it. */
  readonly vector: Float32Array | null;
}

export interface ChunkExport {
  readonly ref: string;
  readonly modelId: string;
  readonly dims: number;
  readonly indexedAtMs: number;
  /** In the order of paths; read while it is walked. */
  readonly chunks: Iterable<ExportedChunk>;
}

/** A content as the index holds it: where access tokens are redacted, its text is not the original one. */
export interface IndexedContent {
  readonly blobId: string;
  readonly language: string;
  /** Read when it is called, which is to be before the next portion is asked for. */
  text(): string;
}

export interface ContentsExport {
  /** Names everything that decides what was derived of them, the model included. */
  readonly extractor: string;
  /** Each content once, a hundred at a time at most; read while they are walked. */
  readonly portions: Iterable<readonly IndexedContent[]>;
}

/** Whether an index holds what the folder holds, and whether its file is sound. */
export interface Verification {
  readonly ref: string;
  readonly fileCount: number;
  readonly chunkCount: number;
  /** The commit that was indexed, and the one the ref stands at now (the same for a work tree). */
  readonly commit: string | null;
  readonly currentCommit: string | null;
  /** Paths that differ between folder (or ref) and index, the first hundred. */
  readonly pending: readonly string[];
  /** Another version or another model made it: the same files may give something else by now. */
  readonly outdated: boolean;
  /** Faults of the file, in words; empty when it is sound. */
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
  /** Its folder (a work tree) is there no more, or git does not know the ref any more. */
  readonly reason: 'folder_gone' | 'ref_gone';
}

export interface GarbageReport {
  readonly dropped: readonly DroppedRef[];
  /** Trees that are left, those of other work trees included. */
  readonly keptRefs: number;
  /** Contents that no tree named. */
  readonly contents: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}
