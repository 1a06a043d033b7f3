/**
 * What the page asks its server, and what it gets: one entry a route of `/api/`. Types only; server and page both
 * import them.
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
  /** Of a file; '' for a folder. */
  readonly language: string;
  readonly lines: number;
  /** Files below a folder; 1 for a file. */
  readonly files: number;
}

/** Several repositories that are read as one. */
export interface KnownWorkspace {
  readonly name: string;
  /** The workspace's place, where a project has its folder. */
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
  /** Of all, by type. */
  readonly counts: Readonly<Record<string, number>>;
  readonly discoveries: readonly Discovery[];
  /** A sentence that says what the list lacks. */
  readonly notices: readonly string[];
}

/** Requests use GET; the parameters are those of the route's own handler. */
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
  /** While the first index is made; null where there is no answer yet, or none over more files than are known. */
  readonly soFar: { readonly early: EarlyAnswer | null };
  /** Lines with a text, a regular expression or any of some words, of the files as they are. */
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

/** Sent with POST, as JSON. */
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
