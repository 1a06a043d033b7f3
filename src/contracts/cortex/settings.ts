/** What this profile may be given in `settings.cortex`; the composition root reads files and environment. */
export interface CortexSettings {
  /** A start that fails ends the server; false where other profiles are served beside this one: then calls are refused, and try again. */
  readonly failFast: boolean;
  /** Read when the profile starts. Throws invalid_config. */
  loadPlaces(): Promise<CortexPlaces>;
}

export interface CortexPlaces {
  /** Chunk folder, absolute. */
  readonly chunksDir: string;
  /** Where it is named (a variable, a file), for messages; null where it is the usual place, which may be missing. */
  readonly namedBy: string | null;
  /** Of the vectors in the chunk files. */
  readonly dimensions: number;
  /** Embeds a question with the model that made the chunks' vectors. */
  readonly embedQuery: (text: string, signal?: AbortSignal) => Promise<ArrayLike<number>>;
  readonly embedTimeoutMs?: number;
}
