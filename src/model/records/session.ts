/** Recent work: sessions of agents, and the files and symbols that they read. */

/** A connection of an agent: its questions, the files that it read, and the discoveries that it recorded. */
export interface SessionRecord {
  readonly id: string;
  readonly startedMs: number;
  readonly lastMs: number;
  /** Newest last. */
  readonly queries: readonly string[];
  /** Paths with how often they were read; most read first when it is shown. */
  readonly reads: Readonly<Record<string, number>>;
  /** Ids of discoveries recorded. */
  readonly discoveries: readonly string[];
}

export interface FileAccess {
  readonly path: string;
  /** Qualified name, where a symbol and not its whole file was looked at. */
  readonly symbol?: string;
  /** Reads. */
  readonly count: number;
  /** Times it was among the first results of a search. */
  readonly hits: number;
  readonly lastAccessedMs: number;
  /** Fades: a read counts 1, a hit less; each is worth half after a week. */
  readonly score: number;
}
