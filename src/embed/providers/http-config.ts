/** Configuration that all HTTP embedding providers share: address, model and limits. */
import type { EmbedMode } from '../embedder.ts';
import type { Endpoint } from './post-json.ts';
import { failure } from './post-json.ts';

export interface HttpEmbedderConfig {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKey?: string;
  /** Required for a model that is not in KNOWN_DIMS. */
  readonly dims?: number;
  readonly batchSize?: number;
  /** Number of concurrent requests. */
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly backoffMs?: number;
}

/** Dimensions of common models by name without tag. */
const KNOWN_DIMS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
  'nomic-embed-text': 768,
  'nomic-embed-code': 3584,
  'mxbai-embed-large': 1024,
  'all-minilm': 384,
  'snowflake-arctic-embed': 1024,
  'snowflake-arctic-embed2': 1024,
  'bge-m3': 1024,
  'bge-large': 1024,
  embeddinggemma: 768,
  'jina-embeddings-v2-base-code': 768,
};

/** Prefixes that a model expects before a question and before a passage. */
const KNOWN_PREFIXES: readonly (readonly [RegExp, string, string])[] = [
  [/^nomic-embed-text/, 'search_query: ', 'search_document: '],
  [/e5-/, 'query: ', 'passage: '],
  [
    /^mxbai-embed-large|^snowflake-arctic-embed|^bge-(?:small|base|large)-en/,
    'Represent this sentence for searching relevant passages: ',
    '',
  ],
];

export function prefixesOf(model: string): { readonly query: string; readonly passage: string } {
  const [, query = '', passage = ''] = KNOWN_PREFIXES.find(([pattern]) => pattern.test(model)) ?? [];
  return { query, passage };
}

export function dimsOf(config: HttpEmbedderConfig, provider: string, fallback?: number): number {
  const dims = config.dims ?? KNOWN_DIMS[(config.model ?? '').split(':')[0]!] ?? fallback;
  const name = { kind: 'embedding', provider };
  if (dims === undefined)
    throw failure(
      'provider_misconfigured',
      name,
      `say how many dimensions ${config.model ?? 'the model'} has (embedding.dims)`,
    );
  if (!Number.isInteger(dims) || dims < 1 || dims > 16_384)
    throw failure('provider_misconfigured', name, `${dims} is not a number of dimensions`);
  return dims;
}

export function endpointOf(
  config: HttpEmbedderConfig,
  provider: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  mode: EmbedMode = 'passage',
): Endpoint {
  const isInteractive = mode === 'query';
  return {
    ...addressOf('embedding', provider, url),
    headers,
    secrets: config.apiKey ? [config.apiKey] : [],
    isInteractive,
    // A question needs a fast answer and words can give one; an index run can wait.
    timeoutMs: config.timeoutMs ?? (isInteractive ? 8_000 : 60_000),
    maxAttempts: config.maxAttempts ?? (isInteractive ? 2 : 4),
    backoffMs: config.backoffMs ?? (isInteractive ? 200 : 500),
  };
}

/** Appends a path to the base address unless it ends with that path. Keeps a query string and drops a fragment. */
export function joinUrl(base: string, path: string): string {
  if (!URL.canParse(base)) return `${base}/${path}`;
  const url = new URL(base);
  url.hash = '';
  const basePath = url.pathname.replace(/\/+$/, '');
  url.pathname = basePath.endsWith(`/${path}`) ? basePath : `${basePath}/${path}`;
  return url.href;
}

/** Checks an address and makes its form for messages. Throws provider_misconfigured for one that cannot be used. */
export function addressOf(
  kind: Endpoint['kind'],
  name: string,
  url: string,
): Pick<Endpoint, 'kind' | 'provider' | 'url'> {
  // Messages show neither a password nor a query string, which may contain a key.
  const provider = `${name} (${url.replace(/\/\/.*@/, '//').replace(/\?.*$/, '')})`;
  const refuse = (reason: string) => failure('provider_misconfigured', { kind, provider }, reason);
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw refuse('the address must be one of http:// or https://');
  const { username, password } = new URL(url);
  if (username || password) throw refuse('an address with a name or password in it cannot be asked; use a key');
  return { kind, provider, url };
}
