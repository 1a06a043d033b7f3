/** The protocol over HTTP: who may call, what is refused, sessions, limits, many clients, the end. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { EngineError } from '../../src/model/records/engine-errors.ts';
import { connected, folder, INITIALIZE, JSON_HEADERS, post, send, serve, server } from './http-setup.ts';
import { envelope, TASKS } from './raw-client.ts';
import { toyProfile } from './toy-profile.ts';

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

test('a port that is taken leaves nothing behind', async () => {
  let stopped = 0;
  const stop = async () => {
    stopped++;
  };
  const { port } = new URL(server.url);
  await assert.rejects(serve({ port: Number(port), profiles: [{ ...toyProfile(), stop }] }), /EADDRINUSE/);
  assert.equal(stopped, 1);
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

test('/healthz and /metrics answer', async () => {
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
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const own = await serve({ profiles: [toyProfile({ held })] });
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
      if (text.includes('"working"')) finish();
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
