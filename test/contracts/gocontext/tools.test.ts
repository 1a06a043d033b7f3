/** gocontext: the server, its tools, and answers before anything is indexed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProfile } from '../../../src/contracts/gocontext/index.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { type Message, rawClient } from '../raw-client.ts';
import { box, call, refused } from './setup.ts';

test('server and tools are those of the contract (GC-01, GC-02, GC-03, GC-04, GC-05)', async () => {
  const raw = rawClient({ profile: 'gocontext', engine: box.engine });
  const { result } = await raw.initialize('2024-11-05');
  assert.equal(result.protocolVersion, '2024-11-05');
  assert.deepEqual(result.serverInfo, { name: 'gocontext-mcp', version: '1.0.0' });
  assert.ok(result.capabilities.tools);
  const { tools } = (await raw.request('tools/list')).result;
  await raw.close();
  assert.deepEqual(
    tools.map(({ name, description }: Message) => [name, description]),
    [
      ['index_codebase', 'Index a Go codebase to make it searchable'],
      ['search_code', 'Search indexed Go codebase with natural language or keyword queries'],
      ['get_status', 'Query indexing status and statistics for a Go project'],
    ],
  );
  assert.deepEqual(tools[0].inputSchema, {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute path to Go project root' },
      force_reindex: { type: 'boolean', description: 'Force full re-index ignoring file hashes', default: false },
      include_tests: { type: 'boolean', description: 'Include *_test.go files in index', default: true },
      include_vendor: { type: 'boolean', description: 'Include vendor/ directory in index', default: false },
    },
    required: ['path'],
  });
  const { filters, ...properties } = tools[1].inputSchema.properties;
  assert.deepEqual(properties, {
    path: { type: 'string', description: 'Absolute path to indexed Go project' },
    query: { type: 'string', description: 'Search query (natural language or keywords)', maxLength: 1000 },
    limit: { type: 'integer', description: 'Maximum number of results (1-100)', minimum: 1, maximum: 100, default: 10 },
    search_mode: {
      type: 'string',
      enum: ['hybrid', 'vector', 'keyword'],
      description: 'Search strategy to use',
      default: 'hybrid',
    },
  });
  assert.deepEqual(tools[1].inputSchema.required, ['path', 'query']);
  assert.deepEqual(
    [filters.type, filters.description, filters.default],
    ['object', 'Optional filters to narrow search', {}],
  );
  assert.deepEqual(Object.keys(filters.properties), [
    'symbol_types',
    'file_pattern',
    'ddd_patterns',
    'packages',
    'min_relevance',
  ]);
  assert.deepEqual(tools[2].inputSchema, {
    type: 'object',
    properties: { path: { type: 'string', description: 'Absolute path to Go project' } },
    required: ['path'],
  });
});

test('the contract in its own protocol version (GC-42, GC-01)', async () => {
  const raw = rawClient({ profile: 'gocontext', engine: box.engine });
  const { result } = await raw.initialize('2024-11-05');
  assert.equal(result.protocolVersion, '2024-11-05');
  assert.deepEqual(result.serverInfo, { name: 'gocontext-mcp', version: '1.0.0' });
  assert.ok('tools' in result.capabilities && !('tasks' in result.capabilities), JSON.stringify(result.capabilities));
  for (const tool of (await raw.request('tools/list')).result.tools)
    assert.deepEqual(Object.keys(tool).sort(), ['description', 'inputSchema', 'name'], tool.name);
  const status = await raw.request('tools/call', { name: 'get_status', arguments: { path: box.bare } });
  assert.deepEqual(Object.keys(status.result), ['content']);
  assert.equal(JSON.parse(status.result.content[0].text).indexed, false);
  const refusal = await raw.request('tools/call', { name: 'get_status', arguments: {} });
  assert.deepEqual([refusal.error.code, refusal.error.data.param], [-32602, 'path']);
  await raw.close();
});

test('before indexing: status says so, search is refused (GC-17, GC-34)', async () => {
  assert.deepEqual(await call('get_status', { path: box.bare }), {
    success: true,
    indexed: false,
    project: null,
    statistics: null,
    health: null,
    message: 'Project not indexed. Run index_codebase to create index.',
  });
  const data = await refused('search_code', { path: box.bare, query: 'main' }, -32003, 'Project not indexed');
  assert.equal(data.reason, 'Project not indexed. Run index_codebase first.');
});

test('an unexpected failure is -32603 with a reason (GC-41)', async () => {
  const broken = {
    root: async (path: string) => path,
    search: () => Promise.reject(new TypeError('boom')),
  } as unknown as Engine;
  const raw = rawClient({
    profile: createProfile({ workspace: null, version: '1', log: () => {}, engine: async () => broken }),
    engine: broken,
  });
  await raw.initialize();
  const { error } = await raw.request('tools/call', { name: 'search_code', arguments: { path: '/x', query: 'y' } });
  assert.deepEqual([error.code, error.message], [-32603, 'Internal error']);
  assert.match(error.data.reason, /boom/);
  await raw.close();
});
