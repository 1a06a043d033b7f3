/** Chooses the source of the chunks at the start: a chunk folder if there is one, otherwise our own index. */
import { stat } from 'node:fs/promises';
import { EngineError, type ErrorCode, ErrorWithFix, toEngineError } from '../../model/records/engine-errors.ts';
import { startPatientTimeout } from '../../model/runtime/patient-timeout.ts';
import { redactDeep } from '../../model/secrets/redact-deep.ts';
import type { CallContext, Log } from '../contract.ts';
import { ChunkFolder } from './chunks/chunk-folder.ts';
import type { CortexQuery, CortexResult } from './cortex-chunk.ts';
import type { CortexSettings, QueryModel } from './cortex-settings.ts';
import { searchOwnIndex } from './own-index.ts';

const EMBED_TIMEOUT_MS = 15_000;
/**
 * Fixes for the service that embeds queries for a chunk folder, which is not the provider that is configured for our
 * own index.
 */
const FIXES: Partial<Record<ErrorCode, string>> = {
  provider_unavailable:
    'Check that the embedding endpoint runs and answers: CORTEX_EMBEDDING_ENDPOINT, or embedding.endpoint in ' +
    '.cortex/config.yml.',
  provider_misconfigured:
    'Name the endpoint that made the chunks, and its dimensions in .cortex/config.yml, then try again.',
};

interface Foreign {
  readonly folder: ChunkFolder;
  readonly timeoutMs: number;
}

export class ChunkSource {
  readonly #settings: CortexSettings | undefined;
  readonly #log: Log;
  #opening: Promise<Foreign | null> | undefined;

  constructor(settings: CortexSettings | undefined, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Throws with a message if the chunk folder cannot be served. */
  async start(): Promise<void> {
    try {
      await this.#foreign();
    } catch (error) {
      if (this.#settings?.failFast) throw error;
      this.#log('error', 'cortex is not ready', { reason: (error as Error).message });
    }
  }

  async isOwnIndex(): Promise<boolean> {
    return (await this.#foreign()) === null;
  }

  async stop(): Promise<void> {
    const foreign = await this.#opening?.catch(() => null);
    await foreign?.folder.stop();
  }

  async search(ctx: CallContext, path: string, query: CortexQuery): Promise<CortexResult[]> {
    const foreign = await this.#foreign();
    if (!foreign) return searchOwnIndex(ctx, path, query);
    const { folder, timeoutMs } = foreign;
    // Read once: a reload in between may replace both vectors and model.
    const { set, model } = folder.current;
    const results = set.search(await embed(model, query.query, timeoutMs, ctx.signal), query);
    return this.#settings?.redact ? redactDeep(results) : results;
  }

  /** Opens the chunk folder once; a failed attempt is repeated. */
  #foreign(): Promise<Foreign | null> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Foreign | null> {
    const places = await this.#settings?.loadPlaces();
    if (!places) return null;
    const { chunksDir, namedBy, embedTimeoutMs: timeoutMs = EMBED_TIMEOUT_MS } = places;
    if (namedBy === null && !(await isFolder(chunksDir))) return null;
    const folder = await ChunkFolder.open({
      folder: chunksDir,
      source: namedBy ?? chunksDir,
      places,
      log: this.#log,
    });
    try {
      // Embeds a test question at the start, so that an unreachable service or other dimensions are reported then.
      await embed(folder.current.model, 'startup check', timeoutMs);
    } catch (error) {
      await folder.stop();
      throw error;
    }
    this.#log('info', 'chunks loaded', { folder: chunksDir, chunks: folder.current.set.size });
    return { folder, timeoutMs };
  }
}

async function embed(
  { embedQuery, dimensions }: QueryModel,
  text: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ArrayLike<number>> {
  const { signal: timeout, stop } = startPatientTimeout(timeoutMs);
  try {
    const vector = await embedQuery(text, signal ? AbortSignal.any([signal, timeout]) : timeout);
    if (vector.length === dimensions) return vector;
    const reason = `it gives vectors of ${vector.length} dimensions, ${dimensions} are expected`;
    throw new EngineError('provider_misconfigured', { kind: 'embedding', provider: 'cortex', reason });
  } catch (thrown) {
    const reason = `it took longer than ${timeoutMs} ms`;
    const isLate = timeout.aborted && !signal?.aborted;
    const error = isLate
      ? new EngineError('provider_unavailable', { kind: 'embedding', provider: 'cortex', reason }, thrown)
      : toEngineError(thrown);
    const fix = FIXES[error.code];
    throw fix ? new ErrorWithFix(error.code, error.data, fix, error) : error;
  } finally {
    stop();
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
