/** Sessions of agents, and the files and symbols that they read. */

/** A connection of an agent: its questions, the files that it read, and the discoveries that it recorded. */
export interface SessionRecord {
  readonly id: string;
  readonly startedMs: number;
  readonly lastMs: number;
  /** The newest one is last. */
  readonly queries: readonly string[];
  /** The number of reads by path; answers list the most read paths first. */
  readonly reads: Readonly<Record<string, number>>;
  /** The ids of the discoveries that the session recorded. */
  readonly discoveries: readonly string[];
}

export interface FileAccess {
  readonly path: string;
  /** The qualified name if a symbol was read, not the whole file. */
  readonly symbol?: string;
  /** The number of reads. */
  readonly count: number;
  /** The number of searches that had it among the first results. */
  readonly hits: number;
  readonly lastAccessedMs: number;
  /** A decaying score: a read counts 1, a hit less, and each loses half of its value per week. */
  readonly score: number;
}
