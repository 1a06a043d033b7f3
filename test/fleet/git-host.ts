/** A code host on the loopback: lists repositories of a folder by its API, and serves them to git over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** `field`: what the API calls the address of a repository. */
export async function startGitHost(
  context: TestContext,
  root: string,
  field: string,
  names: readonly string[],
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url!.includes('.git/')) return serveGit(root, request, response);
    const { port } = server.address() as AddressInfo;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(names.map((name) => ({ [field]: `http://127.0.0.1:${port}/${name}/.git` }))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** By git's own CGI program. */
function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, 'http://host');
  const child = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.once('close', () => {
    const answer = Buffer.concat(parts);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer.toString('latin1', 0, end).split('\r\n');
    for (const line of headers) {
      const [name, value] = line.split(': ', 2);
      if (name === 'Status') response.statusCode = Number.parseInt(value!, 10);
      else response.setHeader(name!, value!);
    }
    response.end(answer.subarray(end + 4));
  });
}
