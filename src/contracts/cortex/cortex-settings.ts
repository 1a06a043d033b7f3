/** The keys of `settings.cortex`; the composition root reads files and environment. */
export interface CortexSettings {
  /**
   * Whether a failed start ends the server. False if the server has other profiles: calls then fail and try to start
   * again.
   */
  readonly failFast: boolean;
  /** Access tokens in chunk files are redacted here; the engine redacts those of our own index. */
  readonly redact: boolean;
  /** Read when the profile starts. Throws invalid_config. */
  loadPlaces(): Promise<CortexPlaces>;
}

/** Embeds a question with the model that made the chunks' vectors. */
export interface QueryModel {
  /** Dimensions of the vectors in the chunk files. */
  readonly dimensions: number;
  readonly embedQuery: (text: string, signal?: AbortSignal) => Promise<ArrayLike<number>>;
}

/** The embedding service, unless the chunk files name another model. */
export interface CortexPlaces extends QueryModel {
  /** Chunk folder, absolute. */
  readonly chunksDir: string;
  /** Links must not lead out of this folder; null if the user configured the chunk folder. */
  readonly within: string | null;
  /**
   * Where the folder is configured (a variable, a file), for messages; null for the default location, which may be
   * missing.
   */
  readonly namedBy: string | null;
  /** The built-in model, for chunk files whose metadata name it, such as those of `sextant export`. */
  readonly builtIn?: QueryModel & { readonly id: string };
  readonly embedTimeoutMs?: number;
}
