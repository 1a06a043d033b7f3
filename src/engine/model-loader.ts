/** The embedder, the ranker's weights and the synonyms, each loaded on first use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '../embed/embedder.ts';
import { loadStaticModel } from '../embed/index.ts';
import { extractorVersion } from '../indexing/deriving/extractor-version.ts';
import { CONTEXT_FEATURES } from '../memory/recall/recall-features.ts';
import { EngineError, modelDamaged, toEngineError } from '../model/records/engine-errors.ts';
import {
  isRankerModel,
  loadSynonyms,
  Ranker,
  type RankerModel,
  type RankerModels,
  type Synonyms,
} from '../search/index.ts';
import type { TreeInfo, TreeView } from '../store/store.ts';
import { type EngineConfig, isRedacting } from './engine-config.ts';

/** After a failure, the provider is not called for this long: searches fall back to keywords at once. */
const PROVIDER_RETRY_MS = 15_000;

export class Models {
  readonly #config: Pick<EngineConfig, 'provider' | 'modelFolder' | 'redact'>;
  #embedder: Embedder | null = null;
  #synonyms: Synonyms | null = null;
  #ranker: Ranker | null = null;
  #contextRanker: Ranker | null = null;
  #retryAtMs = 0;
  #providerFailure: EngineError | null = null;

  constructor(config: Pick<EngineConfig, 'provider' | 'modelFolder' | 'redact'>) {
    this.#config = config;
  }

  get embedder(): Embedder {
    this.#embedder ??= this.#config.provider ?? loadStaticModel(this.#config.modelFolder);
    return this.#embedder;
  }

  /** Null if the model is damaged; `doctor` reports that itself. */
  get idIfLoadable(): string | null {
    try {
      return this.embedder.id;
    } catch {
      return null;
    }
  }

  /** The built-in model even if a provider is configured: similarity thresholds were measured with its cosines. */
  get builtIn(): Embedder {
    return loadStaticModel(this.#config.modelFolder);
  }

  get synonyms(): Synonyms {
    this.#synonyms ??= loadSynonyms(join(this.#config.modelFolder, 'synonyms.tsv'));
    return this.#synonyms;
  }

  get ranker(): Ranker {
    this.#ranker ??= new Ranker(this.#weights((models) => models));
    return this.#ranker;
  }

  /** Ranks discoveries, sessions and code together. */
  get contextRanker(): Ranker {
    this.#contextRanker ??= new Ranker(
      this.#weights(({ context }) => context),
      CONTEXT_FEATURES,
    );
    return this.#contextRanker;
  }

  #weights(pick: (models: RankerModels) => RankerModel): RankerModel {
    const file = join(this.#config.modelFolder, 'ranker.json');
    let model: RankerModel;
    try {
      model = pick(JSON.parse(readFileSync(file, 'utf8')) as RankerModels);
    } catch (error) {
      throw modelDamaged(`${file} cannot be read`, error);
    }
    if (!isRankerModel(model)) throw modelDamaged(`${file} lacks weights`);
    return model;
  }

  /**
   * The built-in model runs during extraction, so its vectors depend on the extractor version; a provider's vectors are
   * stored separately and added later.
   */
  get extractor(): string {
    const version = isRedacting(this.#config) ? extractorVersion() : `${extractorVersion()}.plain`;
    return this.#config.provider ? version : `${version}.${this.embedder.id}`;
  }

  /**
   * True if this version would derive something else from the same files. False for an index of another model: answers
   * report that in a notice of its own.
   */
  isOutdated({ options, modelId }: TreeInfo): boolean {
    return modelId === this.embedder.id && options.extractor !== this.extractor;
  }

  /** Embeds a query. Returns null and adds a notice if the index has no vectors of this model or the provider fails. */
  async queryVector(
    text: string,
    view: TreeView,
    notices: string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array | null> {
    try {
      const vector = await this.requireVector(text, view, signal);
      if (view.info.vectorCount < view.info.chunkCount) notices.push(missingVectorsNotice(view));
      return vector;
    } catch (thrown) {
      const error = toEngineError(thrown);
      if (error.code === 'cancelled') throw error;
      notices.push(
        error.code === 'not_indexed'
          ? `No vectors of ${this.embedder.id} in this index: keyword answer. Run the index again to add them.`
          : `${error.message} Keyword answer.`,
      );
      return null;
    }
  }

  /**
   * Embeds a query that needs vectors. Throws not_indexed if the index has no vectors of this model, and the provider's
   * own error.
   */
  async requireVector(text: string, view: TreeView, signal: AbortSignal | undefined): Promise<Float32Array | null> {
    const { embedder } = this;
    const { chunkCount, vectorCount, modelId, root } = view.info;
    // A tree without chunks lacks no vectors: memory is compared all the same.
    if ((chunkCount > 0 && vectorCount === 0) || modelId !== embedder.id)
      throw new EngineError('not_indexed', { path: root });
    if (this.#providerFailure && Date.now() < this.#retryAtMs) throw this.#providerFailure;
    try {
      const [vector] = await embedder.embed([text], 'query', signal);
      return vector ?? null;
    } catch (thrown) {
      const error = toEngineError(thrown);
      if (error.code !== 'cancelled') {
        this.#providerFailure = error;
        this.#retryAtMs = Date.now() + PROVIDER_RETRY_MS;
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#embedder?.close();
  }
}

function missingVectorsNotice({ info }: TreeView): string {
  return (
    `${info.chunkCount - info.vectorCount} of ${info.chunkCount} chunks have no vector yet and are found by words ` +
    'only. Run the index again to add them.'
  );
}
