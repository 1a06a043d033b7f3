/** What this profile may be given in `settings.cortex`; the composition root reads files and environment. */
export interface CortexSettings {
  /**
   * A start that fails ends the server; false where other profiles are served beside this one: then calls are refused,
   * and try again.
   */
  readonly failFast: boolean;
  /** Access tokens in chunk files are marked; those of our own index are by the engine. */
  readonly redact: boolean;
  /** Read when the profile starts. Throws invalid_config. */
  loadPlaces(): Promise<CortexPlaces>;
}

/** Embeds a question with the model that made the chunks' vectors. */
export interface QueryModel {
  /** Of the vectors in the chunk files. */
  readonly dimensions: number;
  readonly embedQuery: (text: string, signal?: AbortSignal) => Promise<ArrayLike<number>>;
}

/** The model is the embedding service, unless the chunk files name another. */
export interface CortexPlaces extends QueryModel {
  /** Chunk folder, absolute. */
  readonly chunksDir: string;
  /** The folder that neither it nor its files may lead out of; null where the user named the chunk folder. */
  readonly within: string | null;
  /** Where it is named (a variable, a file), for messages; null where it is the usual place, which may be missing. */
  readonly namedBy: string | null;
  /** The built-in model, for chunk files that say they were made with it: `sextant export` writes such. */
  readonly builtIn?: QueryModel & { readonly id: string };
  readonly embedTimeoutMs?: number;
}
