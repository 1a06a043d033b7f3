/** context-tool: tools, parameters, unknown tools, a server without a project, failures nobody foresaw. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProfile } from '../../../src/contracts/context-tool/index.ts';
import { type Message, rawClient } from '../raw-client.ts';
import { connectHttp, MODERN } from '../real-engine.ts';
import { type Arguments, box, call, failingEngine, http, refused } from './setup.ts';

test('tools, descriptions and schemas are those of the contract (CT-01, CT-02, CT-10, CT-20)', async () => {
  const raw = rawClient({ profile: 'context-tool', engine: box.engine, workspace: box.project });
  const { result } = await raw.initialize();
  assert.ok(Buffer.byteLength(result.instructions) < 2048);
  const tools = (await raw.request('tools/list')).result.tools as Message[];
  await raw.close();
  for (const { title, icons, outputSchema, annotations, name } of tools) {
    assert.ok(title && icons.length > 0 && outputSchema.type === 'object', name);
    assert.equal(annotations.readOnlyHint, name !== 'remember');
    assert.ok(result.instructions.includes(name));
  }
  assert.deepEqual(
    tools.slice(0, 3).map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    CONTRACT_TOOLS,
  );
  assert.deepEqual(
    tools.slice(3).map(({ name, inputSchema }) => [name, inputSchema.required]),
    [['remember', ['type', 'content']]],
  );
});

test('a query too short, wrong parameters, unknown tools (CT-07, CT-26, CT-28)', async () => {
  assert.deepEqual(await refused('context_search', { query: 'ab' }), { error: 'Query must be at least 3 characters' });
  const wrong: [string, Arguments, string, string][] = [
    ['context_search', {}, 'query', 'invalid_type'],
    ['context_search', { query: 'x'.repeat(501) }, 'query', 'too_big'],
    ['context_search', { query: '😀'.repeat(251) }, 'query', 'too_big'],
    ['context_search', { query: 'abc', type: 'idea' }, 'type', 'invalid_enum_value'],
    ['context_search', { query: 'abc', limit: 0 }, 'limit', 'too_small'],
    ['context_search', { query: 'abc', limit: 21 }, 'limit', 'too_big'],
    ['context_search', { query: 'abc', limit: 1.5 }, 'limit', 'invalid_type'],
    ['read_file', {}, 'path', 'invalid_type'],
    ['read_file', { path: '' }, 'path', 'too_small'],
    ['read_file', { path: 'a', includeDeps: 'yes' }, 'includeDeps', 'invalid_type'],
    ['read_file', { path: 'a', maxDepth: 2 }, 'maxDepth', 'too_big'],
    ['grep_codebase', {}, 'pattern', 'invalid_type'],
    ['grep_codebase', { pattern: '' }, 'pattern', 'too_small'],
    ['grep_codebase', { pattern: 'x'.repeat(201) }, 'pattern', 'too_big'],
    ['grep_codebase', { pattern: 'x', limit: 101 }, 'limit', 'too_big'],
    ['remember', { content: 'something' }, 'type', 'invalid_type'],
  ];
  for (const [name, args, path, code] of wrong) {
    const { error, details } = await refused(name, args);
    assert.equal(error, 'Invalid parameters');
    assert.deepEqual([details[0].path, details[0].code], [[path], code], JSON.stringify(args));
    assert.ok(details[0].message.startsWith(path));
  }
  assert.deepEqual(await refused('write_file', { path: 'x' }), {
    error: 'Unknown tool: write_file',
    tool: 'write_file',
  });
});

test('a server without a project reads nothing and says what it lacks (CT-18, CT-38)', async () => {
  const raw = rawClient({ profile: 'context-tool', engine: box.engine });
  await raw.initialize();
  for (const [name, args] of [
    ['read_file', { path: 'package.json' }],
    ['grep_codebase', { pattern: 'sextant' }],
    ['context_search', { query: 'how does it start' }],
    ['remember', { type: 'rule', content: 'Say which project is meant' }],
  ] as const) {
    const { result } = await raw.request('tools/call', { name, arguments: args });
    assert.equal(result.isError, true, name);
    assert.match(result.content[0].text, /Which project\?.*--workspace/, name);
  }
  await raw.close();
});

test('an unexpected failure names the tool; the newest protocol version gets the same forms (CT-28)', async () => {
  const broken = failingEngine(null, { grep: () => Promise.reject(new TypeError('boom')) });
  const raw = rawClient({
    profile: createProfile({ workspace: null, version: '1', log: () => {}, engine: async () => broken }),
    engine: broken,
    workspace: box.project,
  });
  await raw.initialize();
  const { result } = await raw.request('tools/call', { name: 'grep_codebase', arguments: { pattern: 'x' } });
  await raw.close();
  const { error, tool } = JSON.parse(result.content[0].text);
  assert.deepEqual([result.isError, tool], [true, 'grep_codebase']);
  assert.match(error, /boom/);
  const modern = await connectHttp(`${http.url}/mcp`, MODERN);
  assert.equal((await call('grep_codebase', { pattern: 'Needle' }, modern)).totalMatches, 1);
  assert.equal((await refused('read_file', { path: '.env' }, modern)).error, 'Permission denied');
  await modern.close();
});

const CONTRACT_TOOLS = [
  {
    name: 'context_search',
    description:
      'Search project context semantically using RAG. Returns relevant discoveries, patterns, rules, and past decisions.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 3, maxLength: 500, description: 'Search query describing what to find' },
        type: {
          type: 'string',
          enum: ['all', 'pattern', 'rule', 'decision', 'issue'],
          default: 'all',
          description: 'Filter by discovery type',
        },
        module: { type: 'string', description: 'Filter by module name' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 20,
          default: 5,
          description: 'Maximum number of results to return',
        },
      },
      required: ['query'],
    },
  },
  {
    name: 'read_file',
    description: 'Read file content with optional dependency tree. Tracks access for context scoring.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'File path relative to project root' },
        includeDeps: { type: 'boolean', default: false, description: 'Include level 1 dependencies (imports)' },
        maxDepth: {
          type: 'integer',
          minimum: 0,
          maximum: 1,
          default: 1,
          description: 'Dependency tree depth (MVP: max 1)',
        },
      },
      required: ['path'],
    },
  },
  {
    name: 'grep_codebase',
    description:
      'Fast text search across codebase using regex. Good for exact matches and when semantic search unavailable.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, maxLength: 200, description: 'Regex pattern to search for' },
        filePattern: { type: 'string', description: 'Glob pattern to filter files (e.g., "**/*.ts")' },
        caseSensitive: { type: 'boolean', default: false, description: 'Case-sensitive search' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 50,
          description: 'Maximum number of matches to return',
        },
      },
      required: ['pattern'],
    },
  },
];
