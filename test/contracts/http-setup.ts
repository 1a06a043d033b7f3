/** A server over HTTP for tests, and requests to it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type HttpHandle, type ServeHttpOptions, serveHttp } from '../../src/transports/index.ts';
import { noEngine, toyProfile } from './toy-profile.ts';

export const folder = mkdtempSync(join(tmpdir(), 'sextant-http-'));

export const serve = (options: Partial<ServeHttpOptions> = {}) =>
  serveHttp({
    profiles: [toyProfile(), { ...toyProfile(), name: 'other' }],
    engine: noEngine,
    workspace: null,
    version: '0.0.0',
    log: () => {},
    host: '127.0.0.1',
    port: 0,
    ...options,
  });

export let server: HttpHandle;

before(async () => {
  server = await serve();
});

after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Plain requests, because `fetch` forbids setting Host. */
export function send(
  url: string,
  {
    method = 'POST',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

export const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(`${server.url}${path}`, { headers: { ...JSON_HEADERS, ...headers }, body });

export async function connected(url: string, options: ConstructorParameters<typeof Client>[1] = {}): Promise<Client> {
  const client = new Client({ name: 't', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}
