/** The context-tool contract, by a real client over HTTP, with the real engine. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createProfile } from '../../src/contracts/context-tool/index.ts';
import { Metrics } from '../../src/contracts/index.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { EngineError } from '../../src/model/records/engine-errors.ts';
import { revealHidden } from '../../src/model/untrusted/visible-text.ts';
import { type HttpHandle, serveHttp } from '../../src/transports/index.ts';
import { type Message, rawClient } from './raw-client.ts';
import {
  answerOf,
  command,
  connectHttp,
  connectProcess,
  MODERN,
  needs,
  otherIndexer,
  processEnv,
  sandbox,
} from './real-engine.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const box = sandbox(/^(?:web|README|internal\/billing)/);
const metrics = new Metrics();
const log: { level: string; message: string; fields: Message }[] = [];
/** High enough for the tests before the one that runs into them. */
const limits = { context_search: 200, read_file: 100, grep_codebase: 60 };
let http: HttpHandle;
let client: Client;

const put = (path: string, text: string) => box.write(join('shop', path), text);

before(async () => {
  put('.env', 'TOKEN=1\n');
  put('.env.example', 'TOKEN=\n');
  put('.ENV.Local', 'TOKEN=2\n');
  put('config/.env.production', 'TOKEN=3\n');
  put('.git/config', '[core]\n');
  put('node_modules/left-pad/index.js', 'export const pad = 1; // needle\n');
  for (const folder of ['dist', 'build', '.next', '.context']) put(`${folder}/made.js`, '// needle\n');
  put('ignored.log', 'needle\n');
  put('.gitignore', 'ignored.log\n');
  put('web/big.txt', 'x'.repeat(1024 * 1024 + 1));
  put('web/notes.txt', 'one\ntwo\nthe Needle is here\nfour\nfive\n--files\n');
  put('web/bulk.ts', "import './huge';\nimport './nowhere';\nimport 'left-pad';\n");
  put('web/huge.ts', `export const text = '${'x'.repeat(1024 * 1024)}';\n`);
  put('web/broken.ts', 'import { from ;;; "\nexport function {{{ (\n');
  box.write('secret.txt', 'outside\n');
  symlinkSync(join(box.folder, 'secret.txt'), join(box.project, 'web/out.txt'));
  symlinkSync(join(box.project, 'node_modules/left-pad/index.js'), join(box.project, 'web/pad.js'));
  symlinkSync(join(box.project, '.env'), join(box.project, 'web/settings.txt'));
  await box.engine.index(box.project);
  http = await serve(box.project);
  client = await connectHttp(`${http.url}/mcp`);
});
after(async () => {
  await client.close();
  await http.close();
  await box.close();
});

function serve(workspace: string, engine: Engine = box.engine, rateLimits: Message = limits): Promise<HttpHandle> {
  return serveHttp({
    engine,
    profiles: ['context-tool'],
    workspace,
    host: '127.0.0.1',
    port: 0,
    version: '9.9.9',
    settings: { 'context-tool': { rateLimits } },
    metrics,
    log: (level, message, fields = {}) => log.push({ level, message, fields }),
  });
}

type Arguments = Record<string, unknown>;

const call = (name: string, args: Arguments, by = client) => answerOf(by, name, args);

/** What a refusal says: JSON in the text, and the same as structured content. */
async function refused(name: string, args: Arguments, by = client): Promise<Message> {
  const result = (await by.callTool({ name, arguments: args })) as Message;
  assert.equal(result.isError, true, JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

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

test('a file with what it is (CT-11)', async () => {
  const answer = await call('read_file', { path: 'web/cart.ts' });
  assert.deepEqual(Object.keys(answer), ['file', 'dependencies', 'metadata']);
  const content = box.read('shop/web/cart.ts');
  assert.deepEqual(answer.file, {
    path: 'web/cart.ts',
    content,
    size: Buffer.byteLength(content),
    lines: 6,
    language: 'typescript',
  });
  assert.deepEqual(answer.dependencies, []);
  assert.deepEqual([answer.metadata.module, answer.metadata.role], ['web', 'core']);
  assert.equal(new Date(answer.metadata.lastModified).toISOString(), answer.metadata.lastModified);
  for (const path of ['./web/price.ts', 'web//price.ts', 'web/./price.ts', './/web/.//./price.ts'])
    assert.equal((await call('read_file', { path })).file.path, 'web/price.ts', path);
});

test('a read is counted (CT-16)', async () => {
  const find = async () => (await box.engine.accesses(box.project)).find(({ path }) => path === 'web/notes.txt');
  const before = (await find())?.count ?? 0;
  await client.callTool({ name: 'read_file', arguments: { path: 'web/notes.txt' } });
  // Counting happens after the answer.
  let after = await find();
  for (let i = 0; i < 100 && (after?.count ?? 0) === before; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    after = await find();
  }
  assert.equal(after?.count, before + 1);
  // It fades from the moment it is made.
  assert.ok(after.lastAccessedMs > 0 && after.score > 0.99, `score ${after.score}`);
});

test('includeDeps adds what the file imports, maxDepth 0 does not (CT-12, CT-37)', async (t) => {
  const { dependencies } = await box.engine.readFile(box.project, { path: 'web/cart.ts', includeDependencies: true });
  if (dependencies.length === 0) return t.skip('this part of the engine is not built yet');
  const answer = await call('read_file', { path: 'web/cart.ts', includeDeps: true });
  assert.deepEqual(answer.dependencies, [
    { path: 'web/price.ts', type: 'import', level: 1, content: box.read('shop/web/price.ts') },
  ]);
  assert.deepEqual((await call('read_file', { path: 'web/cart.ts', includeDeps: true, maxDepth: 0 })).dependencies, []);
  const {
    dependencies: left,
    external,
    warnings,
  } = await call('read_file', { path: 'web/bulk.ts', includeDeps: true });
  assert.deepEqual(left, [{ path: 'web/huge.ts', type: 'import', level: 1 }]);
  assert.deepEqual(external, ['./nowhere', 'left-pad']);
  assert.match(warnings[0], /^web\/huge\.ts is named without content/);
});

test('imports have a budget: contents while they fit, then outlines, then names (CT-40)', async () => {
  const parts = [...Array(40).keys()];
  const body = (i: number) =>
    `/** ${'words '.repeat(200)} */\nexport function part${i}(): number {\n  return ${i};\n}\n`;
  for (const i of parts) put(`web/parts/part${i}.ts`, body(i).repeat(i === 39 ? 1 : 2));
  put('web/parts/all.ts', parts.map((i) => `import './part${i}.ts';\n`).join(''));
  await box.engine.index(box.project);
  const result = (await client.callTool({
    name: 'read_file',
    arguments: { path: 'web/parts/all.ts', includeDeps: true },
  })) as Message;
  const { dependencies, warnings } = result.structuredContent;
  assert.ok(Buffer.byteLength(result.content[0].text) < 64_000);
  assert.equal(dependencies.length, parts.length, 'every import is named');
  const shown = dependencies.filter(({ content }: Message) => content);
  const outlined = dependencies.filter(({ outline }: Message) => outline);
  assert.ok(shown.length > 5 && outlined.length > 5 && shown.length + outlined.length === parts.length);
  assert.match(outlined[0].outline[0], /^\d+-\d+ .*part\d+\(\)/);
  assert.match(warnings[0], /and \d+ more are shown by outline/);
});

test('imports that cannot be parsed (CT-14)', async () => {
  assert.match((await call('read_file', { path: 'web/broken.ts' })).file.content, /import/);
  const refusal = await refused('read_file', { path: 'web/broken.ts', includeDeps: true });
  assert.deepEqual([refusal.error, refusal.path], ['Failed to parse imports', 'web/broken.ts']);
  assert.match(refusal.details, /^Syntax error at line \d+$/);
});

test('imports are those of the content that is shown, however new it is (CT-12, CT-14)', async () => {
  // A slow machine may not be done within the wait, and says so.
  const imports = async (path: string) => {
    let answer = await read(path);
    for (let i = 0; i < 20 && answer.warnings; i++) answer = await read(path);
    return answer.dependencies?.map((dependency: Message) => dependency.path) ?? answer.error;
  };
  const read = async (path: string) =>
    (await client.callTool({ name: 'read_file', arguments: { path, includeDeps: true } })).structuredContent as Message;
  put('web/fresh.ts', "import { price } from './price.ts';\n\nexport const one = price('one');\n");
  assert.deepEqual(await imports('web/fresh.ts'), ['web/price.ts']);
  put('web/fresh.ts', "import { cartTotal } from './cart.ts';\n\nexport const none = cartTotal([]);\n");
  assert.deepEqual(await imports('web/fresh.ts'), ['web/cart.ts']);
  put('web/fresh.ts', 'import { from ;;; "\nexport function {{{ (\n');
  assert.equal(await imports('web/fresh.ts'), 'Failed to parse imports');
  const ignored = await read('ignored.log');
  assert.deepEqual(ignored.dependencies, []);
  assert.match(ignored.warnings[0], /not indexed/);
});

test('the first call in a new project waits for its index (CT-12)', async () => {
  box.write('new/main.ts', "import { b } from './b.ts';\n\nexport const a = b;\n");
  box.write('new/b.ts', 'export const b = 1;\n');
  const fresh = await connectProcess(box, ['--profile', 'context-tool', '--workspace', join(box.folder, 'new')]);
  try {
    const { dependencies, warnings } = await call('read_file', { path: 'main.ts', includeDeps: true }, fresh);
    if (warnings) assert.match(warnings[0], /not indexed/);
    else assert.equal(dependencies[0]?.path, 'b.ts');
  } finally {
    await fresh.close();
  }
});

test('files that are not there, or are none (CT-13)', async () => {
  for (const path of ['invalid/path.ts', 'web', 'web/', 'web/cart.ts/x'])
    assert.deepEqual(await refused('read_file', { path }), { error: 'File not found', path });
});

test('paths out of the project, in every spelling (CT-18)', async () => {
  for (const path of ['/etc/passwd', join(box.project, 'web/cart.ts'), 'C:\\x', '\\\\host\\x', '~/x'])
    assert.deepEqual(await refused('read_file', { path }), { error: 'Absolute paths not allowed', path });
  for (const path of ['../secret.txt', '../../../etc/passwd', 'web/../../secret.txt', 'web/..', 'web\\..\\x'])
    assert.deepEqual(await refused('read_file', { path }), { error: 'Path traversal not allowed', path });
  for (const path of ['web/out.txt', 'web\\cart.ts', 'web/cart.ts\0.png'])
    assert.deepEqual(
      Object.entries(await refused('read_file', { path })).slice(0, 2),
      Object.entries({ error: 'Permission denied', path: revealHidden(path) }),
    );
});

test('environment files, .git and node_modules are never read (CT-15, CT-17)', async () => {
  const paths = [
    '.env',
    '.Env',
    '.env.example',
    '.ENV.Local',
    'config/.env.production',
    './.env',
    '.env.',
    '.git/config',
    '.GIT/config',
    'node_modules/left-pad/index.js',
    'Node_Modules/left-pad/index.js',
    'node_modules/no/such/file.js',
    'web/pad.js',
    'web/settings.txt',
  ];
  for (const path of paths) {
    const { error, path: named, details } = await refused('read_file', { path });
    assert.deepEqual([error, named], ['Permission denied', path]);
    assert.ok(details.length > 0);
  }
});

test('a file over 1 MB is refused with its size (CT-19)', async () => {
  const { error, size, limit, suggestion } = await refused('read_file', { path: 'web/big.txt' });
  assert.deepEqual([error, size, limit], ['File too large', 1024 * 1024 + 1, 1024 * 1024]);
  assert.match(suggestion, /grep_codebase/);
});

test('grep gives places with the lines around them (CT-21, CT-22)', async () => {
  const answer = await call('grep_codebase', { pattern: 'need[l]e' });
  const { searchTime, filesSearched, ...rest } = answer;
  assert.deepEqual(rest, {
    matches: [
      {
        file: 'web/notes.txt',
        line: 3,
        column: 5,
        text: 'the Needle is here',
        context: { before: ['one', 'two'], after: ['four', 'five'] },
      },
    ],
    pattern: 'need[l]e',
    totalMatches: 1,
  });
  assert.ok(Number.isInteger(searchTime) && filesSearched > 3);
  assert.equal((await call('grep_codebase', { pattern: 'needle', caseSensitive: true })).totalMatches, 0);
  assert.equal((await call('grep_codebase', { pattern: 'Needle', caseSensitive: true })).totalMatches, 1);
  assert.equal((await call('grep_codebase', { pattern: 'needle', filePattern: '**/*.ts' })).totalMatches, 0);
  assert.equal((await call('grep_codebase', { pattern: 'needle', filePattern: 'web/*.txt' })).totalMatches, 1);
});

test('in a folder of an indexed project, too, what grep names can be read (CT-10, CT-21)', async () => {
  const raw = rawClient({ profile: 'context-tool', engine: box.engine, workspace: join(box.project, 'web') });
  await raw.initialize();
  const ask = async (name: string, args: Arguments) =>
    (await raw.request('tools/call', { name, arguments: args })).result;
  const found = await ask('grep_codebase', { pattern: 'the Needle' });
  const [{ file }] = found.structuredContent.matches;
  assert.equal(file, 'web/notes.txt');
  assert.match((await ask('read_file', { path: file })).structuredContent.file.content, /the Needle/);
  assert.match(found.content[1].uri, /shop\/web\/notes\.txt$/);
  await raw.close();
});

test('what is generated, installed or ignored is not searched (CT-25)', async () => {
  for (const filePattern of ['**/*.js', 'dist/**', 'node_modules/**', '.next/**', '*.log'])
    assert.equal((await call('grep_codebase', { pattern: 'needle', filePattern })).totalMatches, 0, filePattern);
});

test('no match is an answer, not an error (CT-24)', async () => {
  const answer = await call('grep_codebase', { pattern: 'xyznonexistent123' });
  assert.deepEqual(
    [answer.matches, answer.totalMatches, answer.message],
    [[], 0, "No matches found for pattern 'xyznonexistent123'"],
  );
});

test('a pattern that is wrong, looks like a flag, or runs wild (CT-23, CT-32)', async () => {
  const { error, pattern, details } = await refused('grep_codebase', { pattern: '[invalid(' });
  assert.deepEqual([error, pattern], ['Invalid regex pattern', '[invalid(']);
  assert.ok(details.length > 0);
  const glob = await refused('grep_codebase', { pattern: 'x', filePattern: '[' });
  assert.deepEqual([glob.error, glob.filePattern], ['Invalid file pattern', '[']);
  const nul = await refused('grep_codebase', { pattern: 'a\0b', filePattern: '*.ts' });
  assert.deepEqual([nul.error, nul.pattern], ['Invalid regex pattern', 'a<U+0000>b']);
  assert.deepEqual((await call('grep_codebase', { pattern: '--files' })).matches[0].line, 6);
  put('web/a.txt', `${'a'.repeat(5000)}b\n`);
  assert.equal((await call('grep_codebase', { pattern: '^(a+)+b$', filePattern: 'web/a.txt' })).totalMatches, 1);
  assert.equal((await call('grep_codebase', { pattern: '^(a+)+c$' })).totalMatches, 0);
});

test('totalMatches counts beyond the limit (CT-33)', async () => {
  put('web/many.txt', 'again\n'.repeat(300));
  const answer = await call('grep_codebase', { pattern: '^again$', limit: 7 });
  assert.deepEqual([answer.matches.length, answer.totalMatches], [7, 300]);
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

test('no index yet: the way on is named; while the first one is made, that is said (CT-08)', async () => {
  const bare = await serve(box.bare);
  const other = await connectHttp(`${bare.url}/mcp`);
  try {
    assert.deepEqual(await refused('context_search', { query: 'how does it start' }, other), {
      error: 'No embeddings found. Run initial session to generate context.',
      fallback: 'Use grep_codebase for text search',
      suggestion: 'Run `sextant index` in the project folder once.',
    });
    assert.equal((await call('grep_codebase', { pattern: 'func main' }, other)).totalMatches, 1);
  } finally {
    await other.close();
    await bare.close();
  }
});

/** An engine whose memory fails as told; all else is real. */
function failingEngine(error: unknown, more: Partial<Engine> = {}): Engine {
  return Object.assign(Object.create(box.engine) as Engine, {
    contextSearch: () => Promise.reject(error),
    status: box.engine.status.bind(box.engine),
    project: box.engine.project.bind(box.engine),
    root: box.engine.root.bind(box.engine),
    firstIndex: async () => false,
    ...more,
  });
}

async function refusalWith(engine: Engine): Promise<Message> {
  const raw = rawClient({ profile: 'context-tool', engine, workspace: box.project });
  await raw.initialize();
  const { result } = await raw.request('tools/call', { name: 'context_search', arguments: { query: 'anything' } });
  await raw.close();
  assert.equal(result.isError, true);
  return JSON.parse(result.content[0].text);
}

test('the failures of a search, each in its form (CT-08, CT-09, CT-27, CT-36, CT-38)', async () => {
  const missing = new EngineError('not_indexed', { path: box.project });
  assert.deepEqual(await refusalWith(failingEngine(missing)), {
    error: 'No embeddings found. Run initial session to generate context.',
    fallback: 'Use grep_codebase for text search',
    suggestion: 'Run `sextant index` in the project folder once.',
  });
  const other = await otherIndexer(box, box.project);
  try {
    assert.deepEqual(await refusalWith(failingEngine(missing)), {
      error: 'No embeddings available',
      suggestion: 'Use grep_codebase for text search',
      action: 'Embeddings will be generated in background',
    });
  } finally {
    await other.end();
  }
  const down = new EngineError('provider_unavailable', {
    kind: 'embedding',
    provider: 'openai',
    reason: 'API rate limit exceeded',
  });
  const embedding = await refusalWith(failingEngine(down));
  assert.equal(embedding.error, 'Failed to generate query embedding');
  assert.match(embedding.details, /API rate limit exceeded/);
  const failed = await refusalWith(failingEngine(new TypeError('boom')));
  assert.deepEqual([failed.error, failed.fallback], ['Search failed', 'Try using grep_codebase for text search']);
  assert.match(failed.message, /boom/);
});

test('a search before the first index waits for it nearly as long as a search may take (CT-42)', async () => {
  const waits: number[] = [];
  const missing = new EngineError('not_indexed', { path: box.project });
  const late = failingEngine(missing, {
    async firstIndex(path: string, { timeoutMs }: { readonly timeoutMs: number }) {
      waits.push(timeoutMs);
      throw new EngineError('index_not_ready', { path });
    },
  });
  assert.equal((await refusalWith(late)).error, 'No embeddings available');
  assert.ok(waits.length === 1 && waits[0]! >= 4_500 && waits[0]! < 5_000, `${waits}`);
});

test('what is remembered is found, filtered and ranked (CT-03, CT-04, CT-05, CT-06, CT-34)', async (t) => {
  if (!(await needs(() => box.engine.contextSearch(box.project, { query: 'anything' }), t))) return;
  const discoveries = [
    { type: 'pattern', content: 'Use JWT tokens stored in httpOnly cookies for authentication', module: 'auth' },
    { type: 'issue', content: 'Token refresh race condition fixed with a mutex lock', module: 'auth' },
    { type: 'decision', content: 'Prices of the cart are whole cents, never floating point', module: 'web' },
  ];
  for (const discovery of discoveries) {
    const { id, outcome } = await call('remember', discovery);
    assert.ok(id.length > 0 && outcome === 'created');
  }
  const answer = await call('context_search', { query: 'how does authentication with JWT tokens work' });
  assert.deepEqual(Object.keys(answer), ['results', 'query', 'totalFound', 'searchTime']);
  assert.equal(answer.query, 'how does authentication with JWT tokens work');
  assert.ok(Number.isInteger(answer.searchTime) && answer.totalFound >= answer.results.length);
  const [first] = answer.results;
  assert.deepEqual(Object.keys(first), ['id', 'type', 'content', 'module', 'session', 'date', 'score', 'source']);
  assert.deepEqual([first.type, first.module, first.source], ['pattern', 'auth', 'discovery']);
  assert.equal(new Date(first.date).toISOString(), first.date);
  answer.results.forEach(({ score }: Message, i: number) => {
    assert.ok(i === 0 || score <= answer.results[i - 1].score);
  });
  const issues = await call('context_search', { query: 'token refresh', type: 'issue' });
  assert.ok(issues.results.length > 0 && issues.results.every(({ type }: Message) => type === 'issue'));
  const web = await call('context_search', { query: 'token cents', module: 'web' });
  assert.ok(web.results.length > 0 && web.results.every(({ module }: Message) => module === 'web'));
  assert.equal((await call('context_search', { query: 'token cart', limit: 1 })).results.length, 1);
});

test('module gives what belongs to that module, though another has a folder of that name (CT-41)', async () => {
  put('internal/billing/web/banner.ts', 'export const banner = "cents of the cart";\n');
  await box.engine.index(box.project);
  const owner = (await call('read_file', { path: 'internal/billing/web/banner.ts' })).metadata.module;
  assert.notEqual(owner, 'web');
  const files = ['internal/billing/web/banner.ts'];
  await call('remember', { type: 'rule', content: 'Banners show the cents of a cart', module: owner, files });
  const { results } = await call('context_search', { query: 'cents of the cart', module: 'web', limit: 20 });
  assert.ok(results.length > 0);
  assert.deepEqual([...new Set(results.map(({ module }: Message) => module))], ['web']);
  const own = await call('context_search', { query: 'cents of the cart', module: owner, limit: 20 });
  assert.ok(own.results.some(({ content }: Message) => content.startsWith('Banners')));
});

test('a result names the files that it is about, and read_file takes them (CT-03, CT-10)', async (t) => {
  if (!(await needs(() => box.engine.contextSearch(box.project, { query: 'anything' }), t))) return;
  const files = ['web/cart.ts', 'web/notes.txt'];
  const { id } = await call('remember', { type: 'rule', content: 'Carts are emptied after a week', files });
  const kept = (await call('context_search', { query: id })).results[0];
  assert.deepEqual(kept.files, files);
  const codeOf = async (query: string) =>
    (await call('context_search', { query })).results.filter(({ source }: Message) => source === 'code');
  const [code] = await codeOf('the total of a cart');
  const [path] = code.files;
  assert.ok((await call('read_file', { path })).file.content.includes(code.content.trim().split('\n')[0]));
  for (const { files: found } of await codeOf('TOKEN in .env.example'))
    for (const file of found) assert.doesNotMatch(file, /\.env/, 'read_file would refuse it');
});

test('calls are logged before and after (CT-30)', async () => {
  log.length = 0;
  await call('read_file', { path: 'web/cart.ts' });
  await refused('read_file', { path: 'nowhere.ts' });
  const lines = log.filter(({ level }) => level === 'info');
  assert.deepEqual(
    lines.map(({ message }) => message),
    ['Tool called', 'Tool completed', 'Tool called', 'Tool completed'],
  );
  assert.deepEqual(
    [lines[0]!.fields.tool, lines[0]!.fields.params.path, typeof lines[0]!.fields.sessionId],
    ['read_file', 'web/cart.ts', 'string'],
  );
  assert.ok(Number.isInteger(lines[0]!.fields.timestamp));
  const [{ success, duration, resultSize }, failed] = [lines[1]!.fields, lines[3]!.fields];
  assert.ok(success === true && duration >= 0 && resultSize > 100);
  assert.deepEqual([failed.success, failed.error], [false, 'File not found']);
  for (const [name, error] of [
    ['context_search', 'Invalid parameters'],
    ['write_file', 'Unknown tool: write_file'],
  ] as const) {
    log.length = 0;
    await refused(name, { path: 'web/cart.ts' });
    const told = log.filter(({ level }) => level === 'info');
    assert.deepEqual(
      told.map(({ message, fields }) => [message, fields.tool, fields.params?.path, fields.error]),
      [
        ['Tool called', name, 'web/cart.ts', undefined],
        ['Tool completed', name, undefined, error],
      ],
    );
  }
});

test('log.calls writes every call on standard error, without --verbose (CT-43)', async () => {
  const linesWith = async (calls: string) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/main.js'), 'serve-mcp', '--profile', 'context-tool', '--workspace', box.bare],
      cwd: root,
      env: { ...processEnv(box), SEXTANT_LOG_CALLS: calls },
      stderr: 'pipe',
    });
    let written = '';
    transport.stderr!.on('data', (text) => {
      written += text;
    });
    const ended = new Promise((resolve) => transport.stderr!.on('end', resolve));
    const own = new Client({ name: 'test', version: '1' });
    await own.connect(transport);
    await own.callTool({ name: 'read_file', arguments: { path: 'nowhere.ts' } });
    await own.close();
    await ended;
    return written.split('\n').filter((line) => /"tool":"read_file".*"msg":"Tool (?:called|completed)"/.test(line));
  };
  assert.equal((await linesWith('on')).length, 2);
  assert.equal((await linesWith('off')).length, 0);
});

test('a call that takes too long is a warning in the log (CT-35)', async () => {
  const slow = Object.assign(Object.create(box.engine) as Engine, {
    project: box.engine.project.bind(box.engine),
    root: box.engine.root.bind(box.engine),
    readFile: async (path: string, request: Parameters<Engine['readFile']>[1]) => {
      await new Promise((resolve) => setTimeout(resolve, 550));
      return box.engine.readFile(path, request);
    },
  });
  const slowly = await serve(box.project, slow);
  const other = await connectHttp(`${slowly.url}/mcp`);
  log.length = 0;
  await call('read_file', { path: 'web/cart.ts' }, other);
  await other.close();
  await slowly.close();
  const [{ message, fields }] = log.filter(({ level }) => level === 'warn') as [(typeof log)[number]];
  assert.deepEqual([message, fields.tool, fields.limit], ['Tool took too long', 'read_file', 500]);
});

test('beyond the limit of a minute the wait is said, for each client and tool alone (CT-29)', async () => {
  const limited = await serve(box.project, box.engine, { read_file: 2, grep_codebase: 1 });
  const [one, two] = await Promise.all([connectHttp(`${limited.url}/mcp`), connectHttp(`${limited.url}/mcp`)]);
  try {
    await call('read_file', { path: 'web/cart.ts' }, one);
    await refused('read_file', { path: 'nowhere.ts' }, one);
    const refusal = await refused('read_file', { path: 'web/cart.ts' }, one);
    assert.deepEqual(
      [refusal.error, refusal.tool, refusal.limit],
      ['Rate limit exceeded for read_file', 'read_file', 2],
    );
    assert.ok(refusal.retryAfter > 0 && refusal.retryAfter <= 60);
    assert.equal(refusal.suggestion, `Wait ${refusal.retryAfter} seconds and call again`);
    await call('grep_codebase', { pattern: 'x' }, one);
    await call('read_file', { path: 'web/cart.ts' }, two);
    const { rateLimited, errors } = metrics.list().find(({ tool }) => tool === 'read_file')!;
    assert.deepEqual([rateLimited, errors.rate_limited], [1, 1]);
  } finally {
    await one.close();
    await two.close();
    await limited.close();
  }
});

test('metrics count calls, successes, error types and times (CT-31)', () => {
  const read = metrics.list().find(({ tool }) => tool === 'read_file')!;
  assert.ok(read.calls > read.succeeded && read.succeeded > 3);
  assert.ok(read.errors.path_forbidden! > 10 && read.errors.file_not_found! > 3 && read.errors.invalid_input! > 2);
  assert.ok(read.p50Ms > 0 && read.p50Ms <= read.p95Ms && read.p95Ms <= read.p99Ms && read.resultBytes > 0);
  assert.match(
    metrics.prometheus(),
    /sextant_tool_calls_total\{profile="context-tool",tool="grep_codebase",outcome="ok"\} \d+/,
  );
});

test('`status --metrics` shows the books of every server of the project, also while they run (CT-31)', async () => {
  const first = await connectProcess(box, ['--profile', 'context-tool', '--workspace', box.project]);
  const second = await connectProcess(box, ['--profile', 'context-tool', '--workspace', box.project]);
  for (const one of [first, second]) await one.callTool({ name: 'read_file', arguments: { path: 'web/cart.ts' } });
  await second.callTool({ name: 'read_file', arguments: { path: '.env' } });
  for (let i = 0; i < 31; i++) await second.callTool({ name: 'context_search', arguments: { query: 'shopping cart' } });
  await second.close();
  const deadline = Date.now() + 20_000;
  let found: Message;
  do found = JSON.parse(command(box, 'status', box.project, '--metrics', '--format', 'json')).metrics;
  while (found.servers < 2 && Date.now() < deadline);
  assert.equal(found.servers, 2);
  const read = found.tools.find(({ tool }: Message) => tool === 'read_file');
  assert.deepEqual(
    [read.profile, read.calls, read.succeeded, read.success_rate, read.errors, read.rate_limited],
    ['context-tool', 3, 2, 0.6667, { path_forbidden: 1 }, 0],
  );
  assert.ok(read.p50_ms > 0 && read.p50_ms <= read.p95_ms && read.p95_ms <= read.p99_ms, JSON.stringify(read));
  const search = found.tools.find(({ tool }: Message) => tool === 'context_search');
  assert.deepEqual([search.calls, search.succeeded, search.rate_limited], [31, 30, 1]);
  const shown = command(box, 'status', box.project, '--metrics');
  assert.match(shown, /34 calls to 2 servers/);
  assert.match(shown, /context-tool +read_file +3 +66\.6% .*path forbidden 1/);
  assert.match(shown, /context-tool +context_search +31 +96\.7% .* rate limited 1/);
  await first.close();
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
