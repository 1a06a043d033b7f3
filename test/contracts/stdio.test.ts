/** The protocol over streams: versions, refusals, broken input, ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, type Message, rawClient } from './raw-client.ts';
import { noEngine, toyProfile } from './toy-profile.ts';

const open = (seen = {}) => rawClient({ profile: toyProfile(seen), engine: noEngine });

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
  test(`a client of ${version} gets ${version} and nothing newer`, async () => {
    const client = open();
    const { result } = await client.initialize(version);
    assert.equal(result.protocolVersion, version);
    assert.equal(result.serverInfo.name, 'toy');
    assert.equal(result.instructions, 'Play.');
    assert.equal('title' in result.serverInfo, version >= '2025-06-18');
    assert.equal('icons' in result.serverInfo, version >= '2025-11-25');
    assert.equal('tasks' in result.capabilities, version >= '2025-11-25');
    const { result: list } = await client.request('tools/list');
    const [echo, slow] = list.tools as Message[];
    assert.deepEqual(Object.keys(echo!).sort(), [
      ...(version >= '2025-03-26' ? ['annotations'] : []),
      'description',
      ...(version >= '2025-11-25' ? ['icons'] : []),
      'inputSchema',
      'name',
      ...(version >= '2025-06-18' ? ['outputSchema', 'title'] : []),
    ]);
    assert.deepEqual(slow!.execution, version >= '2025-11-25' ? { taskSupport: 'optional' } : undefined);
    const { result: said } = await client.request('tools/call', { name: 'echo', arguments: { text: 'hi', times: 2 } });
    assert.deepEqual(
      said.content.map(({ type }: Message) => type),
      ['text', ...(version >= '2025-06-18' ? ['resource_link'] : []), version >= '2025-03-26' ? 'audio' : 'text'],
    );
    assert.deepEqual(JSON.parse(said.content[0].text), { text: 'hihi' });
    assert.deepEqual(said.structuredContent, version >= '2025-06-18' ? { text: 'hihi' } : undefined);
    await client.close();
  });

test('an unknown version gets the newest that has initialize', async () => {
  const client = open();
  assert.equal((await client.initialize('1999-01-01')).result.protocolVersion, '2025-11-25');
  await client.close();
});

test('2026-07-28 needs no handshake: discover, list and call with an envelope', async () => {
  const client = open();
  const discovered = await client.request('server/discover', { _meta: envelope() });
  assert.deepEqual(discovered.result.supportedVersions, ['2026-07-28']);
  assert.ok('io.modelcontextprotocol/tasks' in discovered.result.capabilities.extensions);
  assert.ok(!('tasks' in discovered.result.capabilities));
  const called = await client.request('tools/call', { name: 'echo', arguments: { text: 'hi' }, _meta: envelope() });
  assert.equal(called.result.resultType, 'complete');
  assert.deepEqual(called.result.structuredContent, { text: 'hi' });
  await client.close();
});

test('a call before initialize is refused, ping is not, and initialize still works', async () => {
  const client = open();
  const refused = await client.request('tools/list');
  assert.equal(refused.error.code, -32600);
  assert.match(refused.error.message, /not initialized/);
  assert.deepEqual((await client.request('ping')).result, {});
  assert.equal((await client.initialize()).result.protocolVersion, '2025-11-25');
  assert.ok((await client.request('tools/list')).result);
  await client.close();
});

test('broken lines get their errors and the server lives', async () => {
  const client = open();
  await client.initialize();
  client.line('{"jsonrpc": "2.0", "id": 5, "method": ');
  assert.equal((await client.until((m) => m.error?.code === -32700)).id, null);
  client.line('');
  client.line('{"id": 77, "method": "ping"}');
  assert.equal((await client.until((m) => m.id === 77)).error.code, -32600);
  client.line('"a text"');
  client.line('[]');
  await client.until(() => client.received.filter((m) => m.id === null && m.error?.code === -32600).length === 2);
  client.line('\u0000\u0001');
  await client.until(() => client.received.filter((m) => m.error?.code === -32700).length === 2);
  client.bytes(Buffer.from('{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"caf\xe9"}}\n', 'latin1'));
  await client.until(() => client.received.filter((m) => m.error?.code === -32700).length === 3);
  assert.equal((await client.request('no/such/method')).error.code, -32601);
  assert.equal((await client.request('tools/call', { name: 'nothing' })).error.code, -32602);
  assert.equal((await client.request('tools/call', {})).error.code, -32602);
  assert.equal((await client.request('tools/call', { name: 'echo', arguments: [1] })).error.code, -32602);
  assert.deepEqual((await client.request('ping')).result, {});
  await client.close();
});

test('every request is answered: null is not set, and what is said wrongly about it is refused', async () => {
  const client = open();
  await client.initialize();
  const params = { name: 'echo', arguments: { text: 'hi' } };
  for (const more of [{ _meta: null }, { _meta: { progressToken: null } }, { task: null }])
    assert.equal((await client.request('tools/call', { ...params, ...more })).result.structuredContent.text, 'hi');
  assert.ok('result' in (await client.request('tools/call', { name: 'slow', arguments: null })));
  client.line('{"jsonrpc": "2.0", "method": "notifications/initialized", "params": null}');
  client.line('{"jsonrpc": "2.0", "id": 80, "method": "tools/list", "params": null}');
  assert.ok((await client.until((m) => m.id === 80)).result?.tools, 'no parameters at all');
  client.line('{"jsonrpc": "2.0", "id": null, "method": "ping"}');
  assert.equal((await client.until((m) => m.id === null)).error.code, -32600, 'but an id is needed');
  for (const _meta of [5, 'x', { progressToken: {} }, { progressToken: 1.5 }])
    assert.equal((await client.request('tools/call', { ...params, _meta })).error.code, -32600, JSON.stringify(_meta));
  client.line('{"jsonrpc": "2.0", "id": 90, "method": "ping", "result": {}}');
  assert.equal((await client.until((m) => m.id === 90)).error.code, -32600);
  client.line('{"jsonrpc": "2.0", "id": 1152921504606846976, "method": "ping"}');
  assert.equal((await client.until((m) => m.id === 2 ** 60)).error.code, -32600);
  assert.deepEqual((await client.request('ping')).result, {});
  await client.close();
});

test('ten megabytes of arguments are refused by id, and the next call is answered', async () => {
  const client = open();
  await client.initialize();
  const refused = await client.request('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(10_000_000) } });
  assert.equal(refused.error.code, -32600);
  assert.match(refused.error.message, /too large/);
  const long = await client.request('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(1_000_000) } });
  assert.deepEqual(long.result.structuredContent.issues, [{ path: 'text', kind: 'length' }]);
  assert.deepEqual((await client.request('ping')).result, {});
  await client.close();
});

test('a message split anywhere, in the middle of a character too, is one message', async () => {
  const client = open();
  await client.initialize();
  const bytes = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 'split', method: 'tools/call', params: { name: 'echo', arguments: { text: 'größe 🧭' } } })}\n`,
  );
  for (const byte of bytes) client.bytes(Buffer.from([byte]));
  const answer = await client.until((message) => message.id === 'split');
  assert.equal(answer.result.structuredContent.text, 'größe 🧭');
  await client.close();
});

test('batches are answered as batches in 2025-03-26 and refused elsewhere', async () => {
  const batch = JSON.stringify([
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
    { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } },
  ]);
  const old = open();
  await old.initialize('2025-03-26');
  old.line(batch);
  const answers = (await old.until((message) => Array.isArray(message))) as unknown as Message[];
  assert.deepEqual(answers.map(({ id }) => id).sort(), ['a', 'b']);
  old.line(
    JSON.stringify([
      { jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'slow', arguments: { ms: 60_000 } } },
      { jsonrpc: '2.0', id: 'd', method: 'ping' },
    ]),
  );
  await old.request('ping');
  old.notify('notifications/cancelled', { requestId: 'c' });
  const rest = (await old.until((message) => Array.isArray(message) && message !== answers)) as unknown as Message[];
  assert.deepEqual(
    rest.map(({ id }) => id),
    ['d'],
    'the others are answered without the one that was cancelled',
  );
  await old.close();
  const client = open();
  await client.initialize();
  client.line(batch);
  assert.equal((await client.until((m) => m.error !== undefined)).error.code, -32600);
  await client.close();
});

test('the end of input ends the server, in the middle of a call too', async () => {
  const seen: { aborted?: boolean } = {};
  const client = open(seen);
  await client.initialize();
  client.line(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { name: 'slow', arguments: { ms: 60_000 } },
    }),
  );
  await client.request('ping');
  await client.close();
  assert.equal(seen.aborted, true);
  assert.equal((await client.until((m) => m.id === 9)).error.code, -32603, 'not silence');
});

test('input that ends at once still gets its answers', async () => {
  const client = open();
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  client.line(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }));
  client.line(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  client.line(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }));
  client.line(
    JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'slow', arguments: { ms: 100 } } }),
  );
  await client.close();
  assert.deepEqual(
    client.received.map(({ id }) => id),
    [1, 2, 3],
  );
  assert.deepEqual(client.received[2]!.result.structuredContent, { done: true });
});

test('the greeting that is given early is the one that the server would give', async () => {
  const profile = toyProfile();
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2099-01-01']) {
    const early = rawClient({ profile, engine: noEngine });
    const greeted = (await early.initialize(version)).result;
    await early.close();
    // A second initialize on the same connection is answered by the server itself.
    const late = rawClient({ profile, engine: noEngine });
    await late.initialize('2025-11-25');
    await late.request('ping');
    assert.deepEqual((await late.initialize(version)).result, greeted);
    await late.close();
  }
});

test('a greeting that is not well-formed is refused with words', async () => {
  const client = open();
  const { error } = await client.request('initialize', { protocolVersion: '2025-11-25' });
  assert.equal(error.code, -32602);
  assert.ok((await client.initialize()).result);
  await client.close();
});
