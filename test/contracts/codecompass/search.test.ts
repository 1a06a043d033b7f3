/** codecompass: search_code, its intents and its limits; input that is refused. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { connectHttp, MODERN } from '../real-engine.ts';
import { type Arguments, box, call, indexProject, open, opened, refused, search } from './setup.ts';

before(indexProject);

test('a search result has every field, and the calls to make next (CC-16, CC-06, CC-35)', async () => {
  const answer = await search('verify user credentials', { limit: 3 });
  assert.deepEqual(Object.keys(answer), [
    'results',
    'query_intent',
    'total_candidates',
    'suggested_next_actions',
    'metadata',
  ]);
  const hit = answer.results.find(({ name }: Message) => name === 'AuthenticateUser');
  assert.deepEqual(Object.keys(hit), [
    'result_id',
    'symbol_id',
    'symbol_stable_id',
    'result_type',
    'path',
    'line_start',
    'line_end',
    'kind',
    'name',
    'qualified_name',
    'language',
    'score',
    'snippet',
  ]);
  assert.match(hit.snippet, /func AuthenticateUser/);
  for (const { result_id, result_type, score } of answer.results) {
    assert.match(result_id, /^(?:snip|doc)_[0-9A-Z]{26}$/);
    assert.ok(['symbol', 'snippet', 'file'].includes(result_type) && score >= 0 && score <= 1);
  }
  assert.ok(answer.total_candidates >= answer.results.length);
  for (const { tool, ...args } of answer.suggested_next_actions) {
    assert.equal(args.ref, 'main');
    assert.ok((await call(tool, args)).results.length > 0, JSON.stringify(args));
  }
  const member = (await search('Rename changes the name of a user')).suggested_next_actions;
  assert.deepEqual(
    [member[0], member.at(-1)],
    [
      { tool: 'locate_symbol', name: 'auth.User.Rename', ref: 'main' },
      { tool: 'search_code', query: 'user rename shop', ref: 'main', limit: 5 },
    ],
    'a member is named with what it belongs to, and no folder that every project has',
  );
  const tools = answer.suggested_next_actions.map(({ tool }: Message) => tool);
  assert.ok(tools.includes('locate_symbol') && tools.includes('search_code'));
  const named = await search('cartTotal');
  assert.deepEqual([named.results[0].result_type, named.results[0].name], ['symbol', 'cartTotal']);
  const guide = (await search('installation on servers unpack the archive')).results[0];
  assert.deepEqual([guide.path, guide.result_type], ['docs/guide.md', 'snippet']);
  const near = await call('locate_symbol', { name: 'zzcartTotlzz' });
  assert.deepEqual(near.results, []);
});

test('an answer that filters left empty says so (CC-11, CC-15)', async () => {
  const narrowed = await call('locate_symbol', { name: 'cartTotal', kind: 'class', language: 'rust' });
  assert.deepEqual(
    [narrowed.results, narrowed.message],
    [[], 'Nothing matches with kind "class" and language "rust": call again without.'],
  );
  const { results, message } = await search('cart total', { language: 'rust' });
  assert.deepEqual([results, message], [[], 'Nothing matches with language "rust": call again without.']);
  assert.equal((await search('zzqx wibble')).message, undefined);
  assert.equal((await search('cart total', { language: 'typescript' })).message, undefined);
});

test('intents by the patterns of the contract (CC-17)', async () => {
  const intents: [string, string][] = [
    ['validate_token', 'symbol'],
    ['AuthenticateUser', 'symbol'],
    ['internal/auth/service.go', 'path'],
    ['cart.ts', 'path'],
    ['cart.ts:2', 'path'],
    ['E0308', 'error'],
    ['ECONNREFUSED', 'error'],
    ['"x"', 'error'],
    ['panic: runtime error', 'error'],
    ['"username and password required"', 'error'],
    ['panic: runtime error at service.go:42', 'error'],
    ['TypeError: x is not a function', 'error'],
    ['where is rate limiting implemented', 'natural_language'],
  ];
  for (const [query, intent] of intents) assert.equal((await search(query)).query_intent, intent, query);
  for (const [query, path] of [
    ['web/price.ts', 'web/price.ts'],
    ['price.ts:3', 'web/price.ts'],
    ['README.md', 'README.md'],
    ['guide.md', 'docs/guide.md'],
    ['auth/service.go', 'internal/auth/service.go'],
  ] as const) {
    const [first] = (await search(query)).results;
    assert.deepEqual([first.path, first.result_type], [path, 'file'], query);
    assert.notEqual(first.snippet, '', query);
  }
  assert.equal((await search('"username and password required"')).results[0].path, 'internal/auth/service.go');
});

test('limits: the rest is counted and said (CC-04, CC-11, CC-15)', async () => {
  const one = await search('user token', { limit: 1 });
  assert.deepEqual([one.results.length, one.metadata.result_completeness], [1, 'truncated']);
  const all = await call('locate_symbol', { name: 'AuthenticateUser' });
  assert.equal(all.metadata.result_completeness, all.total_candidates > all.results.length ? 'truncated' : 'complete');
  assert.equal((await call('locate_symbol', { name: 'Rename' })).metadata.result_completeness, 'complete');
  assert.ok((await search('user', { language: 'go' })).results.every(({ language }: Message) => language === 'go'));
});

test('wrong input: invalid_input by name (CC-14, CC-19, CC-01)', async () => {
  const wrong: [string, Arguments, RegExp][] = [
    ['locate_symbol', {}, /^Missing required input: name$/],
    ['locate_symbol', { name: ' ' }, /^Missing required input: name$/],
    ['locate_symbol', { name: 7 }, /name must be a string/],
    ['locate_symbol', { name: 'x', kind: 'gadget' }, /gadget/],
    ['locate_symbol', { name: 'x', language: 'klingon' }, /klingon/],
    ['search_code', {}, /^Missing required input: query$/],
    ['search_code', { query: '' }, /^Missing required input: query$/],
    ['search_code', { query: 'x', limit: 0 }, /limit must be between 1 and/],
    ['index_repo', { force: 'yes' }, /force must be a boolean/],
  ];
  for (const [name, args, words] of wrong) assert.match((await refused(name, args, 'invalid_input')).message, words);
});

test('a pattern of file names is a path, and finds its files first (CC-17, CC-34)', async () => {
  const answer = await search('*.ts');
  assert.equal(answer.query_intent, 'path');
  const paths: string[] = answer.results.map(({ path }: Message) => path);
  const first = paths.findIndex((path) => !path.endsWith('.ts'));
  assert.ok(paths[0]?.endsWith('.ts'), paths.join(' '));
  assert.ok(first < 0 || paths.slice(first).every((path) => !path.endsWith('.ts')), paths.join(' '));
});

test('debug.join_status is shown in debug mode only (CC-18)', async () => {
  assert.equal('debug' in (await search('price of an item')), false);
  const debugging = await open(box.project, true);
  const answer = await call('search_code', { query: 'price of an item' }, debugging);
  const { hits, misses } = answer.debug.join_status;
  assert.equal(hits + misses, answer.results.length);
  assert.equal(hits, answer.results.filter((result: Message) => 'symbol_id' in result).length);
});

test('the newest protocol version gets the same answers (CC-01)', async () => {
  const modern = await connectHttp(`${opened[0]!.http.url}/mcp`, MODERN);
  assert.equal((await call('locate_symbol', { name: 'cartTotal' }, modern)).results.length > 0, true);
  await refused('search_code', {}, 'invalid_input', modern);
  await modern.close();
});
