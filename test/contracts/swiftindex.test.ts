/** The swiftindex contract, by real clients, with the real engine. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { decode } from '@toon-format/toon';
import { loadProfile } from '../../src/contracts/index.ts';
import type { HttpHandle } from '../../src/transports/index.ts';
import { type Message, rawClient } from './raw-client.ts';
import {
  connectHttp,
  connectProcess,
  MODERN,
  otherIndexer,
  sandbox,
  serveProfiles,
  untilStale,
} from './real-engine.ts';

const box = sandbox();
const gone = join(box.folder, 'no/such');
let http: HttpHandle;
let client: Client;

before(async () => {
  http = await serveProfiles(box, ['swiftindex'], box.project);
  client = await connectHttp(`${http.url}/mcp`);
});
after(async () => {
  await client.close();
  await http.close();
  await box.close();
});

type Arguments = Record<string, unknown>;
const textOf = (result: Message): string => result.content[0].text;

async function call(name: string, args: Arguments, by = client): Promise<Message> {
  const result = await by.callTool({ name, arguments: args });
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  return result as Message;
}
const search = async (query: string, more: Arguments = {}) =>
  (await call('search_code', { query, ...more })).structuredContent as Message;

async function refused(name: string, args: Arguments, sentence: string): Promise<void> {
  const result = (await client.callTool({ name, arguments: args })) as Message;
  assert.deepEqual(
    { content: result.content, isError: result.isError },
    { content: [{ type: 'text', text: sentence }], isError: true },
  );
  assert.equal(result.structuredContent, undefined);
}

test('handshake and tool list (SI-01, SI-02, SI-03, SI-04, SI-05, SI-06, SI-31, SI-40)', async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine });
  const { result } = await raw.initialize('2025-11-25');
  assert.equal(result.protocolVersion, '2025-11-25');
  assert.ok(result.capabilities.tools);
  assert.deepEqual(result.capabilities.tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } });
  const { tools } = (await raw.request('tools/list')).result as { tools: Message[] };
  await raw.close();
  for (const tool of tools) {
    assert.ok(tool.title && tool.icons.length > 0, tool.name);
    assert.equal(tool.outputSchema.type, 'object');
    assert.deepEqual(Object.keys(tool.annotations), [
      'readOnlyHint',
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
    ]);
  }
  assert.deepEqual(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    CONTRACT_TOOLS,
  );
});

test('errors are sentences (SI-24, SI-25, SI-26, SI-27, SI-28)', async () => {
  for (const name of ['search_code', 'search_docs']) {
    await refused(name, {}, 'Missing required argument: query');
    await refused(name, { query: '  ' }, 'Query cannot be empty');
    await refused(name, { query: 'x', path: gone }, `Path does not exist or is not a directory: ${gone}`);
    await refused(
      name,
      { query: 'x', path: box.bare },
      `No index found for path: ${box.bare}. Run 'index_codebase' tool first.`,
    );
  }
  await refused('index_codebase', {}, 'Missing required argument: path');
  const file = join(box.project, 'go.mod');
  await refused('index_codebase', { path: file }, `Path does not exist or is not a directory: ${file}`);
  await refused(
    'search_code',
    { query: 'x', format: 'xml' },
    'Invalid argument: format must be one of "toon", "json", "human"',
  );
});

test('the default path means no folder that nobody named (SI-27)', async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine });
  await raw.initialize();
  for (const [name, args] of [
    ['search_code', { query: 'cart' }],
    ['search_docs', { query: 'cart', path: 'docs' }],
    ['code_research', { query: 'cart' }],
    ['index_codebase', { path: '.' }],
  ] as const) {
    const { result } = await raw.request('tools/call', { name, arguments: args });
    assert.equal(result.isError, true, name);
    assert.match(textOf(result), /^Which project\? Pass its folder as an absolute path: /, name);
  }
  await raw.close();
});

test('indexing: new, unchanged, forced, with progress (SI-07, SI-08, SI-09, SI-29)', async () => {
  const seen: { progress: number; total?: number }[] = [];
  const first = await client.callTool(
    { name: 'index_codebase', arguments: { path: box.project } },
    { onprogress: (progress) => seen.push(progress) },
  );
  const stats = first.structuredContent as Message;
  assert.equal(stats.mode, 'full');
  assert.deepEqual([stats.files, stats.files_indexed, stats.errors], [9, 9, []]);
  assert.ok(stats.chunks > 9);
  assert.ok(seen.length > 0);
  for (const { progress, total } of seen) assert.ok(total === undefined || progress <= total);
  const again = (await call('index_codebase', { path: box.project })).structuredContent;
  assert.deepEqual([again.mode, again.files_indexed, again.files_unchanged], ['incremental', 0, 9]);
  const forced = (await call('index_codebase', { path: box.project, force: true })).structuredContent;
  assert.deepEqual([forced.files, forced.files_indexed], [9, 9]);
});

test('a project that is being indexed already (SI-24)', async () => {
  const other = await otherIndexer(box, box.project);
  try {
    const said = `Already being indexed: ${box.project}. Searches go on meanwhile; call again when it is done.`;
    await refused('index_codebase', { path: box.project }, said);
  } finally {
    await other.end();
  }
});

test('search_code: places, fields, limit and filters (SI-10, SI-11, SI-12, SI-13, SI-17)', async () => {
  const { results } = await search('authentication');
  const [best] = results;
  for (const key of ['content', 'path', 'start_line', 'end_line', 'relevance_percent', 'kind', 'symbols'])
    assert.ok(key in best, key);
  assert.ok(/auth/i.test(best.path) && best.end_line >= best.start_line);
  assert.ok(Number.isInteger(best.relevance_percent) && best.relevance_percent >= 0 && best.relevance_percent <= 100);
  const validate = (await search('ValidateToken')).results[0];
  assert.equal(validate.signature, 'func ValidateToken(token string) bool');
  assert.equal(validate.doc_comment, 'ValidateToken checks if the authentication token is valid.');
  const inside = (await search('TokenAuthenticator authenticate', { extensions: 'swift' })).results;
  assert.ok(
    inside.some(({ breadcrumb }: Message) => /^TokenAuthenticator > authenticate$/.test(breadcrumb ?? '')) ||
      inside[0].symbols.includes('authenticate'),
  );
  assert.equal((await search('token', { limit: 1 })).results.length, 1);
  const all = await search('user token', { path_filter: 'internal/auth/service.go', limit: 100 });
  assert.ok(all.results.length > 1 && all.total >= all.results.length, `${all.results.length} of ${all.total}`);
  const paths = async (more: Arguments) =>
    (await search('authenticate token', more)).results.map(({ path }: Message) => path);
  assert.deepEqual(
    [...new Set(await paths({ path_filter: 'Sources/Auth/**' }))],
    ['Sources/Auth/Authenticatable.swift'],
  );
  assert.deepEqual(
    [...new Set(await paths({ extensions: 'swift, .ts' }))].filter((path) => !/\.(swift|ts)$/.test(path as string)),
    [],
  );
  assert.ok((await paths({ extensions: 'swift' })).length > 0);
});

test('content is code and symbols are names, of a file as a whole too (SI-17)', async () => {
  const { results } = await search('price', { extensions: 'ts', limit: 50 });
  for (const { content, path, start_line: start, end_line: end } of results)
    assert.equal(
      content,
      box
        .read(join('shop', path))
        .split('\n')
        .slice(start - 1, end)
        .join('\n'),
    );
  const [file] = (await search('web', { path_filter: 'web/cart.ts', semantic_weight: 0 })).results;
  assert.deepEqual([file.kind, file.symbols], ['symbols', ['cartTotal']]);
  assert.match(file.content, /^import \{ price \}[\s\S]*export function cartTotal/);
});

test('semantic_weight runs from keywords to meaning (SI-14)', async () => {
  for (const semantic_weight of [0, 0.3, 0.7, 1])
    assert.ok((await search('sign in with a token', { semantic_weight })).results.length > 0);
  const result = (await client.callTool({
    name: 'search_code',
    arguments: { query: 'x', semantic_weight: 2 },
  })) as Message;
  assert.equal(result.isError, true);
});

test('three formats of one payload (SI-15)', async () => {
  const args = { query: 'cart total' };
  const json = await call('search_code', args);
  assert.deepEqual(JSON.parse(textOf(json)), json.structuredContent);
  assert.deepEqual(
    JSON.parse(textOf(await call('search_code', { ...args, format: 'json' }))).results,
    json.structuredContent.results,
  );
  const toon = await call('search_code', { ...args, format: 'toon' });
  assert.throws(() => JSON.parse(textOf(toon)));
  assert.deepEqual(JSON.parse(JSON.stringify(decode(textOf(toon)))), toon.structuredContent);
  const human = textOf(await call('search_code', { ...args, format: 'human' }));
  assert.match(human, /^1\. web\/cart\.ts:\d+-\d+ \(\d+%, \w+\)/);
  assert.match(textOf(await call('search_docs', { query: 'installation', format: 'human' })), /^1\. \S+\.md:/);
  assert.match(textOf(await call('search_docs', { query: 'installation', format: 'toon' })), /^query: installation\n/);
});

test("expand_query and synthesize use the client's model where there is one (SI-16)", async () => {
  for (const era of [{}, MODERN]) {
    const helper = await connectHttp(`${http.url}/mcp`, { ...era, capabilities: { sampling: {} } });
    const asked: string[] = [];
    helper.setRequestHandler('sampling/createMessage', async ({ params }) => {
      const { content } = params.messages[0]!;
      asked.push((content as { text: string }).text);
      const text =
        asked.length === 1 ? 'ValidateToken\ntoken' : 'Tokens are checked in service.go.\n- Who calls ValidateToken?';
      return { role: 'assistant' as const, model: 'test', content: { type: 'text' as const, text } };
    });
    const { structuredContent } = await call(
      'search_code',
      { query: 'is the credential still good', expand_query: true, synthesize: true },
      helper,
    );
    assert.equal(asked.length, 2);
    assert.deepEqual(structuredContent.expanded_query, { source: 'client', terms: ['ValidateToken', 'token'] });
    assert.ok(structuredContent.results.some(({ symbols }: Message) => symbols.includes('ValidateToken')));
    assert.equal(structuredContent.summary, 'Tokens are checked in service.go.');
    assert.deepEqual(structuredContent.follow_ups, ['Who calls ValidateToken?']);
    assert.equal(structuredContent.summary_source, 'client');
    await helper.close();
  }
});

test('expand_query and synthesize without any model: built in, and said so (SI-16)', async () => {
  const args = { query: 'check a token', expand_query: true, synthesize: true };
  const found = await search(args.query, args);
  assert.ok(found.results.length > 0, 'something is found');
  assert.equal(found.expanded_query.source, 'builtin');
  assert.equal(found.summary_source, 'builtin');
  assert.match(found.summary, /ValidateToken/);
  assert.ok(found.follow_ups.length > 0, 'there is more to ask');
  const human = textOf(await call('search_code', { ...args, format: 'human' }));
  assert.match(human, /^Summary \(builtin\): \d+ places? in /);
  const nothing = await search('kartTotl', { extensions: 'swift', expand_query: true, synthesize: true });
  assert.deepEqual([nothing.results, nothing.summary_source], [[], 'builtin']);
  assert.equal(nothing.summary, 'Nothing matches "kartTotl".');
  assert.deepEqual(nothing.follow_ups, ['Where is cartTotal defined?']);
  assert.equal('summary' in (await search('kartTotl', { extensions: 'swift' })), false, 'only where it is asked for');
});

test('search_docs (SI-18, SI-19)', async () => {
  const { results } = (await call('search_docs', { query: 'installation' })).structuredContent;
  assert.ok(results.length >= 2);
  assert.match(results[0].path, /\.md$/);
  for (const { path, start_line: start, content } of results) {
    assert.ok(path.length > 0 && start >= 1 && content.length > 0);
  }
  const filtered = (await call('search_docs', { query: 'installation', path_filter: 'docs/*.md' })).structuredContent
    .results;
  assert.deepEqual([...new Set(filtered.map(({ path }: Message) => path))], ['docs/guide.md']);
});

test('a folder inside the project is searched alone (SI-12, SI-19)', async () => {
  const code = (await search('user invoice token', { path: 'internal/auth' })).results;
  assert.ok(code.length > 0 && code.every(({ path }: Message) => path.startsWith('internal/auth/')));
  const docs = (await call('search_docs', { query: 'installation', path: 'docs' })).structuredContent.results;
  assert.ok(docs.length > 0 && docs.every(({ path }: Message) => path.startsWith('docs/')));
});

test('a pattern may be meant from the folder that is named, or be a whole path; nothing left by filters is told (SI-12, SI-13, SI-19)', async () => {
  const paths = async (args: Message) =>
    new Set(
      (await search('user invoice token', args)).results.map(({ path }: Message) => path.replace(/\/[^/]*$/, '')),
    );
  assert.deepEqual(await paths({ path: 'internal', path_filter: 'auth/**' }), new Set(['internal/auth']));
  assert.deepEqual(await paths({ path_filter: join(box.project, 'internal/auth/**') }), new Set(['internal/auth']));
  assert.ok(!(await paths({ path: 'internal', path_filter: '!auth/**' })).has('internal/auth'));
  for (const narrowed of [{ path_filter: 'Sources/**/*.rs' }, { extensions: 'rs' }]) {
    const { results, notices } = await search('user invoice token', narrowed);
    assert.deepEqual(results, []);
    assert.match(notices[0], /path_filter and extensions: call again without them/);
  }
  const docs = await call('search_docs', { query: 'installation', path_filter: 'nowhere/*.md', format: 'human' });
  assert.match(docs.content[0].text, /call again without them/);
  assert.equal((await search('zzqx wibble')).notices, undefined);
});

test('results link their files (SI-38, SI-39)', async () => {
  const { content } = await call('search_code', { query: 'cartTotal' });
  const link = content.find(({ type }: Message) => type === 'resource_link');
  assert.match(link.uri, /^file:\/\/.*\/web\/cart\.ts$/);
  assert.equal(link.mimeType, 'text/x-typescript');
  assert.match(link.description, /cartTotal/);
  assert.deepEqual(link.annotations.audience, ['user']);
  assert.ok(link.annotations.priority > 0 && link.annotations.priority <= 1);
  // A folder inside the project means the project: links lead to the files all the same.
  const inside = await call('search_code', { query: 'price of an item', path: join(box.project, 'web'), limit: 1 });
  assert.equal(inside.content[1].uri, pathToFileURL(join(box.project, 'web/price.ts')).href);
});

test('a tool that is registered again keeps its place (SI-32)', async () => {
  const profile = await loadProfile('swiftindex', {
    workspace: null,
    version: '1',
    log: () => {},
    engine: async () => box.engine,
  });
  const names = () => profile.tools.list().map(({ name }) => name);
  const before = names();
  profile.tools.register({ ...profile.tools.get('search_code')!, description: 'Replaced' });
  assert.deepEqual(names(), before);
  assert.equal(profile.tools.get('search_code')!.description, 'Replaced');
});

test("a task means the client's root as a call does (SI-33)", async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine });
  await raw.initialize('2025-11-25', { roots: {} });
  const created = raw.request('tools/call', { name: 'search_code', arguments: { query: 'cartTotal' }, task: {} });
  const asked = await raw.until(({ method }) => method === 'roots/list');
  raw.line(
    JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: { roots: [{ uri: pathToFileURL(box.project).href }] } }),
  );
  const { taskId } = (await created).result.task;
  const { result } = await raw.request('tasks/result', { taskId });
  assert.equal(result.structuredContent.results[0].path, 'web/cart.ts');
  await raw.close();
});

test('indexing as a task, listed, awaited, cancelled (SI-33, SI-34, SI-35)', async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine, workspace: box.project });
  await raw.initialize();
  const start = async () =>
    (
      await raw.request('tools/call', {
        name: 'index_codebase',
        arguments: { path: box.project, force: true },
        task: { ttl: 60_000 },
      })
    ).result.task;
  const task = await start();
  assert.equal(task.status, 'working');
  const listed = (await raw.request('tasks/list')).result.tasks;
  assert.deepEqual(
    listed.map(({ taskId }: Message) => taskId),
    [task.taskId],
  );
  assert.equal((await raw.request('tasks/get', { taskId: task.taskId })).result.taskId, task.taskId);
  const result = await raw.request('tasks/result', { taskId: task.taskId });
  assert.equal(result.result.structuredContent.files, 9);
  const second = await start();
  assert.equal((await raw.request('tasks/cancel', { taskId: second.taskId })).result.status, 'cancelled');
  assert.equal((await raw.request('tasks/get', { taskId: second.taskId })).result.status, 'cancelled');
  // The index is whole again, whatever the cancelled run had reached.
  await idle();
  assert.equal(
    (await raw.request('tools/call', { name: 'index_codebase', arguments: { path: box.project } })).result
      .structuredContent.files,
    9,
  );
  await raw.close();
});

test('a call is ended by notifications/cancelled (SI-36)', async () => {
  const raw = rawClient({ profile: 'swiftindex', engine: box.engine, workspace: box.project });
  await raw.initialize();
  const params = { name: 'index_codebase', arguments: { path: box.project, force: true } };
  raw.line(JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params }));
  await raw.request('ping');
  raw.notify('notifications/cancelled', { requestId: 'long' });
  await idle();
  await raw.request('ping');
  assert.equal(
    raw.received.some(({ id }) => id === 'long'),
    false,
  );
  await raw.close();
  await call('index_codebase', { path: box.project });
});

test('audio travels end to end (SI-37)', async () => {
  const profile = await loadProfile('swiftindex', {
    workspace: null,
    version: '1',
    log: () => {},
    engine: async () => box.engine,
  });
  profile.tools.register({
    ...profile.tools.get('search_docs')!,
    handle: async () => ({
      structured: { query: '', results: [], total: 0 },
      content: [
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav', annotations: { audience: ['user'], priority: 1 } },
      ],
    }),
  });
  const raw = rawClient({ profile, engine: box.engine });
  await raw.initialize();
  const { result } = await raw.request('tools/call', { name: 'search_docs', arguments: { query: 'x' } });
  assert.deepEqual(result.content[1], {
    type: 'audio',
    data: 'UklGRg==',
    mimeType: 'audio/wav',
    annotations: { audience: ['user'], priority: 1 },
  });
  await raw.close();
});

test('the shipped command serves it over stdio (SI-40, SI-10)', async () => {
  const spawned = await connectProcess(box, ['--profile', 'swiftindex', '--workspace', box.project]);
  assert.equal(spawned.getServerVersion()?.name, 'swiftindex');
  assert.ok((await call('search_code', { query: 'cartTotal' }, spawned)).structuredContent.results.length > 0);
  await spawned.close();
});

const research = (query: string, more: Arguments = {}) => call('code_research', { query, ...more });

test('research: conforming types, by extension too (SI-20)', async () => {
  const { structuredContent } = await research('all implementations of Authenticatable');
  const found = JSON.stringify(structuredContent.evidence) + JSON.stringify(structuredContent.graph.nodes);
  assert.match(found, /TokenAuthenticator/);
  assert.match(found, /SessionStore/);
});

test('research: callers and their callers (SI-23, SI-21, SI-30)', async () => {
  const hops: number[] = [];
  const result = await client.callTool(
    { name: 'code_research', arguments: { query: 'what calls signIn()', depth: 5 } },
    { onprogress: ({ progress }) => hops.push(progress) },
  );
  const { evidence, graph, depth } = result.structuredContent as Message;
  assert.equal(depth, 5);
  assert.ok(evidence.some(({ path }: Message) => path === 'Sources/Auth/Authenticatable.swift'));
  assert.ok(graph.nodes.length > 0 && graph.edges.length > 0);
  assert.ok(hops.length > 0);
  for (const wrong of [0, 6, 1.5])
    assert.equal(
      (await client.callTool({ name: 'code_research', arguments: { query: 'x', depth: wrong } })).isError,
      true,
    );
});

test('research: focus and errors (SI-22, SI-25, SI-26, SI-27, SI-28)', async () => {
  await refused('code_research', {}, 'Missing required argument: query');
  await refused('code_research', { query: ' ' }, 'Query cannot be empty');
  const analyses = new Set<string>();
  for (const focus of ['architecture', 'dependencies', 'patterns', 'flow']) {
    const {
      focus: told,
      query: _query,
      ...analysis
    } = (await research('how does signIn with a token work', { focus })).structuredContent;
    assert.equal(told, focus);
    analyses.add(JSON.stringify(analysis));
  }
  assert.ok(analyses.size > 1, 'every focus gives the same analysis');
  const { summary, graph } = (await research('system structure', { focus: 'architecture' })).structuredContent;
  assert.match(summary, /^\d+ modules?, the largest at /);
  assert.ok(graph.nodes.some(({ kind }: Message) => kind === 'module'));
  await refused('code_research', { query: 'x', path: gone }, `Path does not exist or is not a directory: ${gone}`);
  await refused(
    'code_research',
    { query: 'x', path: box.bare },
    `No index found for path: ${box.bare}. Run 'index_codebase' tool first.`,
  );
});

test('answers say that files have changed since they were indexed (SI-08)', async () => {
  await idle();
  const path = 'web/refund.ts';
  box.write(join('shop', path), 'export function refundEverything() {}\n');
  const said = [`Changed since the index was made: ${path}. Call index_codebase to follow.`];
  assert.deepEqual((await untilStale(() => search('cart total'))).notices, said);
  const docs = await call('search_docs', { query: 'installation', format: 'human' });
  assert.ok(textOf(docs).endsWith(`Note:\n- ${said[0]}`));
  assert.deepEqual((await research('what calls price')).structuredContent.notices, said);
  const { files_indexed } = (await call('index_codebase', { path: box.project })).structuredContent;
  assert.equal(files_indexed, 1);
  assert.equal((await search('cart total')).notices, undefined);
});

async function idle(): Promise<void> {
  while ((await box.engine.status(box.project)).indexing === 'indexing')
    await new Promise((resolve) => setTimeout(resolve, 20));
}

const FORMAT = { type: 'string', enum: ['toon', 'json', 'human'], description: 'Output format' };
const PATH = { type: 'string', default: '.', description: 'Path to indexed codebase' };
const PATH_FILTER = { type: 'string', description: 'Filter by path pattern (glob syntax)' };
/** The contract, to the letter. */
const CONTRACT_TOOLS = [
  {
    name: 'index_codebase',
    description: 'Index a Swift codebase for semantic search',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute path to the directory to index' },
        force: { type: 'boolean', default: false, description: "Force re-indexing even if files haven't changed" },
      },
      required: ['path'],
    },
  },
  {
    name: 'search_code',
    description: 'Semantic search in indexed Swift codebase',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Natural language search query or code pattern' },
        path: PATH,
        limit: { type: 'integer', default: 20 },
        semantic_weight: { type: 'number', default: 0.7, description: 'Weight for semantic search (0.0-1.0)' },
        extensions: { type: 'string', description: 'Filter by file extensions (comma-separated)' },
        path_filter: PATH_FILTER,
        format: FORMAT,
        expand_query: { type: 'boolean', default: false, description: 'Use LLM to expand query' },
        synthesize: { type: 'boolean', default: false, description: 'Generate LLM summary' },
      },
      required: ['query'],
    },
  },
  {
    name: 'search_docs',
    description: 'Search indexed documentation using full-text search',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Natural language search query' },
        path: PATH,
        limit: { type: 'integer', default: 10 },
        path_filter: PATH_FILTER,
        format: FORMAT,
      },
      required: ['query'],
    },
  },
  {
    name: 'code_research',
    description: 'Deep architectural analysis with multi-hop search',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Research question about codebase' },
        path: PATH,
        depth: { type: 'integer', default: 2, minimum: 1, maximum: 5 },
        focus: {
          type: 'string',
          enum: ['architecture', 'dependencies', 'patterns', 'flow'],
          description: 'Optional focus area',
        },
      },
      required: ['query'],
    },
  },
];
