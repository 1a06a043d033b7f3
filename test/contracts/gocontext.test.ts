/** The gocontext contract, by a real client over HTTP, with the real engine. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, parse } from 'node:path';
import { after, before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { createProfile } from '../../src/contracts/gocontext/index.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { HttpHandle } from '../../src/transports/index.ts';
import { type Message, rawClient } from './raw-client.ts';
import { answerOf, connectHttp, MODERN, otherIndexer, sandbox, serveProfiles, untilStale } from './real-engine.ts';

const box = sandbox(/^(?!Sources)/);
let http: HttpHandle;
let client: Client;

before(async () => {
  http = await serveProfiles(box, ['gocontext'], null);
  client = await connectHttp(`${http.url}/mcp`);
});
after(async () => {
  await client.close();
  await http.close();
  await box.close();
});

type Arguments = Record<string, unknown>;

const call = (name: string, args: Arguments, by = client) => answerOf(by, name, args);

async function refused(name: string, args: Arguments, code: number, message: string, by = client): Promise<Message> {
  try {
    await by.callTool({ name, arguments: args });
  } catch (error) {
    const { code: got, data, message: words } = error as { code: number; message: string; data: Message };
    assert.deepEqual([got, words.replace(/^MCP error -\d+: /, '')], [code, message], JSON.stringify(args));
    assert.equal(typeof data.reason, 'string');
    return data;
  }
  return assert.fail(`${name} ${JSON.stringify(args)} was not refused`);
}

const search = (query: string, more: Arguments = {}) => call('search_code', { path: box.project, query, ...more });
const paths = (answer: Message): string[] => answer.results.map(({ file }: Message) => file.path);
const names = (answer: Message): string[] => answer.results.map(({ symbol }: Message) => symbol?.name);

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

test('indexing answers with figures (GC-06, GC-08, GC-09, GC-22, GC-26, GC-40)', async () => {
  const answer = await call('index_codebase', { path: box.project });
  assert.deepEqual(Object.keys(answer), ['success', 'project_id', 'statistics', 'errors', 'message']);
  assert.deepEqual(Object.keys(answer.statistics), [
    'files_indexed',
    'files_skipped',
    'files_failed',
    'symbols_extracted',
    'chunks_created',
    'embeddings_generated',
    'duration_seconds',
    'index_size_mb',
  ]);
  assert.equal(answer.success, true);
  assert.ok(Number.isInteger(answer.project_id));
  assert.equal(answer.statistics.files_indexed, 8);
  assert.ok(answer.statistics.symbols_extracted > 8 && answer.statistics.chunks_created > 5);
  assert.match(answer.message, /^Successfully indexed 8 files in [\d.]+ seconds$/);
  assert.ok(paths(await search('TestAuthenticateUser')).includes('internal/auth/service_test.go'));
  assert.equal(names(await search('VendoredHelper')).includes('VendoredHelper'), false);
});

test('a result has every field of the contract (GC-21, GC-23, GC-24, GC-25)', async () => {
  const first = await search('ValidateToken', { search_mode: 'keyword' });
  assert.deepEqual(Object.keys(first), ['success', 'query', 'results', 'statistics', 'message']);
  const [result] = first.results;
  assert.deepEqual(Object.keys(result), [
    'chunk_id',
    'rank',
    'relevance_score',
    'symbol',
    'file',
    'content',
    'context_before',
    'context_after',
  ]);
  assert.deepEqual(Object.keys(result.symbol), ['name', 'kind', 'package', 'signature', 'doc_comment']);
  assert.deepEqual(
    [result.file.path, result.file.package, result.symbol.package],
    ['internal/auth/service.go', 'auth', 'internal/auth'],
  );
  assert.ok(Number.isInteger(result.chunk_id));
  assert.match(result.content, /func ValidateToken/);
  first.results.forEach(
    (
      { rank, relevance_score: score, file, content, context_before: before, context_after: after }: Message,
      i: number,
    ) => {
      assert.equal(rank, i + 1);
      assert.ok(score >= 0 && score <= 1 && (i === 0 || score <= first.results[i - 1].relevance_score));
      const lines = box.read(join('shop', file.path)).split('\n');
      if (file.start_line > 1)
        assert.ok(
          lines
            .slice(0, file.start_line - 1)
            .join('\n')
            .endsWith(before),
        );
      assert.ok(content.length > 0 && lines.slice(file.end_line).join('\n').startsWith(after));
    },
  );
  assert.match(result.context_before, /u\.Name = name/);
  assert.deepEqual(Object.keys(first.statistics), [
    'total_results',
    'returned_results',
    'search_duration_ms',
    'cache_hit',
  ]);
  assert.equal(first.statistics.cache_hit, false);
  assert.equal(first.statistics.returned_results, first.results.length);
  assert.match(first.message, /^Found \d+ results in \d+ms$/);
  assert.equal((await search('ValidateToken', { search_mode: 'keyword' })).statistics.cache_hit, true);
});

test('content is the code of the lines it names, of a file as a whole too (GC-21, GC-24)', async () => {
  const { results } = await search('web', { filters: { file_pattern: 'web/cart.ts' }, search_mode: 'keyword' });
  const file = results.find(({ symbol }: Message) => symbol === null);
  assert.match(file.content, /^import \{ price \}[\s\S]*export function cartTotal/);
  for (const { content, file: at } of results)
    assert.equal(
      content,
      box
        .read(join('shop', at.path))
        .split('\n')
        .slice(at.start_line - 1, at.end_line)
        .join('\n'),
    );
});

test('each filter narrows, before the limit (GC-27, GC-28, GC-29, GC-30, GC-31, GC-32)', async () => {
  const kinds = async (symbol_types: string[]) =>
    (await search('user', { filters: { symbol_types } })).results.map(({ symbol }: Message) => symbol.kind);
  for (const kind of ['method', 'function', 'struct', 'interface'])
    for (const got of await kinds([kind])) assert.equal(got, kind);
  assert.ok((await kinds(['struct', 'interface'])).length > 0);
  const billing = await search('invoice customer user', { filters: { file_pattern: 'internal/billing/**' } });
  assert.ok(billing.results.length > 0 && paths(billing).every((path) => path.startsWith('internal/billing/')));
  assert.deepEqual(paths(await search('user', { filters: { ddd_patterns: ['repository'] } })), [
    'internal/auth/service.go',
  ]);
  assert.ok(
    paths(await search('user invoice', { filters: { packages: ['billing'] } })).every((path) =>
      path.includes('billing'),
    ),
  );
  const all = await search('user');
  const strict = await search('user', { filters: { min_relevance: 0.9 } });
  assert.ok(strict.results.length <= all.results.length);
  assert.ok(strict.results.every(({ relevance_score: score }: Message) => score >= 0.9));
  assert.equal((await search('user', { limit: 1 })).results.length, 1);
  for (const search_mode of ['hybrid', 'vector', 'keyword'])
    assert.ok((await search('authenticate user', { search_mode })).results.length > 0, search_mode);
});

test('a folder inside the project is searched alone, by its paths in the project (GC-28)', async () => {
  const path = join(box.project, 'internal/auth');
  for (const filters of [{}, { file_pattern: 'internal/**' }, { file_pattern: `${path}/**` }]) {
    const answer = await call('search_code', { path, query: 'user invoice', filters });
    assert.ok(answer.results.length > 0 && paths(answer).every((file) => file.startsWith('internal/auth/')));
  }
  const filters = { file_pattern: 'auth/**' };
  const below = await call('search_code', { path: join(box.project, 'internal'), query: 'user invoice', filters });
  assert.ok(below.results.length > 0 && paths(below).every((file) => file.startsWith('internal/auth/')));
  assert.equal((await call('get_status', { path })).project.root_path, box.project);
});

test('where nothing is good enough, nothing is counted (GC-25, GC-26)', async () => {
  const { results, statistics, message, notices } = await search('zzqqxx blorptastic frobnication');
  assert.deepEqual([results, statistics.total_results, statistics.returned_results], [[], 0, 0]);
  assert.match(message, /^Found 0 results in \d+ms$/);
  assert.equal(notices, undefined);
  // There is such a user, but not there.
  for (const filters of [{ file_pattern: 'cmd/**' }, { packages: ['nowhere'] }, { min_relevance: 1 }]) {
    const narrowed = await search('authenticate user', { filters });
    assert.deepEqual([narrowed.results, narrowed.statistics.total_results], [[], 0]);
    assert.match(narrowed.notices.join(), /without filters/);
  }
});

test('wrong parameters: -32602 with the parameter and the reason (GC-11, GC-13, GC-19, GC-20, GC-36)', async () => {
  const wrong: [string, Arguments, string][] = [
    ['index_codebase', {}, 'path'],
    ['index_codebase', { path: 5 }, 'path'],
    ['index_codebase', { path: 'shop' }, 'path'],
    ['index_codebase', { path: box.project, force_reindex: 'yes' }, 'force_reindex'],
    ['index_codebase', { path: parse(box.project).root }, 'path'],
    ['search_code', { path: box.project, query: 'x', filters: { symbol_type: ['struct'] } }, 'filters'],
    ['search_code', { path: box.project }, 'query'],
    ['search_code', { query: 'x' }, 'path'],
    ['search_code', { path: './shop', query: 'x' }, 'path'],
    ['search_code', { path: box.project, query: 'x'.repeat(1001) }, 'query'],
    ['search_code', { path: box.project, query: 'x', limit: 0 }, 'limit'],
    ['search_code', { path: box.project, query: 'x', limit: 101 }, 'limit'],
    ['search_code', { path: box.project, query: 'x', limit: 1.5 }, 'limit'],
    ['search_code', { path: box.project, query: 'x', limit: '10' }, 'limit'],
    ['search_code', { path: box.project, query: 'x', search_mode: 'fuzzy' }, 'search_mode'],
    ['search_code', { path: box.project, query: 'x', filters: { symbol_types: ['gadget'] } }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: { ddd_patterns: ['factory'] } }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: { min_relevance: 2 } }, 'filters'],
    ['search_code', { path: box.project, query: 'x', filters: 'auth' }, 'filters'],
    ['get_status', {}, 'path'],
    ['get_status', { path: 'relative' }, 'path'],
    ['get_status', { path: `${box.project}\0` }, 'path'],
  ];
  for (const [name, args, param] of wrong)
    assert.equal((await refused(name, args, -32602, 'Invalid params')).param, param, JSON.stringify(args));
  // A thousand characters, however many units of a string they take.
  await call('search_code', { path: box.project, query: '😀'.repeat(1000) });
});

test('paths that are not there, no folder, or nothing to index (GC-12, GC-14, GC-15)', async () => {
  const missing = join(box.folder, 'nowhere');
  for (const [name, more] of [
    ['index_codebase', {}],
    ['search_code', { query: 'x' }],
    ['get_status', {}],
  ] as const) {
    const data = await refused(name, { path: missing, ...more }, -32602, 'Invalid params');
    assert.deepEqual([data.param, data.reason], ['path', 'Path does not exist or is not accessible']);
    const file = await refused(name, { path: join(box.project, 'go.mod'), ...more }, -32602, 'Invalid params');
    assert.equal(file.reason, 'Path is not a directory');
  }
  await refused('index_codebase', { path: join(box.folder, 'empty') }, -32001, 'Project not found');
  box.write('prose/notes.txt', 'Buy milk.\n');
  box.write('prose/README.md', '# Notes\n');
  await refused('index_codebase', { path: join(box.folder, 'prose') }, -32001, 'Project not found');
  assert.equal((await call('get_status', { path: join(box.folder, 'prose') })).indexed, false);
});

test('an empty query is its own error, even for a project that is not indexed (GC-18)', async () => {
  for (const query of ['', '   ', '\n\t'])
    for (const path of [box.project, box.bare]) await refused('search_code', { path, query }, -32004, 'Empty query');
});

test('while a project is being indexed, by another process too: -32002 (GC-16)', async () => {
  const other = await otherIndexer(box, box.project);
  try {
    const data = await refused('index_codebase', { path: box.project }, -32002, 'Indexing in progress');
    assert.equal(data.path, box.project);
    assert.ok((await search('authenticate')).results.length > 0, 'searches go on');
  } finally {
    await other.end();
  }
});

test('only changes are read again, force reads all, the change is told and then found (GC-07, GC-38)', async () => {
  const again = await call('index_codebase', { path: box.project });
  const { files_indexed, symbols_extracted, chunks_created, embeddings_generated } = again.statistics;
  assert.deepEqual([files_indexed, symbols_extracted, chunks_created, embeddings_generated], [0, 0, 0, 0]);
  box.write(
    'shop/internal/auth/logout.go',
    'package auth\n\n// RevokeEverything signs a user out everywhere.\nfunc RevokeEverything() {}\n',
  );
  const before = await untilStale(() => search('token'));
  const said = ['Changed since the index was made: internal/auth/logout.go. Call index_codebase to follow.'];
  assert.deepEqual(before.notices, said);
  assert.deepEqual((await call('get_status', { path: box.project })).notices, said);
  const changed = await call('index_codebase', { path: box.project });
  assert.equal('notices' in (await call('get_status', { path: box.project })), false);
  assert.deepEqual([changed.statistics.files_indexed, changed.statistics.symbols_extracted], [1, 1]);
  assert.ok(changed.statistics.chunks_created > 0 && changed.statistics.chunks_created < 4, 'of one small file');
  assert.equal(names(await search('RevokeEverything'))[0], 'RevokeEverything');
  const forced = await call('index_codebase', { path: box.project, force_reindex: true });
  assert.equal(forced.statistics.files_indexed, 9);
});

test('without tests and with vendored code (GC-08, GC-09)', async () => {
  await call('index_codebase', { path: box.project, include_tests: false, include_vendor: true });
  assert.equal(
    paths(await search('TestAuthenticateUser')).some((path) => path.endsWith('_test.go')),
    false,
  );
  assert.ok(names(await search('VendoredHelper')).includes('VendoredHelper'));
  await call('index_codebase', { path: box.project });
});

test('a file with syntax errors is an entry, not a failure (GC-10)', async () => {
  box.write('broken/main.go', 'package main\n\nfunc good() {}\n\nfunc broken( {\n\treturn }}\n');
  const answer = await call('index_codebase', { path: join(box.folder, 'broken') });
  assert.equal(answer.success, true);
  assert.deepEqual(Object.keys(answer.errors[0]), ['file', 'error']);
  assert.equal(answer.errors[0].file, 'main.go');
  assert.equal(answer.statistics.files_failed, 1);
  symlinkSync('nowhere.go', join(box.folder, 'broken/gone.go'));
  const { errors, statistics } = await call('index_codebase', { path: join(box.folder, 'broken') });
  assert.deepEqual(errors[0], { file: 'gone.go', error: 'cannot be read: broken link' });
  assert.deepEqual([statistics.files_failed, statistics.files_skipped], [2, 0]);
});

test('status of an indexed project (GC-33, GC-35)', async () => {
  const status = await call('get_status', { path: box.project });
  assert.deepEqual(Object.keys(status), ['success', 'indexed', 'project', 'statistics', 'health', 'message']);
  const { id, ...project } = status.project;
  assert.ok(Number.isInteger(id));
  assert.deepEqual(project, {
    root_path: box.project,
    module_name: 'github.com/acme/shop',
    go_version: '1.22',
    index_version: project.index_version,
  });
  assert.match(project.index_version, /^\d+\.\d+\.\d+$/);
  const { statistics } = status;
  assert.deepEqual(Object.keys(statistics), [
    'total_files',
    'total_symbols',
    'total_chunks',
    'total_embeddings',
    'index_size_mb',
    'last_indexed_at',
    'indexing_duration_seconds',
  ]);
  assert.equal(statistics.total_files, 9);
  assert.equal(new Date(statistics.last_indexed_at).toISOString(), statistics.last_indexed_at);
  assert.deepEqual(status.health, { database_accessible: true, embeddings_available: true, fts_indexes_built: true });
  assert.equal(status.message, 'Project indexed successfully with 9 files');
  box.write('node/package.json', '{\n  "name": "@acme/web",\n  "engines": { "node": ">=20" }\n}\n');
  await box.engine.index(join(box.folder, 'node'));
  const other = (await call('get_status', { path: join(box.folder, 'node') })).project;
  assert.deepEqual([other.module_name, other.go_version], ['@acme/web', 'node >=20']);
});

test('special characters and concurrent calls are harmless (GC-37, GC-39)', async () => {
  const nasty = [
    "'; DROP TABLE chunks; --",
    '"unbalanced',
    'a AND OR NOT *',
    '%_\\',
    '((((',
    '\u0000\u202e',
    '🧭',
    '-x --flag',
    '^.*$',
  ];
  await Promise.all(
    nasty.flatMap((query) => [
      search(query),
      search('user', { filters: { packages: [query], file_pattern: 'internal/**' } }),
    ]),
  );
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => search(i % 2 ? 'invoice' : 'token')));
  answers.forEach((answer, i) => {
    assert.deepEqual(paths(answer), paths(answers[i % 2]!));
  });
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

test('the newest protocol version gets the same answers and errors (GC-06, GC-16)', async () => {
  const modern = await connectHttp(`${http.url}/mcp`, MODERN);
  assert.equal((await call('get_status', { path: box.project }, modern)).indexed, true);
  await refused('search_code', { path: box.bare, query: 'x' }, -32003, 'Project not indexed', modern);
  await modern.close();
});
