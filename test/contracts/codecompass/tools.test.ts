/** codecompass: tools, command lines, and every answer before the first index. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../../src/cli/commands/index.ts';
import { parseLine } from '../../../src/cli/parsing/parse-arguments.ts';
import { type Message, rawClient } from '../raw-client.ts';
import { connectProcess, processEnv, root } from '../real-engine.ts';
import { type Arguments, box, call, open, refused, search } from './setup.ts';

test('tools, order and inputs are those of the contract (CC-08, CC-10, CC-11, CC-15, CC-24, CC-25)', async () => {
  const raw = rawClient({ profile: 'codecompass', engine: box.engine, workspace: box.project });
  const { result } = await raw.initialize();
  assert.ok(Buffer.byteLength(result.instructions) < 2048);
  const tools = (await raw.request('tools/list')).result.tools as Message[];
  await raw.close();
  const inputs = tools.map(({ name, inputSchema }) => [
    name,
    Object.entries(inputSchema.properties).map(([key, schema]) => {
      const { type, default: value } = schema as Message;
      return value === undefined ? `${key}: ${type}` : `${key}: ${type} = ${value}`;
    }),
    inputSchema.required ?? [],
  ]);
  assert.deepEqual(inputs, [
    ['index_repo', ['force: boolean = false', 'ref: string'], []],
    ['sync_repo', ['force: boolean = false', 'ref: string'], []],
    [
      'locate_symbol',
      ['name: string', 'kind: string', 'language: string', 'ref: string', 'limit: integer = 10'],
      ['name'],
    ],
    ['search_code', ['query: string', 'ref: string', 'language: string', 'limit: integer = 10'], ['query']],
    ['index_status', ['ref: string'], []],
  ]);
  for (const { title, icons, outputSchema, annotations, name } of tools) {
    assert.ok(title && icons.length > 0 && outputSchema.required.includes('metadata'), name);
    assert.equal(annotations.readOnlyHint, !['index_repo', 'sync_repo'].includes(name));
  }
});

test('the command lines of the contract (CC-27)', () => {
  const lines = [
    'init',
    'doctor',
    'index --force --path shop --ref main',
    'sync --force --workspace shop',
    'search QUERY --ref main --lang go',
    'serve-mcp --workspace shop',
  ];
  for (const line of lines)
    for (const more of ['', ' --verbose', ' -v', ' --config sextant.yml']) {
      const { command } = parseLine(`${line}${more}`.split(' '), COMMANDS);
      assert.equal(command?.name, line.split(' ')[0], line + more);
    }
});

test('before init every tool says project_not_found, and nothing is indexed by asking (CC-23, CC-09, CC-14, CC-19)', async () => {
  const calls: [string, Arguments][] = [
    ['index_repo', {}],
    ['sync_repo', {}],
    ['locate_symbol', { name: 'x' }],
    ['search_code', { query: 'x' }],
    ['index_status', {}],
  ];
  for (const [name, args] of calls) {
    const { fix, metadata } = await refused(name, args, 'project_not_found');
    assert.match(fix, /sextant init/);
    assert.deepEqual([metadata.indexing_status, metadata.schema_status], ['not_indexed', 'not_indexed'], name);
  }
  assert.equal((await box.engine.project(box.project)).registered, false);
});

test('a server without a workspace says what it lacks (CC-24, CC-01)', async () => {
  const raw = rawClient({ profile: 'codecompass', engine: box.engine });
  await raw.initialize();
  const { result } = await raw.request('tools/call', { name: 'index_status', arguments: {} });
  const { error, metadata } = result.structuredContent;
  assert.deepEqual([error.code, metadata.ref, metadata.indexing_status], ['invalid_input', 'live', 'not_indexed']);
  assert.match(error.message, /Which project\?.*--workspace/);
  await raw.close();
});

test('the shipped command leaves the first index to index_repo, before and after init (CC-23, CC-26)', async () => {
  const own = await connectProcess(box, ['--profile', 'codecompass', '--workspace', box.bare]);
  try {
    const ask = async (name: string) => (await own.callTool({ name, arguments: {} })).structuredContent as Message;
    assert.equal((await ask('index_status')).error.code, 'project_not_found');
    execFileSync(process.execPath, [join(root, 'dist/main.js'), 'init', box.bare], {
      env: processEnv(box),
      stdio: 'pipe',
    });
    const { index_status, recent_jobs, metadata } = await ask('index_status');
    assert.deepEqual([index_status, recent_jobs, metadata.indexing_status], ['not_indexed', [], 'not_indexed']);
    const started = await ask('index_repo');
    assert.deepEqual([started.status, started.mode, started.file_count], ['running', 'full', null]);
    assert.equal(started.metadata.indexing_status, 'indexing');
    let status: Message;
    do status = await ask('index_status');
    while (status.index_status === 'indexing');
    assert.deepEqual([status.index_status, status.file_count, status.recent_jobs[0].status], ['ready', 1, 'published']);
    assert.equal(status.recent_jobs[0].job_id, started.job_id);
  } finally {
    await own.close();
  }
});

test('registered and not indexed: said, with the way on (CC-02, CC-03, CC-04, CC-05, CC-26)', async () => {
  await box.engine.register(box.project);
  const status = await call('index_status');
  assert.deepEqual(
    [status.index_status, status.schema_status, status.last_indexed_at, status.recent_jobs],
    ['not_indexed', 'not_indexed', null, []],
  );
  const searched = await search('where is the price');
  assert.equal(searched.query_intent, 'natural_language');
  assert.equal((await search('internal/auth')).query_intent, 'path');
  const debugging = await open(box.project, true);
  const debugged = await call('search_code', { query: 'price' }, debugging);
  assert.deepEqual([debugged.query_intent, debugged.debug], ['symbol', { join_status: { hits: 0, misses: 0 } }]);
  for (const answer of [searched, await call('locate_symbol', { name: 'price' })]) {
    assert.deepEqual([answer.results, answer.total_candidates], [[], 0]);
    assert.match(answer.message, /index_repo/);
    assert.deepEqual(answer.suggested_next_actions, [{ tool: 'index_repo', ref: 'main' }]);
    const { metadata } = answer;
    assert.deepEqual(
      [metadata.indexing_status, metadata.result_completeness, metadata.freshness_status],
      ['not_indexed', 'partial', 'stale'],
    );
  }
});
