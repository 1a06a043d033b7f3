/** The shipped server as a process: how it meets what no well-behaved client sends, and how it ends. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Message } from './raw-client.ts';
import { connectHttp, processEnv, root, sandbox, tokenHeader } from './real-engine.ts';

const box = sandbox();
before(() => box.engine.index(box.project));
after(() => box.close());

interface Server {
  readonly child: ChildProcessWithoutNullStreams;
  send(message: Message | string): void;
  until(fits: (message: Message) => boolean): Promise<Message>;
  readonly lines: readonly string[];
  readonly exit: Promise<[number | null, string | null]>;
}

function start(): Server {
  const args = [join(root, 'dist/main.js'), 'serve-mcp', '--workspace', box.project];
  const child = spawn(process.execPath, args, { cwd: box.folder, env: processEnv(box) });
  const lines: string[] = [];
  let rest = '';
  const looking = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
    for (const look of looking) look();
  });
  child.stdin.on('error', () => {});
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  const send = (message: Message | string) => {
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  return {
    child,
    lines,
    exit,
    send,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.map((line) => JSON.parse(line) as Message).find(fits);
          if (!found) return;
          looking.delete(look);
          resolve(found);
        };
        looking.add(look);
        void exit.then(([code]) => reject(new Error(`the server ended with ${code}`)));
        look();
      }),
  };
}

const INITIALIZE = {
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const INDEX = { id: 'index', method: 'tools/call', params: { name: 'index_codebase', arguments: { force: true } } };

test('nothing that arrives brings it down, each gets its error, and standard output is messages only', async () => {
  const server = start();
  const code = async (id: unknown) => (await server.until((m) => m.id === id && 'error' in m)).error.code;
  server.send({ id: 'early', method: 'tools/list' });
  assert.equal(await code('early'), -32600);
  server.send('{broken');
  assert.equal((await server.until((m) => m.error?.code === -32700)).id, null);
  for (const line of ['[]', '42', 'null', '"text"', '{"jsonrpc":"1.0","id":7,"method":"ping"}']) server.send(line);
  assert.equal(await code(7), -32600);
  server.send(INITIALIZE);
  await server.until((m) => m.id === 'init' && 'result' in m);
  server.send({ method: 'notifications/initialized' });
  server.send({ id: 'odd', method: 'no/such/method' });
  assert.equal(await code('odd'), -32601);
  const query = 'x'.repeat(10 * 1024 * 1024);
  server.send({ id: 'large', method: 'tools/call', params: { name: 'search_code', arguments: { query } } });
  assert.equal(await code('large'), -32600);
  server.send({ id: 'text', method: 'tools/call', params: { name: 'search_code', arguments: 'cart' } });
  assert.equal(await code('text'), -32602);
  server.send({ method: 'notifications/nonsense' });
  server.send({ id: 'next', method: 'tools/call', params: { name: 'search_code', arguments: { query: 'cart' } } });
  const { result } = await server.until((m) => m.id === 'next');
  assert.equal(result.structuredContent.results[0].path, 'web/cart.ts');
  server.child.stdin.end();
  assert.deepEqual(await server.exit, [0, null]);
  for (const line of server.lines) assert.equal(JSON.parse(line).jsonrpc, '2.0', line);
});

for (const [how, leave] of [
  ['a client that closes its end', (server: Server) => server.child.stdin.end()],
  [
    'a client that vanishes',
    (server: Server) => {
      server.child.stdin.destroy();
      server.child.stdout.destroy();
    },
  ],
  ['a signal', (server: Server) => server.child.kill('SIGTERM')],
] as const)
  test(`${how} in the middle of indexing: a clean end, and the index is whole`, async () => {
    const server = start();
    server.send(INITIALIZE);
    await server.until((m) => m.id === 'init');
    server.send({ ...INDEX, params: { ...INDEX.params, _meta: { progressToken: 1 } } });
    // Either it is at work, or another run is and it has been refused: both are in the middle.
    await server.until((m) => m.method === 'notifications/progress' || m.id === 'index');
    leave(server);
    assert.deepEqual(await server.exit, [0, null]);
    assert.deepEqual((await box.engine.verify(box.project)).faults, []);
  });

test('`sextant serve`: tools, page and figures at one address; a signal ends it cleanly', async () => {
  const args = [join(root, 'dist/main.js'), 'serve', '--port', '0', '--workspace', box.project];
  const child = spawn(process.execPath, args, { cwd: box.folder, env: processEnv(box) });
  const exit = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('Ctrl-C')) break;
  }
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output)!;
  assert.match(output, new RegExp(`In a browser: ${url}/\n`));
  const headers = tokenHeader(box.home);
  assert.ok(!output.includes(headers.authorization.slice('Bearer '.length)), 'a pipe may be a log');
  const page = await fetch(`${url}/`);
  assert.match(await page.text(), /^<!doctype html>/);
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  for (const profile of ['', '/sextant', '/gocontext', '/context-tool', '/codecompass', '/swiftindex', '/cortex']) {
    await assert.rejects(connectHttp(`${url}/mcp${profile}`));
    const client = await connectHttp(`${url}/mcp${profile}`, {}, headers);
    assert.ok((await client.listTools()).tools.length > 0, profile);
    await client.close();
  }
  const client = await connectHttp(`${url}/mcp`, {}, headers);
  await client.callTool({ name: 'get_status', arguments: {} });
  const figures = await (await fetch(`${url}/metrics`, { headers })).text();
  assert.match(figures, /sextant_tool_calls_total\{profile="sextant",tool="get_status",outcome="ok"\} 1\n/);
  // A session is still open: that must not hold the process.
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  await client.close().catch(() => {});
});
