/** The default profile: resources, prompts, completions. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { envelope, type Message, rawClient } from '../raw-client.ts';
import { box, client, indexProject } from './setup.ts';

before(indexProject);

test('the tool list names the view of answers for clients that show views, and for no others (SX-20)', async () => {
  const uri = 'ui://sextant/answers';
  const ui = { mimeTypes: ['text/html;profile=mcp-app'] };
  for (const [extensions, view] of [
    [{ 'io.modelcontextprotocol/ui': ui }, uri],
    [{ 'io.modelcontextprotocol/ui': { mimeTypes: [] } }, undefined],
    [{ 'io.modelcontextprotocol/ui': {} }, undefined],
    [undefined, undefined],
  ] as const) {
    const capabilities = extensions && { extensions };
    const legacy = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
    await legacy.initialize('2025-11-25', capabilities);
    const modern = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
    for (const { result } of [
      await legacy.request('tools/list', {}),
      await modern.request('tools/list', { _meta: envelope(capabilities) }),
    ]) {
      const views = Object.fromEntries(result.tools.map(({ name, _meta }: Message) => [name, _meta?.ui?.resourceUri]));
      for (const name of ['search_code', 'search_docs', 'locate_symbol', 'code_research'])
        assert.equal(views[name], view, name);
      assert.equal(views.remember, undefined);
    }
    await legacy.close();
    await modern.close();
  }
});

test('resources: status and files; subscribers hear of a new index (SX-14)', async () => {
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ['sextant://status', 'sextant://map', 'sextant://memory', 'sextant://skipped'],
  );
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['sextant://file/{+path}', 'sextant://symbol/{name}'],
  );
  const status = await client.readResource({ uri: 'sextant://status' });
  assert.equal(JSON.parse((status.contents[0] as { text: string }).text).state, 'ready');
  const json = async (uri: string) =>
    JSON.parse(((await client.readResource({ uri })).contents[0] as { text: string }).text) as Message;
  assert.deepEqual(Object.keys(await json('sextant://skipped')), ['total', 'files']);
  await client.callTool({
    name: 'remember',
    arguments: { type: 'rule', content: 'Totals are whole cents', module: 'web' },
  });
  const { discoveries, total } = await json('sextant://memory');
  assert.equal(total, discoveries.length);
  const recorded = discoveries.find(({ content }: Message) => content === 'Totals are whole cents');
  assert.deepEqual([recorded.type, recorded.module, recorded.origin], ['rule', 'web', 'agent']);
  const file = await client.readResource({ uri: 'sextant://file/web/cart.ts' });
  assert.deepEqual(file.contents[0], {
    uri: 'sextant://file/web/cart.ts',
    mimeType: 'text/x-typescript',
    text: box.read('shop/web/cart.ts'),
  });
  const raw = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  await raw.initialize();
  for (const name of ['file/web/nope.ts', 'file/../bare/main.go', 'file/%', 'symbol/nope', 'nothing'])
    assert.equal((await raw.request('resources/read', { uri: `sextant://${name}` })).error.code, -32002, name);
  await raw.request('resources/subscribe', { uri: 'sextant://status' });
  await raw.request('tools/call', { name: 'index_codebase' });
  assert.deepEqual((await raw.until((m) => m.method === 'notifications/resources/updated')).params, {
    uri: 'sextant://status',
  });
  const toldOf = () => raw.received.filter((m) => m.method === 'notifications/resources/updated').length;
  const soFar = toldOf();
  box.write('shop/web/later.ts', 'export const later = 1;\n');
  await raw.until(() => toldOf() > soFar);
  rmSync(join(box.project, 'web/later.ts'));
  await raw.until(() => toldOf() > soFar + 1);
  await raw.close();
  const modern = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  const _meta = envelope();
  const notifications = { resourceSubscriptions: ['sextant://map'] };
  modern.line(
    JSON.stringify({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params: { notifications, _meta } }),
  );
  await modern.until((m) => m.method === 'notifications/subscriptions/acknowledged');
  await modern.request('tools/call', { name: 'index_codebase', _meta });
  const updated = await modern.until((m) => m.method === 'notifications/resources/updated');
  assert.equal(updated.params.uri, 'sextant://map');
  await modern.close();
  const map = await client.readResource({ uri: 'sextant://map' });
  assert.match((map.contents[0] as { text: string }).text, /cart/);
  const symbol = await client.readResource({ uri: 'sextant://symbol/cartTotal' });
  assert.equal(JSON.parse((symbol.contents[0] as { text: string }).text).kind, 'function');
});

test('prompts are listed with their arguments and filled in (SX-15)', async () => {
  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name, arguments: args }) => [name, args?.map((arg) => arg.name) ?? []]),
    [
      ['explain_module', ['module']],
      ['review_change', ['path']],
      ['onboard', []],
    ],
  );
  const { messages } = await client.getPrompt({ name: 'explain_module', arguments: { module: 'web' } });
  assert.match((messages[0]!.content as { text: string }).text, /"web"[\s\S]*search_code/);
  await assert.rejects(client.getPrompt({ name: 'explain_module' }), /module/);
  await assert.rejects(client.getPrompt({ name: 'nothing' }));
});

test('paths and symbols are completed (SX-16)', async () => {
  const complete = async (ref: Message, name: string, value: string) =>
    (await client.complete({ ref: ref as never, argument: { name, value } })).completion.values;
  const files = { type: 'ref/resource', uri: 'sextant://file/{+path}' };
  assert.deepEqual(await complete(files, 'path', 'web/c'), ['web/cart.ts']);
  assert.deepEqual(await complete(files, 'path', 'cart'), ['web/cart.ts']);
  assert.ok(
    (await complete({ type: 'ref/resource', uri: 'sextant://symbol/{name}' }, 'name', 'cartT')).includes('cartTotal'),
  );
  assert.deepEqual(await complete({ type: 'ref/prompt', name: 'explain_module' }, 'module', 'internal/a'), [
    'internal/auth',
  ]);
  assert.deepEqual(await complete({ type: 'ref/prompt', name: 'review_change' }, 'path', 'web/p'), ['web/price.ts']);
});

test('a completion for a prompt that is not there is refused (SX-16)', async () => {
  const ref = { type: 'ref/prompt', name: 'nothing' } as const;
  await assert.rejects(client.complete({ ref, argument: { name: 'module', value: 'w' } }), { code: -32602 });
});
