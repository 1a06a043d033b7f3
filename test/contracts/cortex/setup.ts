/** The cortex profile over chunk folders made by others with a real embedding service, and over our own index. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { loadCortexConfig } from '../../../src/cli/config/cortex-config.ts';
import { createProfile } from '../../../src/contracts/cortex/index.ts';
import type { Profile } from '../../../src/contracts/index.ts';
import { createEmbedder } from '../../../src/embed/index.ts';
import { type Message, type RawClient, rawClient } from '../raw-client.ts';
import { sandbox } from '../real-engine.ts';

export const box = sandbox(/^(?:web|README|docs|internal\/auth\/service\.go)/);

export const chunks = join(box.project, '.cortex/chunks');

export const log: { level: string; message: string; fields: Message }[] = [];

export const opened: { raw: RawClient; profile: Profile }[] = [];

export const DIMS = 384;

/** The embedding service: words as dimensions, so that what shares words is near. */
export function embedding(text: string, dims = DIMS): number[] {
  const vector = new Array<number>(dims).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let hash = 7;
    for (const char of word) hash = (hash * 31 + char.charCodeAt(0)) % dims;
    vector[hash]! += 1;
  }
  return vector;
}

let served: 'well' | 'silent' | 'broken' | 'short' = 'well';

export const asked: Message[] = [];

export const CHUNKS: Readonly<Record<string, readonly Message[]>> = {
  'doc-chunks.json': [
    chunk('doc-auth', 'documentation', 'Why tokens expire: authentication design decisions', [
      'documentation',
      'architecture',
    ]),
    chunk('doc-setup', 'documentation', 'How to set up the project', ['documentation']),
  ],
  'code-symbols.json': [
    chunk('code-symbols-auth', 'symbols', 'Package: auth Types: AuthHandler struct', ['code', 'go', 'symbols']),
  ],
  'code-definitions.json': [
    chunk('def-login', 'definitions', 'func Login authentication handler implementation', [
      'code',
      'go',
      'definitions',
    ]),
    chunk('def-cart', 'definitions', 'function total of the cart', ['code', 'typescript', 'definitions']),
  ],
  'code-data.json': [chunk('data-db', 'data', 'database connection settings timeout', ['code', 'go', 'data'])],
};

export function chunk(id: string, chunk_type: string, text: string, tags: string[]): Message {
  return {
    id,
    chunk_type,
    title: `${id} title`,
    text,
    tags,
    metadata: { source: 'code', file_path: 'internal/auth/handler.go', language: 'go', start_line: 3, end_line: 9 },
    created_at: '2025-10-16T12:35:00Z',
    updated_at: '2025-10-16T12:36:00Z',
  };
}

export function fileText(list: readonly Message[], dims = DIMS): string {
  const _metadata = { model: 'test', dimensions: dims, generated: '2025-10-16T12:35:00Z', version: '2.0.0' };
  return JSON.stringify({ _metadata, chunks: list.map((one) => ({ ...one, embedding: embedding(one.text, dims) })) });
}

export function writeFolder(folder: string, files = CHUNKS): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, list] of Object.entries(files)) writeFileSync(join(folder, name), fileText(list));
}

export interface Places {
  readonly chunksDir?: string;
  readonly failFast?: boolean;
  readonly address?: string;
  readonly embedTimeoutMs?: number;
}

/** The profile as the composition root makes it, with the real client of the embedding service. */
export function profileOf({ chunksDir, failFast = true, address = endpoint, embedTimeoutMs }: Places = {}): Profile {
  const environment = { CORTEX_EMBEDDING_ENDPOINT: address, ...(chunksDir && { CORTEX_CHUNKS_DIR: chunksDir }) };
  const loadPlaces = async () => {
    const { endpoint: baseUrl, ...places } = await loadCortexConfig(box.project, environment);
    const { embed } = createEmbedder({ provider: 'cortex', baseUrl, dims: places.dimensions, maxAttempts: 1 });
    const embedQuery = async (text: string, signal?: AbortSignal) => (await embed([text], 'query', signal))[0]!;
    return { ...places, embedQuery, ...(embedTimeoutMs && { embedTimeoutMs }) };
  };
  return createProfile({
    workspace: box.project,
    version: '1',
    log: (level, message, fields = {}) => log.push({ level, message, fields }),
    settings: { cortex: { failFast, loadPlaces } },
    engine: async () => box.engine,
  });
}

export async function open(profile = profileOf(), workspace = box.project): Promise<RawClient> {
  const raw = rawClient({ profile, engine: box.engine, workspace });
  opened.push({ raw, profile });
  await raw.initialize();
  return raw;
}

export async function search(raw: RawClient, query: string, more: Message = {}): Promise<Message> {
  const answer = await raw.request('tools/call', { name: 'cortex_search', arguments: { query, ...more } });
  assert.equal(answer.error, undefined, JSON.stringify(answer.error));
  assert.deepEqual(JSON.parse(answer.result.content[0].text), answer.result.structuredContent);
  return answer.result.structuredContent;
}

export async function refused(raw: RawClient, args: Message, code: number): Promise<Message> {
  const { error } = await raw.request('tools/call', { name: 'cortex_search', arguments: args });
  assert.equal(error?.code, code, JSON.stringify(error));
  return error;
}

export const ids = (answer: Message): string[] => answer.results.map(({ chunk: { id } }: Message) => id);

export async function until(what: string, met: () => Promise<boolean> | boolean): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await met()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}

/** How the embedding service behaves from now on. */
export function setService(behaviour: typeof served): void {
  served = behaviour;
}

const service = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { texts, mode } = JSON.parse(body);
  asked.push({ path: request.url, texts, mode });
  if (served === 'silent') return;
  response.writeHead(served === 'broken' ? 500 : 200, { 'content-type': 'application/json' });
  const dims = served === 'short' ? 256 : DIMS;
  response.end(JSON.stringify({ embeddings: texts.map((text: string) => embedding(text, dims)) }));
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
export const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/embed`;
await box.engine.index(box.project);
writeFolder(chunks);

after(async () => {
  for (const { raw } of opened) await raw.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await box.close();
});
