/** swiftindex: search_code and search_docs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decode } from '@toon-format/toon';
import type { Message } from '../raw-client.ts';
import { connectHttp, MODERN } from '../real-engine.ts';
import { type Arguments, box, call, client, http, indexProject, search, textOf } from './setup.ts';

before(indexProject);

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

test('one payload comes in three formats (SI-15)', async () => {
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

test('search_docs finds sections of documents only (SI-18, SI-19)', async () => {
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

test('a pattern may be meant from the folder that is named, or be a whole path; an answer that filters left empty says so (SI-12, SI-13, SI-19)', async () => {
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

test('total is the same for every limit, and no list is longer (SI-11, SI-42)', async () => {
  for (const query of ['token', 'user name', 'authenticate', '"token"', 'price of an item in the cart']) {
    const counts = await Promise.all([1, 3, 20, 100, 1000].map((limit) => search(query, { limit })));
    assert.equal(new Set(counts.map(({ total }) => total)).size, 1, `${query}: ${counts.map(({ total }) => total)}`);
    for (const { results, total } of counts) assert.ok(results.length <= total, query);
    assert.equal(counts.at(-1)!.results.length, counts[0]!.total, query);
  }
});

test('relevance_percent of the same first result is the same for every balance of words and meaning (SI-14, SI-43, SI-47)', async () => {
  for (const query of ['check if the authentication token is valid', 'adds up what is in the cart']) {
    const first = await Promise.all(
      [0, 0.2, 0.5, 0.7, 0.9, 1].map(async (semantic_weight) => (await search(query, { semantic_weight })).results[0]),
    );
    assert.equal(new Set(first.map(({ path, start_line }) => `${path}:${start_line}`)).size, 1, query);
    const percents = first.map(({ relevance_percent }) => relevance_percent);
    assert.ok(Math.max(...percents) - Math.min(...percents) <= 5, `${query}: ${percents}`);
  }
});

test("search_docs gives the guide's section before generated pages about the same (SI-18, SI-44)", async () => {
  const page = (name: string) =>
    `<html><head><title>${name}</title></head><body><h1>${name}</h1>` +
    '<h2>Uploading multipart form data</h2><p>Uploads multipart form data, multipart form data of an upload.</p>' +
    '</body></html>\n';
  for (const name of ['Session', 'Interceptor', 'Adapter']) box.write(`manual/docs/Classes/${name}.html`, page(name));
  box.write(
    'manual/Guide.md',
    '# Guide\n\n## Uploading multipart form data\n\nTo upload multipart form data, pass a closure that appends the parts.\n',
  );
  const path = join(box.folder, 'manual');
  await call('index_codebase', { path });
  const docs = async (more: Arguments) =>
    (await call('search_docs', { query: 'upload multipart form data', path, ...more })).structuredContent;
  const { results, total } = await docs({});
  assert.equal(results[0].path, 'Guide.md');
  assert.ok(results.some((hit: Message) => hit.path.endsWith('.html')) && total >= results.length);
  assert.deepEqual((await docs({ limit: 1 })).results[0].path, 'Guide.md');
  assert.match((await docs({ path_filter: 'docs/**' })).results[0].path, /\.html$/);
});
