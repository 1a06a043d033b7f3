/**
 * Implements the Embedder port on top of a function that embeds one batch: splits texts into batches, adds prefixes,
 * keeps their order, checks dimensions, normalises vectors, and gives blank texts zero vectors.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Embedder, EmbedMode } from '../embedder.ts';
import { normaliseInto } from '../static/normalise.ts';
import { failure } from './post-json.ts';

export interface BatchSource {
  readonly id: string;
  readonly dims: number;
  /** The provider's name in errors. */
  readonly provider: string;
  readonly prefixes: { readonly query: string; readonly passage: string };
  readonly batchSize: number;
  readonly concurrency: number;
  request(texts: readonly string[], mode: EmbedMode, signal?: AbortSignal): Promise<readonly ArrayLike<number>[]>;
  close?(): Promise<void>;
}

export function batchedEmbedder(source: BatchSource): Embedder {
  return {
    id: source.id,
    dims: source.dims,
    async embed(texts, mode, signal) {
      const vectors = texts.map(() => new Float32Array(source.dims));
      const nonBlank = texts.flatMap((text, i) => (text.trim() === '' ? [] : [i]));
      const batches: number[][] = [];
      for (let at = 0; at < nonBlank.length; at += source.batchSize)
        batches.push(nonBlank.slice(at, at + source.batchSize));
      // The first failure aborts the requests that are still running.
      const stop = new AbortController();
      const stopOrSignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      const next = batches.values();
      const worker = async () => {
        for (const batch of next) {
          if (signal?.aborted) throw new EngineError('cancelled');
          const prefix = source.prefixes[mode];
          const made = await source.request(
            batch.map((i) => prefix + texts[i]),
            mode,
            stopOrSignal,
          );
          check(source, batch.length, made);
          batch.forEach((i, n) => {
            normaliseInto(made[n]!, vectors[i]!);
          });
        }
      };
      const workers = Array.from({ length: Math.max(1, Math.min(source.concurrency, batches.length)) }, worker);
      try {
        await Promise.all(workers);
      } catch (error) {
        stop.abort();
        await Promise.allSettled(workers);
        throw error;
      }
      return vectors;
    },
    close: () => source.close?.() ?? Promise.resolve(),
  };
}

function check(source: BatchSource, sentCount: number, made: readonly ArrayLike<number>[]): void {
  const name = { kind: 'embedding', provider: source.provider };
  if (made.length !== sentCount)
    throw failure('provider_misconfigured', name, `${sentCount} texts were sent, ${made.length} vectors came back`);
  for (const vector of made) {
    if (vector.length !== source.dims)
      throw failure('provider_misconfigured', name, `a vector has ${vector.length} dimensions, not ${source.dims}`);
    for (let d = 0; d < vector.length; d++)
      if (!Number.isFinite(vector[d]))
        throw failure('provider_misconfigured', name, 'a vector holds something that is no number');
  }
}
