/** The protocol over HTTP: who may call, what is refused, sessions, limits, many clients, the end. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Engine } from '../../src/engine/engine.ts';
import { EngineError } from '../../src/model/records/engine-errors.ts';
import { type HttpHandle, type ServeHttpOptions, serveHttp } from '../../src/transports/index.ts';
import { envelope, TASKS } from './raw-client.ts';
import { noEngine, toyProfile } from './toy-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-http-'));
const serve = (options: Partial<ServeHttpOptions> = {}) =>
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

let server: HttpHandle;
before(async () => {
  server = await serve();
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Plain requests, because `fetch` forbids setting Host. */
function send(
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

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});
const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(`${server.url}${path}`, { headers: { ...JSON_HEADERS, ...headers }, body });

async function connected(url: string, options: ConstructorParameters<typeof Client>[1] = {}): Promise<Client> {
  const client = new Client({ name: 't', version: '1' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

test('the first profile at /mcp, each under its name; both eras', async () => {
  for (const path of ['/mcp', '/mcp/toy', '/mcp/other'])
    for (const options of [{}, { versionNegotiation: { mode: { pin: '2026-07-28' } } }] as const) {
      const client = await connected(server.url + path, options);
      const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
      assert.deepEqual(result.structuredContent, { text: 'hi' });
      await client.close();
    }
  assert.equal((await post('/mcp/nothing', INITIALIZE)).status, 404);
});

test('a foreign Host or Origin is refused, a local or absent Origin is not', async () => {
  for (const headers of [
    { host: 'evil.example' },
    { host: 'evil.example:80' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'file://' },
    { host: '127.0.0.1.evil.example' },
  ] as Record<string, string>[])
    assert.equal((await post('/mcp', INITIALIZE, headers)).status, 403, JSON.stringify(headers));
  for (const headers of [{ origin: 'http://localhost:3000' }, { host: 'localhost' }, {}] as Record<string, string>[])
    assert.equal((await post('/mcp', INITIALIZE, headers)).status, 200, JSON.stringify(headers));
});

test('another address wants a token, compares it, and never shows it', async () => {
  await assert.rejects(serve({ host: '0.0.0.0' }), /--token-file/);
  const path = join(folder, 'token');
  const tokenFile = { path, create: false };
  writeFileSync(path, 'short\n', { mode: 0o600 });
  await assert.rejects(serve({ host: '0.0.0.0', tokenFile }), /16/);
  for (const unsendable of [
    'two words of some length',
    'first-line-of-it\nsecond-line-of-it',
    'schlüssel-von-einiger-länge',
  ]) {
    writeFileSync(path, unsendable);
    await assert.rejects(serve({ tokenFile }), /one word/, unsendable);
  }
  await assert.rejects(serve({ tokenFile: { path: folder, create: false } }), {
    code: 'invalid_input',
    message: /cannot be read/,
  });
  const token = 'a-token-of-enough-length';
  writeFileSync(path, `${token}\n`);
  const logged: string[] = [];
  const open = await serve({ host: '0.0.0.0', tokenFile, log: (...parts) => logged.push(JSON.stringify(parts)) });
  try {
    assert.doesNotMatch(open.url, /0\.0\.0\.0/, 'an address that can be typed in elsewhere');
    const url = `http://127.0.0.1:${open.port}`;
    const attempt = (authorization?: string) =>
      send(`${url}/mcp`, { headers: { ...JSON_HEADERS, ...(authorization && { authorization }) }, body: INITIALIZE });
    const refused = await attempt();
    assert.equal(refused.status, 401);
    assert.equal(refused.headers['www-authenticate'], 'Bearer');
    assert.equal((await attempt('Bearer wrong')).status, 401);
    assert.equal((await attempt(`Basic ${token}`)).status, 401);
    assert.equal((await attempt(`Bearer ${token}`)).status, 200);
    assert.equal((await send(`${url}/metrics`, { method: 'GET' })).status, 401);
    assert.equal((await send(`${url}/healthz`, { method: 'GET' })).status, 200);
    assert.equal(logged.join().includes(token), false);
  } finally {
    await open.close();
  }
});

test('a loopback server makes a token that only its owner can read, and keeps it', async () => {
  const tokenFile = { path: join(folder, 'data', 'token'), create: true };
  const servers = await Promise.all([serve({ tokenFile }), serve({ tokenFile })]);
  try {
    const [one, other] = servers.map(({ token }) => token);
    assert.match(one!, /^[\w-]{43}$/);
    assert.equal(one, other, 'servers that start at once share it');
    assert.equal(readFileSync(tokenFile.path, 'utf8'), `${one}\n`);
    if (process.platform !== 'win32') assert.equal(statSync(tokenFile.path).mode & 0o777, 0o600);
    const url = `${servers[0]!.url}/mcp`;
    assert.equal((await send(url, { headers: JSON_HEADERS, body: INITIALIZE })).status, 401);
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${one}` };
    assert.equal((await send(url, { headers, body: INITIALIZE })).status, 200);
    await assert.rejects(
      serve({ host: '0.0.0.0', tokenFile }),
      /--token-file/,
      'others need one that was made for them',
    );
  } finally {
    for (const one of servers) await one.close();
  }
});

test('a token file that others can read or write is refused', { skip: process.platform === 'win32' }, async () => {
  for (const create of [true, false])
    for (const mode of [0o644, 0o640, 0o620, 0o604]) {
      const path = join(folder, `token-${mode.toString(8)}-${create}`);
      writeFileSync(path, 'a-token-of-enough-length\n');
      chmodSync(path, mode);
      const refused = { code: 'invalid_input', message: new RegExp(`mode ${mode.toString(8)}`) };
      await assert.rejects(serve({ tokenFile: { path, create } }), refused);
    }
});

test('a request without the token learns nothing', async () => {
  const tokenFile = { path: join(folder, 'silent', 'token'), create: true };
  const own = await serve({ tokenFile });
  try {
    const answers = new Set<string>();
    for (const path of ['/mcp', '/mcp/toy', '/mcp/nothing', '/metrics', '/', '/nothing'])
      for (const body of ['{', INITIALIZE]) {
        const { status, headers, text } = await send(own.url + path, { headers: JSON_HEADERS, body });
        answers.add(`${status} ${Object.keys(headers).sort()} ${text}`);
      }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    assert.match([...answers][0]!, /^401 /);
    // A client that asks for a way to authorize must learn that there is none.
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server'])
      assert.equal((await send(own.url + path, { method: 'GET' })).status, 404, path);
  } finally {
    await own.close();
  }
});

test('a client reaches the workspace and, on loopback, registered projects: no other folder of the machine', async () => {
  const tokenFile = { path: join(folder, 'token-of-many'), create: false };
  const token = 'a-token-of-enough-length';
  writeFileSync(tokenFile.path, token, { mode: 0o600 });
  const workspace = join(folder, 'served');
  mkdirSync(join(workspace, 'src'), { recursive: true });
  symlinkSync(folder, join(workspace, 'out'));
  const registered = join(folder, 'registered');
  mkdirSync(registered);
  const asked: string[] = [];
  const engine = {
    readFile: (path: string) => {
      asked.push(path);
      return Promise.reject(new EngineError('file_not_found', { path: 'x' }));
    },
    findPaths: () => Promise.resolve([]),
    registeredRoots: () => Promise.resolve([join(folder, 'registered')]),
  } as unknown as Engine;
  const options = { profiles: ['sextant'] as const, engine, workspace, tokenFile };
  const codes = async (host: string) => {
    const open = await serve({ ...options, host });
    const client = new Client({ name: 't', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    const address = new URL(`http://127.0.0.1:${open.port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
    const found: string[] = [];
    for (const project of [
      undefined,
      'src',
      '..',
      folder,
      '/etc',
      join(workspace, 'out'),
      join(folder, 'gone'),
      registered,
    ]) {
      const { structuredContent } = await client.callTool({
        name: 'read_file',
        arguments: { path: 'x', ...(project && { project }) },
      });
      found.push((structuredContent as { error: { code: string } }).error.code);
    }
    await client.close();
    await open.close();
    return found;
  };
  const [here, away] = ['file_not_found', 'not_served'];
  assert.deepEqual(await codes('0.0.0.0'), [here, here, away, away, away, away, away, away]);
  assert.deepEqual(asked, [workspace, join(workspace, 'src')]);
  assert.deepEqual(await codes('127.0.0.1'), [here, here, away, away, away, away, away, here]);
});

test('bodies that are no JSON, too large, or come before initialize', async () => {
  const broken = await post('/mcp', '{"jsonrpc":');
  assert.deepEqual([broken.status, JSON.parse(broken.text).error.code], [400, -32700]);
  const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { a: 'x'.repeat(10_000_000) } });
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
    const refused = await post('/mcp', large, headers);
    assert.deepEqual([refused.status, JSON.parse(refused.text).error.code], [413, -32600], JSON.stringify(headers));
  }
  const foreign = await post('/mcp', Buffer.from(INITIALIZE.replace('"t"', '"caf\xe9"'), 'latin1'));
  assert.deepEqual([foreign.status, JSON.parse(foreign.text).error.code], [400, -32700]);
  const deep = await post('/mcp', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
  assert.deepEqual([deep.status, JSON.parse(deep.text).error.code], [413, -32600]);
  const many = `{${Array.from({ length: 300_000 }, (_, i) => `"k${i}":1`).join(',')}}`;
  const keys = await post('/mcp', INITIALIZE.replace('"capabilities":{}', `"capabilities":${many}`));
  assert.deepEqual(
    [keys.status, JSON.parse(keys.text).error.message],
    [413, 'Request too large: more than 20000 keys and values.'],
  );
  const long = await post('/mcp', INITIALIZE.replace('"t"', `"${'t'.repeat(100_000)}"`));
  assert.deepEqual([long.status, JSON.parse(long.text).error.code], [413, -32600], 'a session keeps its greeting');
  const greeting = await post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 6, method: 'initialize', params: {} }));
  assert.deepEqual([JSON.parse(greeting.text).id, JSON.parse(greeting.text).error.code], [6, -32602]);
  const early = await post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' }));
  assert.equal(early.status, 400);
  assert.deepEqual([JSON.parse(early.text).id, JSON.parse(early.text).error.code], [7, -32600]);
  const { status, headers } = await post('/mcp', INITIALIZE);
  assert.equal(status, 200);
  const params = { name: 'echo', arguments: { text: 'hi' }, _meta: { progressToken: null } };
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  const called = JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'tools/call', params });
  assert.match((await post('/mcp', called, session)).text, /"text":"hi"/, 'null is not set');
  const bare = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: null });
  assert.match((await post('/mcp', bare, session)).text, /"tools":/, 'no parameters at all');
});

test('a body of another type, which a browser would send to any server unasked, is refused before it is read', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])
    for (const path of ['/mcp', '/mcp/toy']) {
      const { status, text } = await post(path, INITIALIZE, { 'content-type': type });
      assert.deepEqual([status, JSON.parse(text).error.code], [415, -32000], type);
    }
  assert.equal((await post('/mcp', INITIALIZE, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
  assert.equal((await post('/mcp', INITIALIZE, { accept: 'application/json' })).status, 406);
});

test('greeting makes no server of its own, the first request does', async () => {
  const profile = toyProfile();
  let listeners = 0;
  const { onChange } = profile.tools;
  profile.tools.onChange = (tell) => {
    listeners++;
    return onChange.call(profile.tools, tell);
  };
  const own = await serve({ profiles: [profile] });
  try {
    const before = listeners;
    const greeted = await Promise.all(
      Array.from({ length: 20 }, () => send(`${own.url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE })),
    );
    assert.deepEqual([greeted.filter(({ status }) => status === 200).length, listeners - before], [20, 0]);
    const session = { ...JSON_HEADERS, 'mcp-session-id': String(greeted[0]!.headers['mcp-session-id']) };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    await Promise.all([1, 2].map(() => send(`${own.url}/mcp`, { headers: session, body })));
    assert.equal(listeners - before, 1);
  } finally {
    await own.close();
  }
});

test('other methods and addresses that are none are refused as such; a whole address is one', async () => {
  for (const method of ['PUT', 'OPTIONS', 'HEAD']) {
    const refused = await send(`${server.url}/mcp`, { method, headers: JSON_HEADERS });
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'POST, GET, DELETE'], method);
  }
  const { port } = new URL(server.url);
  const ask = (first: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(
          `${first} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: ${JSON_HEADERS.accept}\r\nConnection: close\r\nContent-Length: ${INITIALIZE.length}\r\n\r\n${INITIALIZE}`,
        ),
      );
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
  assert.match(await ask('POST //'), /^HTTP\/1\.1 400 /);
  assert.match(await ask(`POST http://127.0.0.1:${port}/mcp`), /^HTTP\/1\.1 200 /);
});

test('a batch is served in 2025-03-26 and refused elsewhere', async () => {
  const batch = JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
  for (const [version, status] of [
    ['2025-03-26', 200],
    ['2025-11-25', 400],
  ] as const) {
    const { headers } = await post('/mcp', INITIALIZE.replace('2025-11-25', version));
    const session = { 'mcp-session-id': String(headers['mcp-session-id']), 'mcp-protocol-version': version };
    const answer = await post('/mcp', batch, session);
    assert.equal(answer.status, status, version);
    if (status === 400) assert.equal(JSON.parse(answer.text).error.code, -32600);
    else assert.equal(answer.text.match(/"result"/g)?.length, 2);
  }
});

test('a new session replaces the one that was idle longest if there are too many', async () => {
  const own = await serve({ profiles: [toyProfile()], maxSessions: 2, sessionSafeMs: 0 });
  const open = () => send(`${own.url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE });
  const idOf = ({ headers }: Answer) => ({ ...JSON_HEADERS, 'mcp-session-id': String(headers['mcp-session-id']) });
  const ping = (headers: Record<string, string>) =>
    send(`${own.url}/mcp`, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }) });
  try {
    const first = idOf(await open());
    const second = idOf(await open());
    assert.equal((await ping(first)).status, 200);
    const third = idOf(await open());
    assert.deepEqual(
      await Promise.all([first, second, third].map(async (headers) => (await ping(headers)).status)),
      [200, 404, 200],
    );
    const streams = [first, third].map((headers) => httpRequest(`${own.url}/mcp`, { headers, agent: false }).end());
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('response', resolve))));
    assert.equal((await open()).status, 503, 'those in use stay');
    for (const stream of streams) stream.destroy();
  } finally {
    await own.close();
  }
});

test('more sessions than fit are refused, told when to come again, and cost those that are open nothing', async () => {
  const own = await serve({ profiles: [toyProfile()], maxSessions: 20 });
  try {
    const open = () => send(`${own.url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE });
    const answers = await Promise.all(Array.from({ length: 50 }, open));
    const opened = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 503);
    assert.deepEqual([opened.length, refused.length], [20, 30]);
    for (const { headers, text } of refused) {
      assert.equal(headers['retry-after'], '60');
      assert.match(JSON.parse(text).error.message, /Too many sessions/);
    }
    for (const { headers } of opened) {
      const session = { ...JSON_HEADERS, 'mcp-session-id': String(headers['mcp-session-id']) };
      const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
      assert.equal((await send(`${own.url}/mcp`, { headers: session, body: ping })).status, 200);
    }
  } finally {
    await own.close();
  }
});

test('a session that was only greeted is whole when it is used: version, capabilities, roots', async () => {
  const message = (id: number, method: string, params?: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', ...(id > 0 && { id }), method, ...(params !== undefined && { params }) });
  const greeted = await post('/mcp', INITIALIZE.replace('2025-11-25', '2025-03-26'));
  assert.equal(JSON.parse(greeted.text).result.protocolVersion, '2025-03-26');
  const session = { 'mcp-session-id': String(greeted.headers['mcp-session-id']) };
  assert.equal((await post('/mcp', message(0, 'notifications/initialized'), session)).status, 202);
  const calls = await Promise.all(
    [2, 3].map((id) =>
      post('/mcp', message(id, 'tools/call', { name: 'echo', arguments: { text: `n${id}` } }), session),
    ),
  );
  assert.deepEqual(
    calls.map(({ status, text }) => [status, /n\d/.exec(text)?.[0]]),
    [
      [200, 'n2'],
      [200, 'n3'],
    ],
  );
  assert.match(
    (await post('/mcp', `[${message(4, 'ping')}]`, session)).text,
    /"result"/,
    'batches, as its version has them',
  );
  assert.equal((await post('/mcp', INITIALIZE, session)).status, 400, 'it is initialized');
  const idle = await post('/mcp', INITIALIZE);
  const gone = { ...JSON_HEADERS, 'mcp-session-id': String(idle.headers['mcp-session-id']) };
  assert.equal((await send(`${server.url}/mcp`, { method: 'DELETE', headers: gone })).status, 200);
  assert.equal((await post('/mcp', message(2, 'ping'), gone)).status, 404);
});

test('a port that is taken leaves nothing behind', async () => {
  let stopped = 0;
  const stop = async () => {
    stopped++;
  };
  const { port } = new URL(server.url);
  await assert.rejects(serve({ port: Number(port), profiles: [{ ...toyProfile(), stop }] }), /EADDRINUSE/);
  assert.equal(stopped, 1);
});

test('a session ends with DELETE and by lying idle', async () => {
  const opened = await post('/mcp', INITIALIZE);
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  assert.equal((await post('/mcp', ping, session)).status, 200);
  assert.equal(
    (await send(`${server.url}/mcp`, { method: 'DELETE', headers: { ...JSON_HEADERS, ...session } })).status,
    200,
  );
  assert.equal((await post('/mcp', ping, session)).status, 404);
  const brief = await serve({ sessionIdleMs: 30 });
  try {
    const { headers } = await send(`${brief.url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE });
    const idle = { ...JSON_HEADERS, 'mcp-session-id': String(headers['mcp-session-id']) };
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal((await send(`${brief.url}/mcp`, { headers: idle, body: ping })).status, 404);
  } finally {
    await brief.close();
  }
});

test('a session of one profile is none of another', async () => {
  const { headers } = await post('/mcp/toy', INITIALIZE);
  const foreign = { 'mcp-session-id': String(headers['mcp-session-id']) };
  assert.equal(
    (await post('/mcp/other', JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }), foreign)).status,
    404,
  );
});

test('200 clients at once, each with its own session, no error', async () => {
  const results = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const client = await connected(`${server.url}/mcp`);
      const { structuredContent } = await client.callTool({ name: 'echo', arguments: { text: `client ${i}` } });
      await client.close();
      return structuredContent;
    }),
  );
  assert.deepEqual(
    results,
    Array.from({ length: 200 }, (_, i) => ({ text: `client ${i}` })),
  );
});

test('a client that vanishes in the middle of a call does no harm', async () => {
  const { port } = new URL(server.url);
  const { headers } = await post('/mcp', INITIALIZE);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'slow', arguments: { ms: 300 } },
  });
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Session-Id: ${headers['mcp-session-id']}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        () => setTimeout(() => resolve(void socket.destroy()), 30),
      );
    });
  });
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"half', () =>
        resolve(void socket.destroy()),
      );
    });
  });
  const client = await connected(`${server.url}/mcp`);
  assert.equal((await client.callTool({ name: 'echo', arguments: { text: 'alive' } })).isError ?? false, false);
  await client.close();
});

test('a profile that cannot start is reported at its own path, and the others are served', async () => {
  const broken = {
    ...toyProfile(),
    name: 'broken',
    start: async () => {
      throw new Error('no chunk folder');
    },
  };
  const own = await serve({ profiles: [toyProfile(), broken] });
  try {
    const refused = await send(`${own.url}/mcp/broken`, { headers: JSON_HEADERS, body: INITIALIZE });
    assert.equal(refused.status, 503);
    assert.match(refused.text, /no chunk folder/);
    assert.equal((await send(`${own.url}/mcp`, { headers: JSON_HEADERS, body: INITIALIZE })).status, 200);
  } finally {
    await own.close();
  }
  await assert.rejects(serve({ profiles: [broken] }), /no chunk folder/);
});

test('an engine that cannot be opened is refused in the form of the contract, and asked again', async () => {
  let attempts = 0;
  const own = await serve({
    profiles: ['gocontext', 'sextant'],
    engine: async () => {
      attempts++;
      throw new EngineError('store_unwritable', { path: '/data', reason: 'read-only' });
    },
  });
  try {
    const client = await connected(`${own.url}/mcp/sextant`);
    for (let i = 1; i <= 2; i++) {
      const { isError, structuredContent } = await client.callTool({ name: 'get_status', arguments: { path: folder } });
      assert.equal(isError, true);
      assert.equal((structuredContent as { error: { code: string } }).error.code, 'store_unwritable');
      assert.equal(attempts, i);
    }
    await client.close();
    const go = await connected(`${own.url}/mcp/gocontext`);
    await assert.rejects(go.callTool({ name: 'get_status', arguments: { path: folder } }), { code: -32603 });
    await go.close();
  } finally {
    await own.close();
  }
});

test('/healthz and /metrics', async () => {
  const own = await serve({ profiles: [toyProfile()] });
  try {
    const client = await connected(`${own.url}/mcp`);
    await client.callTool({ name: 'echo', arguments: { text: 'x' } });
    await client.callTool({ name: 'echo', arguments: {} });
    await client.callTool({ name: 'crash', arguments: {} });
    await client.callTool({ name: 'refuse', arguments: { code: -32001 } }).catch(() => {});
    const metrics = await send(`${own.url}/metrics`, { method: 'GET' });
    assert.match(String(metrics.headers['content-type']), /^text\/plain; version=0\.0\.4/);
    for (const line of [
      'sextant_tool_calls_total{profile="toy",tool="echo",outcome="ok"} 1',
      'sextant_tool_calls_total{profile="toy",tool="echo",outcome="invalid_input"} 1',
      'sextant_tool_calls_total{profile="toy",tool="crash",outcome="internal_error"} 1',
      'sextant_tool_calls_total{profile="toy",tool="refuse",outcome="rpc_32001"} 1',
      'sextant_tool_duration_seconds_bucket{profile="toy",tool="echo",le="+Inf"} 2',
      'sextant_sessions 1',
    ])
      assert.ok(metrics.text.includes(`${line}\n`), `${line}\n--\n${metrics.text}`);
    assert.equal((await send(`${own.url}/healthz`, { method: 'GET' })).text, '{"status":"ok"}\n');
    await client.close();
  } finally {
    await own.close();
  }
});

test('closing ends open streams and running work, and frees the port', async () => {
  const seen: { aborted?: boolean } = {};
  const own = await serve({ profiles: [toyProfile(seen)] });
  const client = await connected(`${own.url}/mcp`);
  const running = client.callTool({ name: 'slow', arguments: { ms: 60_000 } }).catch((error: Error) => error);
  await client.callTool({ name: 'echo', arguments: { text: 'x' } });
  await own.close();
  assert.equal(seen.aborted, true);
  await assert.rejects(send(`${own.url}/healthz`, { method: 'GET' }), /ECONNREFUSED/);
  await client.close();
  await running;
});

test('2026-07-28: a stream tells the status of tasks and ends with the server', async () => {
  const own = await serve({ profiles: [toyProfile()] });
  const ask = (method: string, params: Record<string, unknown>, name = 'x') =>
    fetch(`${own.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: envelope(TASKS) } }),
    });
  try {
    const call = await ask('tools/call', { name: 'slow', arguments: { ms: 600 } }, 'slow');
    const { taskId } = ((await call.json()) as { result: { taskId: string } }).result;
    const stream = await ask('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    assert.match(stream.headers.get('content-type') ?? '', /event-stream/);
    let text = '';
    let closing: Promise<void> | undefined;
    for await (const chunk of stream.body!) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"completed"')) closing ??= own.close();
    }
    await closing;
    const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
    assert.deepEqual(
      messages.map(({ method, params, id }) => [method ?? 'result', params?.status ?? params?.notifications ?? id]),
      [
        ['notifications/subscriptions/acknowledged', { taskIds: [taskId] }],
        ['notifications/tasks', 'working'],
        ['notifications/tasks', 'completed'],
        ['result', 7],
      ],
    );
    assert.deepEqual(messages[2].params.result.structuredContent, { done: true });
  } finally {
    await own.close();
  }
});

test('a page may be served at the addresses that are left', async () => {
  const own = await serve({
    page: (request, response) => {
      if (request.url !== '/') return false;
      response.end('<!doctype html>');
      return true;
    },
  });
  try {
    assert.equal((await send(`${own.url}/`, { method: 'GET' })).text, '<!doctype html>');
    assert.equal((await send(`${own.url}/nothing`, { method: 'GET' })).status, 404);
  } finally {
    await own.close();
  }
});
