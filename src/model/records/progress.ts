export type IndexPhase = 'walk' | 'parse' | 'embed' | 'publish' | 'done';

export interface IndexProgress {
  readonly phase: IndexPhase;
  readonly done: number;
  readonly total: number;
  /**
   * How much of the phase is behind us, from 0 to 1, where the files differ too much in size for their number to tell.
   */
  readonly share?: number;
  /** Lines read so far in this run. */
  readonly lines: number;
  readonly currentFile: string | null;
}
export type OnProgress = (progress: IndexProgress) => void;
