/**
 * The API between the page and its server: one entry per route of `/api/`. Types only; server and page both import
 * them.
 */

import type { SavedMetrics } from '../../contracts/kit/metrics/metrics-file.ts';
import type { RecentCall } from '../../contracts/kit/metrics/recent-calls.ts';
import type { ProjectStatus, WorkspaceMember } from '../../engine/engine.ts';
import type {
  CallNeighbours,
  IdentifierLinks,
  KnownProject,
  LineHistory,
  RepositoryActivity,
  RepositoryMap,
} from '../../model/records/browse.ts';
import type { Discovery } from '../../model/records/discovery.ts';
import type { ImpactAnswer } from '../../model/records/impact.ts';
import type {
  EarlyAnswer,
  GrepAnswer,
  LocatedSymbol,
  ReadFileAnswer,
  ResearchAnswer,
  SearchAnswer,
  SymbolDetail,
} from '../../model/records/query.ts';
import type { SessionRecord } from '../../model/records/session.ts';
import type { SkippedFile } from '../../model/records/source-file.ts';

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
  /** The file's language; '' for a folder. */
  readonly language: string;
  readonly lines: number;
  /** Number of files below a folder; 1 for a file. */
  readonly files: number;
}

/** A workspace: several repositories that are read as one. */
export interface KnownWorkspace {
  readonly name: string;
  /** The workspace's scope, in place of a project's folder. */
  readonly scope: string;
  readonly members: readonly WorkspaceMember[];
}

export interface Suggestions {
  readonly question: ResearchAnswer['question'];
  readonly symbols: readonly LocatedSymbol[];
  readonly paths: readonly string[];
}

export interface MemoryAnswer {
  readonly total: number;
  /** Number of all discoveries by type. */
  readonly counts: Readonly<Record<string, number>>;
  readonly discoveries: readonly Discovery[];
  /** A sentence that says what the list lacks. */
  readonly notices: readonly string[];
}

/** Routes with GET; each handler documents its parameters. */
export interface Answers {
  readonly status: ProjectStatus;
  readonly projects: readonly KnownProject[];
  readonly workspaces: readonly KnownWorkspace[];
  readonly folder: readonly FolderEntry[];
  readonly file: ReadFileAnswer;
  readonly links: IdentifierLinks;
  readonly why: LineHistory;
  readonly suggest: Suggestions;
  readonly search: SearchAnswer;
  /**
   * Results during the first index; null before the first answer, and if the answer covers no more files than the
   * caller knows.
   */
  readonly soFar: { readonly early: EarlyAnswer | null };
  /** Lines of the files on disk with a text, a regular expression or any of several words. */
  readonly grep: GrepAnswer;
  readonly research: ResearchAnswer;
  readonly symbol: SymbolDetail;
  readonly calls: CallNeighbours;
  readonly impact: ImpactAnswer;
  readonly map: RepositoryMap;
  readonly activity: RepositoryActivity;
  readonly memory: MemoryAnswer;
  readonly skipped: { readonly total: number; readonly files: readonly SkippedFile[] };
  readonly sessions: readonly SessionRecord[];
  readonly recent: readonly RecentCall[];
  readonly metrics: SavedMetrics;
}

/** Routes with POST and a JSON body. */
export interface Changes {
  readonly remember: { readonly sent: { type: string; content: string; module: string }; readonly answer: Discovery };
  readonly edit: {
    readonly sent: { id: string; type: string; content: string; module: string };
    readonly answer: Discovery;
  };
  readonly forget: { readonly sent: { id: string }; readonly answer: { readonly forgotten: boolean } };
  readonly index: { readonly sent: { ref: string }; readonly answer: { readonly jobId: string } };
}

export interface Refused {
  readonly error: { readonly code: string; readonly message: string; readonly fix: string };
}
