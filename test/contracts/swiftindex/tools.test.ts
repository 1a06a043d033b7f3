/** swiftindex: handshake, tool list, errors, kinds of content. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { loadProfile } from '../../../src/contracts/index.ts';
import { type Message, rawClient } from '../raw-client.ts';
import { connectProcess } from '../real-engine.ts';
import { box, call, gone, indexProject, refused, textOf } from './setup.ts';

before(indexProject);

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
