/** The default profile: tools, indexing and status, parameters that are refused. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Message, rawClient } from '../raw-client.ts';
import { connectProcess, MODERN } from '../real-engine.ts';
import { type Arguments, box, call, refused } from './setup.ts';

test('a path that is empty is an error and does not mean the workspace', async () => {
  for (const [name, args] of [
    ['index_codebase', {}],
    ['search_code', { query: 'session' }],
    ['get_status', {}],
  ] as const) {
    const error = await refused(name, { ...args, path: '' }, 'invalid_input');
    assert.match(error.message, /path is empty/);
  }
});

test('eleven tools in under 12 KB, instructions in under 2 KB (SX-01, SX-02, SX-03)', async () => {
  const raw = rawClient({ profile: 'sextant', engine: box.engine });
  const { result } = await raw.initialize();
  assert.ok(Buffer.byteLength(result.instructions) < 2048);
  const list = (await raw.request('tools/list')).result;
  await raw.close();
  assert.ok(Buffer.byteLength(JSON.stringify(list)) < 12 * 1024, String(Buffer.byteLength(JSON.stringify(list))));
  const tools = list.tools as Message[];
  for (const { name, inputSchema } of tools)
    for (const [parameter, { description }] of Object.entries<Message>(inputSchema.properties))
      assert.ok(description, `${name} says what ${parameter} takes`);
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      'search_code',
      'search_docs',
      'locate_symbol',
      'code_research',
      'impact',
      'read_file',
      'grep_codebase',
      'context_search',
      'remember',
      'index_codebase',
      'get_status',
    ],
  );
  for (const { name, title, description, inputSchema, outputSchema, annotations, icons } of tools) {
    assert.ok(title && icons === undefined, name);
    assert.match(description, /Gives /, `${name} says what comes back`);
    assert.match(description, /\b(?:Not|not) /, `${name} says when not to use it`);
    for (const [parameter, listed] of Object.entries<Message>(inputSchema.properties))
      assert.ok(listed.description || listed.enum || listed.maximum, `${name}.${parameter} says what it takes`);
    assert.deepEqual(inputSchema.properties.repos.items, { type: 'string' }, `${name} takes repos`);
    assert.ok(Object.keys(outputSchema.properties).length > 1, name);
    assert.deepEqual([inputSchema.type, outputSchema.type], ['object', 'object']);
    assert.equal(annotations.readOnlyHint, !['remember', 'index_codebase'].includes(name), name);
    assert.equal(annotations.openWorldHint, false, name);
    if (!annotations.readOnlyHint)
      assert.deepEqual([annotations.destructiveHint, annotations.idempotentHint], [false, true], name);
    assert.ok(result.instructions.includes(name) || name === 'get_status', `instructions name ${name}`);
  }
  // Search stays loaded where a client loads tools on demand.
  assert.deepEqual(tools.map((tool) => tool._meta?.['anthropic/alwaysLoad'] ?? false).filter(Boolean), [true]);
  assert.equal(tools[0]!._meta['anthropic/alwaysLoad'], true);
  assert.deepEqual(Object.keys(tools[0]!.inputSchema.properties), [
    'query',
    'path',
    'limit',
    'mode',
    'path_filter',
    'filters',
    'ref',
    'expand_query',
    'synthesize',
    'max_tokens',
    'repos',
  ]);
});

test('before indexing: refusals say what to do, status says so (SX-05, SX-13)', async () => {
  for (const [name, args] of [
    ['search_code', { query: 'x' }],
    ['search_docs', { query: 'x' }],
    ['locate_symbol', { name: 'x' }],
  ] as const)
    assert.match((await refused(name, { ...args, path: box.bare }, 'not_indexed')).fix, /index_codebase/);
  const status = await call('get_status', { path: box.bare });
  assert.deepEqual([status.state, status.files], ['not_indexed', 0]);
  assert.match(status.hint, /index_codebase/);
});

test('a ref that is not there, or not indexed yet (SX-05, SX-13)', async () => {
  box.write('plain/main.ts', 'export const plain = 1;\n');
  box.write('kept/main.ts', 'export const kept = 1;\n');
  const plain = `${box.folder}/plain`;
  const path = `${box.folder}/kept`;
  await call('index_codebase', { path: plain });
  for (const [name, args] of [
    ['search_code', { query: 'plain' }],
    ['locate_symbol', { name: 'plain' }],
    ['get_status', {}],
  ] as const)
    await refused(name, { ...args, path: plain, ref: 'nope' }, 'not_a_repository');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: path });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('branch', 'old');
  await call('index_codebase', { path });
  await refused('search_code', { query: 'kept', path, ref: 'nope' }, 'ref_not_found');
  await refused('get_status', { path, ref: 'nope' }, 'ref_not_found');
  const { fix } = await refused('search_code', { query: 'kept', path, ref: 'old' }, 'not_indexed');
  assert.match(fix, /index_codebase with ref: "old"/);
  assert.match((await call('get_status', { path, ref: 'old' })).hint, /ref: "old"/);
  await call('index_codebase', { path, ref: 'old' });
  assert.ok((await call('search_code', { query: 'kept', path, ref: 'old' })).results.length > 0);
});

test('index_codebase indexes, and get_status shows it (SX-13, SX-04)', async () => {
  const report = await call('index_codebase');
  assert.deepEqual([report.root, report.mode, report.files, report.read], [box.project, 'full', 9, 9]);
  const status = await call('get_status');
  assert.deepEqual(
    [status.state, status.freshness, status.files, status.project],
    ['ready', 'fresh', 9, 'github.com/acme/shop'],
  );
  assert.deepEqual(status.languages.swift, 1);
  assert.deepEqual(status.skipped, { vendored: 1 });
});

test('wrong parameters are refused by name (SX-06, SX-05)', async () => {
  const wrong: [string, Arguments, string][] = [
    ['search_code', {}, 'query'],
    ['search_code', { query: 'x', limt: 5 }, 'limt'],
    ['search_code', { query: 'x', limit: 0 }, 'limit'],
    ['search_code', { query: 'x', limit: 101 }, 'limit'],
    ['search_code', { query: 'x', mode: 'magic' }, 'mode'],
    ['search_code', { query: 'x', max_tokens: 5 }, 'max_tokens'],
    ['search_code', { query: 'x', filters: { roles: ['boss'] } }, 'filters.roles[0]'],
    ['search_code', { query: 'x', filters: { langs: ['go'] } }, 'filters.langs'],
    ['code_research', { query: 'x', depth: 9 }, 'depth'],
    ['read_file', { path: 'a', start_line: 0 }, 'start_line'],
    ['remember', { type: 'thought', content: 'abc' }, 'type'],
    ['grep_codebase', { pattern: '' }, 'pattern'],
  ];
  for (const [name, args, parameter] of wrong) {
    const error = await refused(name, args, 'invalid_input');
    assert.deepEqual(error.parameters, [parameter]);
    assert.match(error.message, new RegExp(parameter.replace(/[.[\]]/g, '\\$&')));
  }
  await refused('search_code', { query: '  ' }, 'empty_query');
  await refused('search_code', { query: 'x', path: join(box.folder, 'no/such') }, 'path_not_found');
  for (const path of ['/no/such', '/etc']) await refused('search_code', { query: 'x', path }, 'not_served');
  await refused('index_codebase', { path: '/etc' }, 'not_served');
  await refused('search_code', { query: 'x', filters: { kinds: ['gadget'] } }, 'invalid_input');
  const file = await refused('search_code', { query: 'x', path: 'web/cart.ts' }, 'not_a_directory');
  assert.match(file.fix, /path_filter/);
  assert.match((await refused('grep_codebase', { pattern: 'x', path: 'nowhere' }, 'path_not_found')).fix, /path out/);
  const gone = rawClient({ profile: 'sextant', engine: box.engine, workspace: join(box.folder, 'gone') });
  await gone.initialize();
  const { result } = await gone.request('tools/call', { name: 'get_status' });
  await gone.close();
  assert.match(result.structuredContent.error.fix, /is gone/);
  await refused('no_such_tool', {}, 'unknown_tool');
});

test('stale files are named (SX-13)', async () => {
  box.write('shop/web/new.ts', 'export const brandNew = 1;\n');
  const ask = () => call('search_code', { query: 'cart total price' });
  let { index, not_yet_indexed: pending } = await ask();
  for (let i = 0; i < 200 && index !== 'stale'; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ index, not_yet_indexed: pending } = await ask());
  }
  assert.deepEqual([index, pending], ['stale', ['web/new.ts']]);
  await call('index_codebase');
});

test('the shipped command over stdio, in both eras (SX-01)', async () => {
  for (const era of [{}, MODERN]) {
    const spawned = await connectProcess(box, ['--workspace', box.project], era);
    assert.equal((await spawned.listTools()).tools.length, 11);
    assert.equal((await call('search_code', { query: 'cartTotal' }, spawned)).results[0].path, 'web/cart.ts');
    await spawned.close();
  }
});
