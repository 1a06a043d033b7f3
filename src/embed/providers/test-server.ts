/** A real HTTP server for the providers' tests: records requests, and replies as the test sets it up. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Never answers. */
  readonly silent?: boolean;
}

export interface TestServer {
  readonly url: string;
  readonly asked: Asked[];
  reply: (asked: Asked, number: number) => Reply;
  close(): Promise<void>;
}

export async function startServer(reply: TestServer['reply']): Promise<TestServer> {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const entry = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as Asked['body'] };
      asked.push(entry);
      const answer = handle.reply(entry, asked.length);
      if (answer.silent) return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const handle: TestServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    reply,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return handle;
}
