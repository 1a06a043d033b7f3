/**
 * A client that sends any line a test gives it, line by line, and keeps every line it gets: for what well-behaved clients
 * never do.
 */
import { PassThrough } from 'node:stream';
import type { Profile, ProfileName } from '../../src/contracts/index.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { serveStdio } from '../../src/transports/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of a protocol under test
export type Message = Record<string, any>;

export interface RawClient {
  /** Sends a request and waits for its answer. */
  request(method: string, params?: Record<string, unknown>): Promise<Message>;
  notify(method: string, params?: Record<string, unknown>): void;
  /** Sends a line as it is. */
  line(text: string): void;
  bytes(chunk: Buffer): void;
  /** The first message, received or to come, that fits. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  readonly received: readonly Message[];
  initialize(version?: string, capabilities?: Record<string, unknown>): Promise<Message>;
  /** Ends the input and waits for the server to end. */
  close(): Promise<void>;
  readonly ended: Promise<void>;
}

export interface RawOptions {
  readonly profile: Profile | ProfileName;
  readonly engine: Engine | (() => Promise<Engine>);
  readonly workspace?: string | null;
}

export function rawClient({ profile, engine, workspace = null }: RawOptions): RawClient {
  const input = new PassThrough();
  const output = new PassThrough();
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      // A line that is not JSON would be the very fault these tests look for: let it throw.
      received.push(JSON.parse(text.slice(0, end)) as Message);
      text = text.slice(end + 1);
    }
    for (const look of waiting) look();
  });
  const ended = serveStdio({ profile, engine, workspace, version: '0.0.0', log: () => {}, input, output });
  let nextId = 1;
  const client: RawClient = {
    received,
    ended,
    line: (line) => client.bytes(Buffer.from(`${line}\n`)),
    bytes: (chunk) => {
      input.write(chunk);
    },
    notify: (method, params) => client.line(JSON.stringify({ jsonrpc: '2.0', method, params })),
    request(method, params) {
      const id = nextId++;
      client.line(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return client.until((message) => message.id === id && !('method' in message));
    },
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = received.find(fits);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async initialize(version = '2025-11-25', capabilities = {}) {
      const answer = await client.request('initialize', {
        protocolVersion: version,
        capabilities,
        clientInfo: { name: 'raw', version: '1' },
      });
      client.notify('notifications/initialized');
      return answer;
    },
    async close() {
      input.end();
      await ended;
    },
  };
  return client;
}

const META = 'io.modelcontextprotocol';
/** The `_meta` of a 2026-07-28 request. */
export function envelope(capabilities: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientInfo`]: { name: 'raw', version: '1' },
    [`${META}/clientCapabilities`]: capabilities,
  };
}
export const TASKS = { extensions: { [`${META}/tasks`]: {} } };
