export type IndexPhase = 'walk' | 'parse' | 'embed' | 'publish' | 'done';

export interface IndexProgress {
  readonly phase: IndexPhase;
  readonly done: number;
  readonly total: number;
  /** Lines read so far in this run. */
  readonly lines: number;
  readonly currentFile: string | null;
}
export type OnProgress = (progress: IndexProgress) => void;
