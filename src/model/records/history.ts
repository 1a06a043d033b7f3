/** Why is it so: the commits that changed some lines, or that speak of something. */

export interface CommitsRequest {
  /** A symbol, FILE, FILE:LINE or FILE:FIRST-LAST; anything else is looked for in messages and diffs. */
  readonly query: string;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface FoundCommit {
  /** The commit's repository, where several were searched. */
  readonly repository?: string;
  readonly id: string;
  readonly dateMs: number;
  readonly subject: string;
  readonly body: string;
  readonly isMerge: boolean;
  /** `lines`: it changed them; `message`: it speaks of it; `diff`: it added or removed the words. */
  readonly found: 'lines' | 'message' | 'diff';
}

export interface CommitsAnswer {
  /** A description of what was looked for. */
  readonly subject: string;
  /** Of lines the newest first, of words the best match first. */
  readonly commits: readonly FoundCommit[];
  /** False where the time was up before all of the history was read: asking again reads on. */
  readonly isComplete: boolean;
  /** Commits that were read for their messages. */
  readonly commitsRead: number;
  readonly notices: readonly string[];
}
