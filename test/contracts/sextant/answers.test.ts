/** The default profile: search, symbols, files, text search, research, and many calls on one connection. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type Message, rawClient } from '../raw-client.ts';
import { type Arguments, box, call, client, indexProject, refused } from './setup.ts';

before(indexProject);

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

test('search_docs finds documentation only (SX-09)', async () => {
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

test('read_file shows text, ranges and outlines, and refuses paths outside of the project (SX-11)', async () => {
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

test('grep_codebase finds text with its context (SX-12)', async () => {
  const { matches, total } = await call('grep_codebase', { pattern: 'func \\w+Token', context_lines: 1 });
  assert.deepEqual([matches[0].path, matches[0].column, total], ['internal/auth/service.go', 1, 1]);
  assert.equal(matches[0].before.length, 1);
  assert.deepEqual((await call('grep_codebase', { pattern: 'zzqqxx' })).matches, []);
  assert.ok((await call('grep_codebase', { pattern: 'token', limit: 2 })).omitted > 0);
  await refused('grep_codebase', { pattern: '(' }, 'invalid_pattern');
});

test('answers link to the files that they quote (SX-19)', async () => {
  const { content } = (await client.callTool({ name: 'locate_symbol', arguments: { name: 'cartTotal' } })) as Message;
  const [, link] = content;
  assert.deepEqual(
    [link.type, link.name, link.mimeType, link.annotations],
    ['resource_link', 'web/cart.ts', 'text/x-typescript', { audience: ['user'], priority: link.annotations.priority }],
  );
  assert.match(link.description, /cartTotal/);
});

test('code_research answers with evidence and a summary (SX-18)', async () => {
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
