export type IndexPhase = 'walk' | 'parse' | 'embed' | 'publish' | 'done';

export interface IndexProgress {
  readonly phase: IndexPhase;
  readonly done: number;
  readonly total: number;
  /** The finished share of the phase, from 0 to 1. It counts bytes, since the sizes of files differ. */
  readonly share?: number;
  /** The lines that the run has read so far. */
  readonly lines: number;
  readonly currentFile: string | null;
}
export type OnProgress = (progress: IndexProgress) => void;
