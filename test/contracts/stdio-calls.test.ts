/** Calls over standard input and output: progress, cancelling, logging, roots, errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, type Message, rawClient } from './raw-client.ts';
import { noEngine, toyProfile } from './toy-profile.ts';

const open = (seen = {}) => rawClient({ profile: toyProfile(seen), engine: noEngine });

test('progress rises, carries total and message, and comes before the result', async () => {
  const client = open();
  await client.initialize();
  const done = await client.request('tools/call', {
    name: 'slow',
    arguments: { ms: 40 },
    _meta: { progressToken: 'p' },
  });
  const seen = client.received
    .slice(0, client.received.indexOf(done))
    .filter((m) => m.method === 'notifications/progress');
  assert.deepEqual(
    seen.map(({ params }) => params.progress),
    [1, 2, 3, 4],
    'each of a few steps is reported, however quick',
  );
  assert.deepEqual(
    { ...seen[0]!.params, progress: 0, message: '' },
    { progressToken: 'p', progress: 0, total: 4, message: '' },
  );
  await client.close();
});

test('notifications/cancelled aborts the work and no answer is sent, for id 0 too', async () => {
  const seen: { aborted?: boolean } = {};
  const client = open(seen);
  await client.initialize();
  client.line(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'tools/call',
      params: { name: 'slow', arguments: { ms: 60_000 } },
    }),
  );
  await client.request('ping');
  client.notify('notifications/cancelled', { requestId: 0, reason: 'enough' });
  await client.request('ping');
  assert.equal(seen.aborted, true);
  assert.equal(
    client.received.some((m) => m.id === 0),
    false,
  );
  await client.close();
});

test('logging/setLevel filters messages', async () => {
  const client = open();
  await client.initialize();
  const messages = () =>
    client.received.filter((m) => m.method === 'notifications/message').map(({ params }) => params.data);
  await client.request('tools/call', { name: 'chat' });
  assert.deepEqual(messages(), ['low', 'high']);
  assert.deepEqual((await client.request('logging/setLevel', { level: 'warning' })).result, {});
  await client.request('tools/call', { name: 'chat' });
  assert.deepEqual(messages(), ['low', 'high', 'high']);
  assert.equal((await client.request('logging/setLevel', { level: 'loud' })).error.code, -32602);
  await client.close();
});

test('JSON-RPC errors of a contract arrive as they were thrown', async () => {
  const client = open();
  await client.initialize();
  for (const code of [-32602, -32603, -32001, -32002, -32003, -32004])
    assert.deepEqual((await client.request('tools/call', { name: 'refuse', arguments: { code } })).error, {
      code,
      message: 'Refused',
      data: { why: 'asked to' },
    });
  const crash = await client.request('tools/call', { name: 'crash' });
  assert.equal(crash.result.isError, true);
  assert.equal(crash.result.structuredContent.code, 'internal_error');
  await client.close();
});

test('the workspace is the first root of the client, asked once and again after a change', async () => {
  const seen: { workspace?: string | null } = {};
  const client = open(seen);
  await client.initialize('2025-06-18', { roots: { listChanged: true } });
  const answerRoots = async (n: number, ...uris: readonly string[]) => {
    const asked = await client.until(
      (m) => m.method === 'roots/list' && client.received.filter((x) => x.method === 'roots/list').length === n,
    );
    const last = client.received.filter((m) => m.method === 'roots/list').at(-1) ?? asked;
    client.line(JSON.stringify({ jsonrpc: '2.0', id: last.id, result: { roots: uris.map((uri) => ({ uri })) } }));
  };
  const [first] = await Promise.all([
    client.request('tools/call', { name: 'where' }),
    answerRoots(1, 'file:///work%20shop'),
  ]);
  assert.equal(first.result.structuredContent.workspace, '/work shop');
  await client.request('tools/call', { name: 'where' });
  assert.equal(client.received.filter((m) => m.method === 'roots/list').length, 1);
  client.notify('notifications/roots/list_changed');
  const [second] = await Promise.all([
    client.request('tools/call', { name: 'where' }),
    answerRoots(2, 'file:///other'),
  ]);
  assert.equal(second.result.structuredContent.workspace, '/other');
  client.notify('notifications/roots/list_changed');
  const [third] = await Promise.all([
    client.request('tools/call', { name: 'where' }),
    answerRoots(3, 'vscode-vfs://github/a/b', 'file://server/share', 'file:///not%2Fone', 'file:///here'),
  ]);
  assert.equal(third.result.structuredContent.workspace, '/here', 'the first that is a folder of this machine');
  client.notify('notifications/roots/list_changed');
  client.line('{"jsonrpc": "2.0", "id": "given up", "method": "tools/call", "params": {"name": "where"}}');
  await client.until(() => client.received.filter((m) => m.method === 'roots/list').length === 4);
  client.notify('notifications/cancelled', { requestId: 'given up' });
  await answerRoots(4, 'file:///late');
  const fourth = await client.request('tools/call', { name: 'where' });
  assert.equal(fourth.result.structuredContent.workspace, '/late', 'though who asked first did not wait for it');
  await client.close();
});

test('a registered tool that is replaced keeps its place, and clients are notified', async () => {
  const profile = toyProfile();
  const client = rawClient({ profile, engine: noEngine });
  await client.initialize();
  const before = (await client.request('tools/list')).result.tools.map(({ name }: Message) => name);
  profile.tools.register({ ...profile.tools.get('slow')!, description: 'Replaced' });
  await client.until((m) => m.method === 'notifications/tools/list_changed');
  const { tools } = (await client.request('tools/list')).result;
  assert.deepEqual(
    tools.map(({ name }: Message) => name),
    before,
  );
  assert.equal(tools[1].description, 'Replaced');
  await client.close();
});

test('a resource that is not there: -32002 until 2025-11-25, -32602 since', async () => {
  const client = open();
  await client.initialize();
  assert.deepEqual((await client.request('resources/read', { uri: 'toy://one' })).result.contents, [
    { uri: 'toy://one', text: '1' },
  ]);
  assert.equal((await client.request('resources/read', { uri: 'toy://two' })).error.code, -32002);
  await client.close();
  const modern = open();
  const missing = await modern.request('resources/read', { uri: 'toy://two', _meta: envelope() });
  assert.equal(missing.error.code, -32602);
  assert.deepEqual(missing.error.data, { uri: 'toy://two' });
  await modern.close();
});
