/** Sessions over HTTP: their beginning, their limit and their end. */
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type Answer, connected, INITIALIZE, JSON_HEADERS, post, send, serve, server } from './http-setup.ts';
import { toyProfile } from './toy-profile.ts';

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

test('sessions beyond the limit are refused with a time to come again, and cost open sessions nothing', async () => {
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
