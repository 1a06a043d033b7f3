/** The HTTP embedding providers: a record per provider describes its requests and responses; the rest is shared. */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Embedder, EmbedMode } from '../embedder.ts';
import { batchedEmbedder } from './batched-embedder.ts';
import { dimsOf, endpointOf, type HttpEmbedderConfig, joinUrl, prefixesOf } from './http-config.ts';
import { failure, postJson } from './post-json.ts';

export type HttpProviderName = 'openai' | 'ollama' | 'cortex';

interface Wire {
  readonly baseUrl: string;
  readonly model: string;
  readonly dims?: number;
  readonly batchSize: number;
  url(base: string): string;
  headers(config: HttpEmbedderConfig): Readonly<Record<string, string>>;
  body(texts: readonly string[], mode: EmbedMode, model: string, config: HttpEmbedderConfig): unknown;
  /** The vectors in the order of the texts; null for a response of another shape. */
  vectors(answer: unknown): Vectors | null;
}

type Vectors = readonly ArrayLike<number>[];

const bearer = (config: HttpEmbedderConfig): Record<string, string> =>
  config.apiKey ? { authorization: `Bearer ${config.apiKey}` } : {};

const WIRES: Readonly<Record<HttpProviderName, Wire>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    model: 'text-embedding-3-small',
    batchSize: 64,
    url: (base) => joinUrl(base, 'embeddings'),
    headers: bearer,
    body: (texts, _mode, model, config) => ({
      model,
      input: texts,
      encoding_format: 'float',
      // Only models of the third generation can shorten their vectors; others refuse the field.
      ...(config.dims && model.startsWith('text-embedding-3') ? { dimensions: config.dims } : {}),
    }),
    vectors: (answer) => {
      const data = listOf(answer, 'data') as { index?: number; embedding?: unknown }[] | null;
      if (!data) return null;
      const sorted = data
        .map((row, i) => ({ at: row?.index ?? i, embedding: row?.embedding }))
        .sort((a, b) => a.at - b.at);
      return numberLists(sorted.map((row) => row.embedding));
    },
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434',
    model: 'nomic-embed-text',
    batchSize: 32,
    url: (base) => joinUrl(base, 'api/embed'),
    headers: bearer,
    body: (texts, _mode, model) => ({ model, input: texts, truncate: true }),
    vectors: (answer) => numberLists(listOf(answer, 'embeddings')),
  },
  cortex: {
    baseUrl: 'http://localhost:8121',
    model: 'cortex-embed',
    dims: 384,
    batchSize: 64,
    url: (base) => joinUrl(base, 'embed'),
    headers: bearer,
    body: (texts, mode) => ({ texts, mode }),
    vectors: (answer) => numberLists(listOf(answer, 'embeddings')),
  },
};

export const HTTP_PROVIDERS = Object.keys(WIRES) as HttpProviderName[];

export function createHttpEmbedder(name: HttpProviderName, config: HttpEmbedderConfig): Embedder {
  const wire = WIRES[name];
  const model = config.model ?? wire.model;
  const complete = { ...config, model };
  const endpointFor = (mode: EmbedMode) =>
    endpointOf(config, name, wire.url(config.baseUrl ?? wire.baseUrl), wire.headers(config), mode);
  const endpoint = endpointFor('passage');
  const dims = dimsOf(complete, endpoint.provider, wire.dims);
  const prefixes = prefixesOf(model);

  async function request(texts: readonly string[], mode: EmbedMode, signal?: AbortSignal): Promise<Vectors> {
    let answer: unknown;
    try {
      answer = await postJson(endpointFor(mode), wire.body(texts, mode, model, complete), signal);
    } catch (error) {
      const parts = isTooMuch(error) ? halvesOf(texts) : [];
      if (parts.length === 0) throw error;
      const made: ArrayLike<number>[] = [];
      for (const part of parts) made.push(...(await request(part, mode, signal)));
      return made;
    }
    const vectors = wire.vectors(answer);
    if (!vectors)
      throw failure('provider_misconfigured', endpoint, 'the answer holds no embeddings; is the address right?');
    return vectors;
  }

  return batchedEmbedder({
    // The id contains the prefixes, because they change the vectors.
    id: [name, model, dims, prefixes.query, prefixes.passage].filter((part) => part !== '').join('/'),
    dims,
    provider: endpoint.provider,
    prefixes,
    batchSize: config.batchSize ?? wire.batchSize,
    concurrency: config.concurrency ?? 2,
    request,
  });
}

/** Whether a server refused a request because of too many or too long texts. */
function isTooMuch(error: unknown): boolean {
  return error instanceof EngineError && [400, 413, 422].includes(Number(error.data.status));
}

/** No server's limit is lower, so a refused text of this length has another problem. */
const MIN_SPLIT_CHARACTERS = 500;

/** Both halves of the texts, or the first half of a single text; empty if the length cannot be the reason. */
function halvesOf(texts: readonly string[]): string[][] {
  const middle = texts.length >> 1;
  if (middle > 0) return [texts.slice(0, middle), texts.slice(middle)];
  return texts[0]!.length > MIN_SPLIT_CHARACTERS ? [[texts[0]!.slice(0, texts[0]!.length >> 1)]] : [];
}

function listOf(answer: unknown, key: string): unknown[] | null {
  const list = answer && typeof answer === 'object' ? (answer as Record<string, unknown>)[key] : null;
  return Array.isArray(list) ? list : null;
}

function numberLists(rows: unknown[] | null): Vectors | null {
  return rows?.every((row) => Array.isArray(row)) ? (rows as number[][]) : null;
}
