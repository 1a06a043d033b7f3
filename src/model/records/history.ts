/** A question to the history, and its answer: the commits that changed some lines or that mention a text. */

export interface CommitsRequest {
  /** A symbol, FILE, FILE:LINE or FILE:FIRST-LAST; any other text is searched for in messages and diffs. */
  readonly query: string;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface FoundCommit {
  /** The commit's repository, if several were searched. */
  readonly repository?: string;
  readonly id: string;
  readonly dateMs: number;
  readonly subject: string;
  readonly body: string;
  readonly isMerge: boolean;
  /** How the commit matches: it changed the lines, its message has the text, or its diff adds or removes the text. */
  readonly found: 'lines' | 'message' | 'diff';
}

export interface CommitsAnswer {
  /** A description of the search. */
  readonly subject: string;
  /** For lines the newest commit comes first, for a text the best match. */
  readonly commits: readonly FoundCommit[];
  /** False if the time was over before the whole history was read; the next request continues there. */
  readonly isComplete: boolean;
  /** The number of commits whose messages were read. */
  readonly commitsRead: number;
  readonly notices: readonly string[];
}
