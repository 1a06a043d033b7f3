/** The default profile, by real clients, with the real engine. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import type { HttpHandle } from '../../src/transports/index.ts';
import { envelope, type Message, rawClient } from './raw-client.ts';
import { connectHttp, connectProcess, MODERN, sandbox, serveProfiles } from './real-engine.ts';

const box = sandbox();
let http: HttpHandle;
let client: Client;

before(async () => {
  http = await serveProfiles(box, ['sextant'], box.project);
  client = await connectHttp(`${http.url}/mcp`);
});
after(async () => {
  await client.close();
  await http.close();
  await box.close();
});

type Arguments = Record<string, unknown>;

/** The text says in short what the structured answer says. */
async function call(name: string, args: Arguments = {}, by = client): Promise<Message> {
  const { isError, structuredContent, content } = (await by.callTool({ name, arguments: args })) as Message;
  assert.equal(isError ?? false, false, JSON.stringify(structuredContent));
  assert.ok(content[0].text.length <= JSON.stringify(structuredContent).length, content[0].text);
  return structuredContent;
}

async function refused(name: string, args: Arguments, code: string, by = client): Promise<Message> {
  const result = (await by.callTool({ name, arguments: args })) as Message;
  assert.equal(result.isError, true, JSON.stringify(result));
  const { error } = result.structuredContent;
  assert.equal(error.code, code, JSON.stringify(error));
  assert.ok(error.message.length > 0 && error.fix.length > 0);
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return error;
}

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
      assert.ok(listed.description || listed.enum, `${name}.${parameter} says what it takes`);
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

test('indexing and status (SX-13, SX-04)', async () => {
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

test('which project: workspace, path, roots, or a refusal (SX-04)', async () => {
  const homeless = await serveProfiles(box, ['sextant'], null);
  try {
    const lost = await connectHttp(`${homeless.url}/mcp`);
    assert.match((await refused('search_code', { query: 'cart' }, 'invalid_input', lost)).message, /--workspace/);
    assert.ok((await call('search_code', { query: 'cart', path: box.project }, lost)).results.length > 0);
    await lost.close();
    for (const era of [{}, MODERN]) {
      const rooted = await connectHttp(`${homeless.url}/mcp`, { ...era, capabilities: { roots: {} } });
      rooted.setRequestHandler('roots/list', async () => ({ roots: [{ uri: pathToFileURL(box.project).href }] }));
      assert.ok((await call('search_code', { query: 'cart' }, rooted)).results.length > 0);
      assert.ok((await call('search_code', { query: 'cart', path: '.' }, rooted)).results.length > 0);
      await rooted.close();
    }
  } finally {
    await homeless.close();
  }
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

test('search_code: results, modes, filters, explanation, nothing (SX-08)', async () => {
  const { results } = await call('search_code', { query: 'add up the cart' });
  assert.deepEqual(Object.keys(results[0]), ['path', 'lines', 'score', 'name', 'kind', 'id', 'content']);
  assert.equal(results[0].path, 'web/cart.ts');
  assert.match(results[0].lines, /^\d+(-\d+)?$/);
  for (const mode of ['hybrid', 'keyword', 'vector'])
    assert.ok((await call('search_code', { query: 'cart total', mode })).results.length > 0);
  const only = await call('search_code', { query: 'authenticate', filters: { languages: ['swift'] } });
  assert.ok(only.results.length > 0 && only.results.every(({ path }: Message) => path.endsWith('.swift')));
  const globbed = await call('search_code', { query: 'token', path_filter: 'internal/**' });
  assert.ok(globbed.results.every(({ path }: Message) => path.startsWith('internal/')));
  const untested = await call('search_code', { query: 'AuthenticateUser', filters: { include_tests: false } });
  assert.ok(untested.results.every(({ path }: Message) => !path.includes('_test')));
  const explained = await call('search_code', { query: 'cart', filters: { explain: true } });
  assert.ok(Object.keys(explained.results[0].explanation).length > 3);
  const nothing = await call('search_code', { query: 'zzqqxx vvwwkk', mode: 'keyword' });
  assert.deepEqual([nothing.results, nothing.message], [[], 'Nothing matches.']);
  const messageOf = async (name: string, args: Arguments) => (await call(name, args)).message;
  for (const narrowed of [{ path_filter: 'nowhere/**' }, { filters: { languages: ['rust'] } }])
    assert.match(await messageOf('search_code', { query: 'cart', ...narrowed }), /without them/);
  assert.match(await messageOf('search_docs', { query: 'installation', path: 'web' }), /without them/);
  assert.match(await messageOf('locate_symbol', { name: 'cartTotal', language: 'go' }), /in this language/);
  assert.equal(await messageOf('grep_codebase', { pattern: 'cart', file_pattern: '*.rb' }), 'No file matches *.rb.');
  assert.equal(
    await messageOf('context_search', { query: 'cart', module: 'nowhere' }),
    'Nothing is known about this in module nowhere.',
  );
});

test('search_docs (SX-09)', async () => {
  const { results } = await call('search_docs', { query: 'installation' });
  assert.match(results[0].path, /\.md$/);
  assert.ok(results.every(({ kind }: Message) => kind === 'documentation'));
});

test('locate_symbol by name and by the id of a result (SX-10)', async () => {
  const { results } = await call('locate_symbol', { name: 'ValidateToken' });
  assert.deepEqual(
    [results[0].path, results[0].kind, results[0].signature],
    ['internal/auth/service.go', 'function', 'func ValidateToken(token string) bool'],
  );
  const again = await call('locate_symbol', { name: results[0].id });
  assert.equal(again.results[0].id, results[0].id);
  assert.equal((await call('locate_symbol', { name: results[0].stable_id })).results[0].id, results[0].id);
  const [section] = (await call('search_docs', { query: 'installation on servers' })).results;
  const [text] = (await call('locate_symbol', { name: section.id, detail: true })).results;
  assert.deepEqual([text.path, text.lines, text.content], [section.path, section.lines, section.content]);
  const gone = await call('locate_symbol', { name: `doc_${'0'.repeat(26)}` });
  assert.match(gone.message, /^No symbol doc_0/);
  const none = await call('locate_symbol', { name: 'ValidateTokn' });
  assert.ok(none.results[0]?.match === 'typo' || none.nearest_names.length > 0);
});

test('read_file: text, ranges, outline, refusals (SX-11)', async () => {
  const whole = await call('read_file', { path: 'web/cart.ts' });
  assert.equal(whole.content, box.read('shop/web/cart.ts'));
  const part = await call('read_file', { path: 'web/cart.ts', start_line: 3, end_line: 4 });
  assert.match(part.content, /^\/\*\* Adds up.*\nexport function cartTotal/);
  const linked = await call('read_file', { path: 'web/cart.ts', dependencies: true });
  assert.deepEqual(linked.dependencies, ['web/price.ts']);
  const around = await call('read_file', { path: 'web/cart.ts', dependency_content: true });
  assert.deepEqual(around.dependencies, [{ path: 'web/price.ts', content: box.read('shop/web/price.ts') }]);
  const outline = await call('read_file', { path: 'internal/auth/service.go', outline: true });
  assert.ok(outline.outline.some(({ name }: Message) => name === 'ValidateToken') && !('content' in outline));
  for (const path of ['../bare/main.go', '/etc/passwd', '.git/config', 'web/../../bare/main.go'])
    await client
      .callTool({ name: 'read_file', arguments: { path } })
      .then((result) => assert.equal(result.isError, true, path));
  await refused('read_file', { path: 'no/such.ts' }, 'file_not_found');
});

test('files may be named by their whole paths, and one that is not there by a similar one (SX-05, SX-11, SX-17)', async () => {
  const inside = join(box.project, 'web/cart.ts');
  assert.equal((await call('read_file', { path: inside })).path, 'web/cart.ts');
  for (const path of [join(box.folder, 'bare/main.go'), `${box.project}/../bare/main.go`, `${box.project}/.git/config`])
    await refused('read_file', { path }, 'path_forbidden');
  const found = await call('search_code', { query: 'cart', path_filter: inside });
  assert.deepEqual(
    found.results.map(({ path }: Message) => path),
    ['web/cart.ts'],
  );
  assert.equal((await call('grep_codebase', { pattern: 'cart', file_pattern: inside })).files, 1);
  await call('remember', { type: 'rule', content: 'Carts are added up in one place', evidence: [`${inside}:3-5`] });
  const { results } = await call('context_search', { query: 'where carts are added up', type: 'rule' });
  assert.deepEqual(results[0].evidence, ['web/cart.ts:3-5']);

  const missing = (path: string) => refused('read_file', { path }, 'file_not_found');
  assert.deepEqual((await missing('src/cart.ts')).similar, ['web/cart.ts']);
  assert.deepEqual((await missing('internal/auth')).similar, [
    'internal/auth/service.go',
    'internal/auth/service_test.go',
  ]);
  assert.match((await missing('web/cart.ts:3-5')).fix, /"web\/cart\.ts" and the lines as start_line/);
  for (const slip of ['web/carts.ts', 'web/crat.ts', 'web/cart.js', 'src/Cart.tsx'])
    assert.deepEqual((await missing(slip)).similar, ['web/cart.ts'], slip);
  assert.deepEqual((await missing('src/README.md')).similar, ['README.md']);
  assert.equal((await missing('no/such.ts')).similar, undefined);

  for (const name of ['web/cart.ts', 'cart.ts'])
    assert.match((await call('locate_symbol', { name })).message, /a file: call read_file with path: "web\/cart\.ts"/);
  assert.equal((await call('locate_symbol', { name: 'cartTotal' })).message, undefined);
});

test('grep_codebase (SX-12)', async () => {
  const { matches, total } = await call('grep_codebase', { pattern: 'func \\w+Token', context_lines: 1 });
  assert.deepEqual([matches[0].path, matches[0].column, total], ['internal/auth/service.go', 1, 1]);
  assert.equal(matches[0].before.length, 1);
  assert.deepEqual((await call('grep_codebase', { pattern: 'zzqqxx' })).matches, []);
  assert.ok((await call('grep_codebase', { pattern: 'token', limit: 2 })).omitted > 0);
  await refused('grep_codebase', { pattern: '(' }, 'invalid_pattern');
});

test('a server that stands in a folder of an indexed project means that project, whatever is asked (SX-04, SX-11, SX-12)', async () => {
  const raw = rawClient({ profile: 'sextant', engine: box.engine, workspace: join(box.project, 'web') });
  await raw.initialize();
  const ask = async (name: string, args: Arguments) =>
    (await raw.request('tools/call', { name, arguments: args })).result.structuredContent;
  const { matches } = await ask('grep_codebase', { pattern: 'cartTotal' });
  assert.equal(matches[0].path, 'web/cart.ts');
  assert.equal((await ask('read_file', { path: matches[0].path })).path, 'web/cart.ts');
  assert.equal((await ask('locate_symbol', { name: 'cartTotal' })).results[0].path, 'web/cart.ts');
  assert.equal((await ask('grep_codebase', { pattern: 'ValidateToken' })).matches[0].path, 'internal/auth/service.go');
  await raw.close();
});

test('a folder inside the project is asked alone, by its paths in the project, and needs no index of its own (SX-04, SX-12)', async () => {
  const path = 'internal/auth';
  const inside = (places: Message[]) =>
    assert.ok(places.length > 0 && places.every((place) => place.path.startsWith(`${path}/`)), JSON.stringify(places));
  for (const at of [path, join(box.project, path)]) {
    inside((await call('search_code', { query: 'token user', path: at })).results);
    inside((await call('search_code', { query: 'token user', path: at, path_filter: '*_test.go' })).results);
    const untested = (await call('search_code', { query: 'token user', path: at, path_filter: '!*_test.go' })).results;
    inside(untested);
    assert.ok(untested.every((place: Message) => !place.path.endsWith('_test.go')));
    inside((await call('locate_symbol', { name: 'User', path: at })).results);
    inside((await call('grep_codebase', { pattern: 'token|func', path: at })).matches);
    for (const file_pattern of ['service.go', 'internal/auth/*.go'])
      inside((await call('grep_codebase', { pattern: 'token|func', path: at, file_pattern })).matches);
  }
  assert.deepEqual(
    (await call('search_docs', { query: 'installation', path: 'docs' })).results[0].path,
    'docs/guide.md',
  );
  const { content } = await client.callTool({ name: 'grep_codebase', arguments: { pattern: 'func', path } });
  assert.ok((content as Message[]).some(({ uri }) => uri?.endsWith('/shop/internal/auth/service.go')));
  assert.equal((await call('index_codebase', { path })).root, box.project);
});

test('answers fit the budget and say what is missing (SX-07)', async () => {
  for (const max_tokens of [200, 500, 1000, 4000]) {
    const result = await client.callTool({
      name: 'search_code',
      arguments: { query: 'token user cart', max_tokens, limit: 20 },
    });
    const bytes = Buffer.byteLength((result.content as { text: string }[])[0]!.text);
    assert.ok(bytes <= max_tokens * 4, `${bytes} bytes for ${max_tokens} tokens`);
    assert.ok((result.structuredContent as Message).results.length > 0);
  }
  const small = await call('search_code', { query: 'token user cart', max_tokens: 200, limit: 20 });
  assert.ok(small.omitted > 0 || small.shortened);
  const file = await call('read_file', { path: 'internal/auth/service.go', max_tokens: 200 });
  assert.match(file.next, /start_line: \d+/);
  const rest = await call('read_file', {
    path: 'internal/auth/service.go',
    start_line: Number(/\d+/.exec(file.next)![0]),
  });
  assert.equal(`${file.content}\n${rest.content}`, box.read('shop/internal/auth/service.go').trimEnd());
});

/** A type with many members, uses, subtypes and tests, a line that does not end, and a file that many import. */
function writeCrowd(): string {
  const each = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('');
  const doc = ` * It does one thing, and says at length how, for readers who have the time.\n`.repeat(30);
  const methods = each(
    80,
    (i) => `\n  /** Member ${i}. */\n  member${i}(): number {\n    return this.peek() + ${i};\n  }\n`,
  );
  box.write(
    'crowd/src/reader.ts',
    `/**\n${doc} */\nexport class Reader {\n  peek(): number {\n    return 1;\n  }\n${methods}}\n`,
  );
  const imported = "import { Reader } from '../src/reader.ts';\n";
  for (let i = 0; i < 40; i++) {
    const uses = each(
      3,
      (n) => `\nexport function use${n}Of${i}(reader: Reader): number {\n  return reader.peek();\n}\n`,
    );
    box.write(`crowd/uses/use-${i}.ts`, `${imported}\nexport class Reader${i} extends Reader {}\n${uses}`);
  }
  box.write(
    'crowd/test/reader.test.ts',
    `${imported}\nexport function testPeek() {\n  return new Reader().peek();\n}\n`,
  );
  box.write('crowd/src/table.ts', `export const table = [${'12345, '.repeat(20_000)}];\n`);
  return `${box.folder}/crowd`;
}

test('every answer keeps max_tokens, and says how much is missing (SX-07)', async () => {
  const path = writeCrowd();
  await call('index_codebase', { path });
  const asked: [string, Arguments][] = [
    ['search_code', { query: 'peek', path, synthesize: true, filters: { explain: true } }],
    ['search_code', { query: 'table', path }],
    ['locate_symbol', { name: 'Reader', path }],
    ['locate_symbol', { name: 'Reader', path, detail: true, references: true }],
    ['code_research', { query: 'who calls Reader.peek', path }],
    ['code_research', { query: 'module structure', path, focus: 'architecture' }],
    ['read_file', { path: 'src/reader.ts', project: path, outline: true }],
    ['read_file', { path: 'src/reader.ts', project: path, dependants: true }],
    ['read_file', { path: 'uses/use-1.ts', project: path, dependency_content: true }],
    ['read_file', { path: 'src/table.ts', project: path }],
    ['grep_codebase', { pattern: 'peek|12345', path, context_lines: 5 }],
    ['locate_symbol', { name: 'n'.repeat(1000), path }],
    ['grep_codebase', { pattern: 'peek', path, file_pattern: `${'n'.repeat(900)}/*.ts` }],
  ];
  for (const [name, args] of asked) {
    for (const max_tokens of [200, 1000, 4000]) {
      const answer = await call(name, { ...args, max_tokens });
      const tokens = Buffer.byteLength(JSON.stringify(answer)) / 3.5;
      assert.ok(tokens <= max_tokens, `${name} ${JSON.stringify(args)}: ${tokens} for ${max_tokens}`);
    }
  }
  const small = await call('locate_symbol', {
    name: 'Reader.peek',
    path,
    detail: true,
    references: true,
    max_tokens: 400,
  });
  assert.equal(small.results[0].name, 'Reader.peek');
  assert.ok(small.references.length > 0 && small.detail.source.length > 0);
  const whole = await call('locate_symbol', {
    name: 'Reader.peek',
    path,
    detail: true,
    references: true,
    max_tokens: 100_000,
  });
  assert.deepEqual(
    [whole.references.length, whole.more_references, whole.detail.callers.length, whole.detail.more_callers],
    [200, undefined, 201, undefined],
  );
  assert.equal(whole.references_in_tests.count, 1);
  assert.equal(small.references.length + small.more_references, 200);
  assert.equal(small.detail.callers.length + small.detail.more_callers, 201);
  const dependants = await call('read_file', {
    path: 'src/reader.ts',
    project: path,
    dependants: true,
    max_tokens: 300,
  });
  assert.equal(dependants.dependants.length + dependants.more_dependants, 41);
  const endless = await call('read_file', { path: 'src/table.ts', project: path, max_tokens: 200 });
  assert.match(endless.content, /^export const table = .*… \d+ more characters$/);
  assert.equal(endless.next, undefined);
});

test('without max_tokens an answer is short: it stops where the answers stop and says nothing twice (SX-07)', async () => {
  const path = `${box.folder}/crowd`;
  const short = await call('search_code', { query: 'peek', path });
  const quoted = short.results.filter(({ content }: Message) => content !== undefined);
  assert.ok(quoted.length >= 1 && quoted.length <= 3 && quoted.length === short.results.length);
  assert.ok(
    (short.also ?? []).every((line: string) => /^\S+:\d+(-\d+)? \S+/.test(line)),
    JSON.stringify(short.also),
  );
  const listed = await call('search_code', { query: 'peek', path, limit: 10 });
  assert.equal(listed.results.length, 10);
  assert.ok(listed.results.filter(({ content }: Message) => content).length <= 3);
  const roomy = await call('search_code', { query: 'peek', path, max_tokens: 4000 });
  assert.ok(roomy.results.filter(({ content }: Message) => content).length > 3);

  const asked: [string, Arguments][] = [
    ['search_code', { query: 'peek', path }],
    ['locate_symbol', { name: 'Reader', path, detail: true, references: true }],
    ['code_research', { query: 'who calls Reader.peek', path }],
    ['grep_codebase', { pattern: 'peek', path }],
  ];
  for (const [name, args] of asked) {
    const tokens = JSON.stringify(await call(name, args)).length / 3.5;
    assert.ok(tokens <= 2000, `${name}: ${tokens}`);
  }
  const research = await call('code_research', { query: 'who calls Reader.peek', path });
  assert.deepEqual([research.edges, research.mermaid, research.evidence.length], [undefined, undefined, 3]);
  const { results, detail } = await call('locate_symbol', { name: 'Reader.peek', path, detail: true });
  assert.deepEqual([results[0].signature, detail.name, detail.signature], [undefined, undefined, undefined]);
  assert.match(detail.source, /peek\(\): number/);
});

test('a snippet that is cut is cut around what matched, and keeps the declaration (SX-07)', async () => {
  const steps = (from: number) => Array.from({ length: 30 }, (_, i) => `  step${from + i}();\n`).join('');
  box.write('deep/main.ts', `export function settle() {\n${steps(0)}  refundOverpaidInvoice();\n${steps(30)}}\n`);
  const path = `${box.folder}/deep`;
  await call('index_codebase', { path });
  const [first] = (await call('search_code', { query: 'refund an overpaid invoice', path })).results;
  assert.match(first.content, /refundOverpaidInvoice/);
  assert.ok(first.content.split('\n').length < 25, first.content);
  assert.match(first.content, /settle/);
});

test('the text is the same answer in short; older clients, which know no structured answers, get all of it (SX-07)', async () => {
  const asked = { name: 'search_code', arguments: { query: 'add up the cart' } };
  const { content, structuredContent } = (await client.callTool(asked)) as Message;
  const [first] = structuredContent.results;
  assert.ok(content[0].text.startsWith(`${first.path}:${first.lines} ${first.name} ${first.kind}`), content[0].text);
  const old = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  await old.initialize('2025-03-26');
  const { result } = await old.request('tools/call', asked);
  await old.close();
  assert.equal(result.structuredContent, undefined);
  assert.deepEqual(JSON.parse(result.content[0].text).results, structuredContent.results);
  const file = (await client.callTool({ name: 'read_file', arguments: { path: 'web/cart.ts' } })) as Message;
  assert.ok(file.content[0].text.includes(box.read('shop/web/cart.ts').trimEnd()));
});

test('stale files are named (SX-13)', async () => {
  box.write('shop/web/new.ts', 'export const brandNew = 1;\n');
  await new Promise((resolve) => setTimeout(resolve, 2100));
  const { index, not_yet_indexed: pending } = await call('search_code', { query: 'cart total price' });
  assert.deepEqual([index, pending], ['stale', ['web/new.ts']]);
  await call('index_codebase');
});

test('links to files (SX-19)', async () => {
  const { content } = (await client.callTool({ name: 'locate_symbol', arguments: { name: 'cartTotal' } })) as Message;
  const [, link] = content;
  assert.deepEqual(
    [link.type, link.name, link.mimeType, link.annotations],
    ['resource_link', 'web/cart.ts', 'text/x-typescript', { audience: ['user'], priority: link.annotations.priority }],
  );
  assert.match(link.description, /cartTotal/);
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

test('prompts (SX-15)', async () => {
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

test('completions for paths and symbols (SX-16)', async () => {
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

test('memory: remember, then recall (SX-17)', async () => {
  const kept = await call('remember', {
    type: 'decision',
    content: 'Tokens last one hour because the mobile app cannot refresh them in the background',
    module: 'auth',
    evidence: ['internal/auth/service.go:29-31'],
  });
  assert.equal(kept.outcome, 'created');
  const recalled = (await client.callTool({
    name: 'context_search',
    arguments: { query: 'why do tokens last one hour', type: 'decision' },
  })) as Message;
  const { results } = recalled.structuredContent;
  assert.match(recalled.content[1].uri, /\/internal\/auth\/service\.go$/);
  assert.equal(recalled.content[1].mimeType, 'text/x-go');
  assert.equal(results[0].id, kept.id);
  assert.deepEqual(results[0].evidence, ['internal/auth/service.go:29-31']);
});

test('the id of a discovery leads back to it, and locate_symbol says where (SX-17, SX-10)', async () => {
  const content = 'Refunds are paid out at night, when the bank answers';
  const { id } = await call('remember', { type: 'rule', content });
  const { results, total } = await call('context_search', { query: id });
  assert.deepEqual([total, results[0].id, results[0].content, results[0].score], [1, id, content, 1]);
  assert.deepEqual((await call('context_search', { query: id, type: 'issue' })).results, []);
  assert.match((await call('locate_symbol', { name: id })).message, new RegExp(`context_search with query: "${id}"`));
});

test('evidence stays inside the project, and only files that are there are linked (SX-17, SX-19)', async () => {
  for (const place of ['../bare/main.go:3', 'web/../../bare/main.go', '/etc/passwd'])
    await refused(
      'remember',
      { type: 'issue', content: 'Somebody else keeps this', evidence: [place] },
      'path_forbidden',
    );
  await call('remember', { type: 'issue', content: 'Basements flood in autumn', evidence: ['web/gone.ts:3'] });
  // A cloned repository brings files of memory that nobody has checked.
  box.write(
    'shop/.sextant/memory/issue-0123456789abcdef0123456789abcdef.md',
    'id: issue-0123456789abcdef0123456789abcdef\ntype: issue\ndate: 2026-01-15T10:00:00.000Z\nevidence: ../bare/main.go:1-3\n\nCellars flood in autumn too\n',
  );
  const found = (await client.callTool({
    name: 'context_search',
    arguments: { query: 'what floods in autumn', type: 'issue' },
  })) as Message;
  const { results } = found.structuredContent;
  const places = new Map(results.map(({ content, evidence }: Message) => [content, evidence ?? []]));
  assert.deepEqual(places.get('Basements flood in autumn'), ['web/gone.ts:3']);
  assert.deepEqual(places.get('Cellars flood in autumn too'), [], 'what lies outside is no evidence');
  assert.deepEqual(
    found.content.slice(1).filter(({ name }: Message) => /gone|bare/.test(name)),
    [],
  );
});

test('code has the date of its file, and no session (SX-17)', async () => {
  utimesSync(join(box.project, 'web/price.ts'), 1_700_000_000, 1_700_000_000);
  await call('index_codebase');
  const { results } = await call('context_search', { query: 'price of an item in cents' });
  const code = results.find(({ source, evidence }: Message) => source === 'code' && /price/.test(evidence[0]));
  assert.deepEqual([code.date, 'session' in code], ['2023-11-14T22:13:20.000Z', false]);
});

test('research (SX-18)', async () => {
  const answer = await call('code_research', { query: 'who calls price' });
  assert.ok(answer.evidence.some(({ path }: Message) => path === 'web/cart.ts'));
  assert.ok(answer.summary.length > 0);
  // The summary tells every edge; a list of them and a drawing come when they are asked for.
  assert.deepEqual([answer.edges, answer.mermaid], [undefined, undefined]);
  const drawn = await call('code_research', { query: 'who calls price', graph: true });
  assert.ok(drawn.edges.length > 0 && drawn.mermaid.startsWith('flowchart'));
  const callers = ['a', 'b', 'c'].map((name) => `export function ${name}() {\n  return base();\n}\n`);
  box.write('hub/main.ts', `export function base() {\n  return a;\n}\n${callers.join('')}`);
  const path = `${box.folder}/hub`;
  await call('index_codebase', { path });
  assert.deepEqual((await call('code_research', { query: 'what calls base', path })).hubs, [
    { name: 'base', degree: 3 },
  ]);
});

test('many calls at once on one connection are no leak', async () => {
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on('warning', warned);
  const raw = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
  await raw.initialize();
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      raw.request('tools/call', { name: 'search_code', arguments: { query: `cart ${i}` } }),
    ),
  );
  await raw.close();
  process.off('warning', warned);
  assert.deepEqual(warnings, []);
});

test('200 clients search at once without an error', async () => {
  const found = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const one = await connectHttp(`${http.url}/mcp`);
      const { results } = await call('search_code', { query: i % 2 ? 'cart total' : 'validate token' }, one);
      await one.close();
      return results[0].path as string;
    }),
  );
  assert.deepEqual([...new Set(found)].sort(), ['internal/auth/service.go', 'web/cart.ts']);
});

test('the shipped command over stdio, in both eras (SX-01)', async () => {
  for (const era of [{}, MODERN]) {
    const spawned = await connectProcess(box, ['--workspace', box.project], era);
    assert.equal((await spawned.listTools()).tools.length, 11);
    assert.equal((await call('search_code', { query: 'cartTotal' }, spawned)).results[0].path, 'web/cart.ts');
    await spawned.close();
  }
});
