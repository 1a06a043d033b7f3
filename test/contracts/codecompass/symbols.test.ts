/** codecompass: locate_symbol and the handles of results. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { box, call, indexProject, jobEnds, search } from './setup.ts';

before(indexProject);

test('a located symbol has every field; definitions come first (CC-12, CC-13, CC-06)', async () => {
  const answer = await call('locate_symbol', { name: 'AuthenticateUser' });
  assert.deepEqual(Object.keys(answer).slice(0, 2), ['results', 'total_candidates']);
  const [first] = answer.results;
  assert.deepEqual(Object.keys(first), [
    'symbol_id',
    'symbol_stable_id',
    'path',
    'line_start',
    'line_end',
    'kind',
    'name',
    'qualified_name',
    'signature',
    'language',
    'score',
  ]);
  assert.match(first.symbol_id, /^sym_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(first.symbol_stable_id, /^b3:[0-9a-f]{64}$/);
  assert.deepEqual(
    [first.path, first.line_start, first.line_end, first.kind, first.qualified_name, first.language],
    ['internal/auth/service.go', 16, 21, 'fn', 'auth.AuthenticateUser', 'go'],
  );
  assert.match(first.signature, /^func AuthenticateUser\(username, password string\)/);
  // The test calls it four times; none of the calls stands before, or in place of, the definition.
  assert.ok(answer.results.every(({ path, name }: Message) => name !== 'AuthenticateUser' || !path.includes('_test')));
  const narrowed = await call('locate_symbol', { name: 'User', kind: 'struct', language: 'go', limit: 1 });
  assert.deepEqual([narrowed.results.length, narrowed.results[0].kind], [1, 'struct']);
  // `fn` and `method` are two kinds of the contract.
  const kindsOf = async (kind: string) =>
    (await call('locate_symbol', { name: 'Rename', kind })).results.map((found: Message) => found.kind);
  assert.deepEqual(await kindsOf('method'), ['method']);
  assert.ok(!(await kindsOf('fn')).includes('method'), 'a method is no fn');
  assert.equal((await call('locate_symbol', { name: 'AuthenticateUser', language: 'typescript' })).results.length, 0);
});

function goFunction(name: string): string {
  return new RegExp(`^func ${name}[^]*?^}\\n`, 'm').exec(box.read('shop/internal/auth/service.go'))![0];
}

test('handles lead back to the symbol, also after re-indexing (CC-07)', async () => {
  const [hit] = (await search('cartTotal')).results;
  const [before] = (await call('locate_symbol', { name: 'cartTotal' })).results;
  assert.deepEqual([hit.symbol_id, hit.symbol_stable_id], [before.symbol_id, before.symbol_stable_id]);
  for (const name of [hit.symbol_id, hit.symbol_stable_id, hit.result_id]) {
    const { results } = await call('locate_symbol', { name });
    assert.deepEqual([results.length, results[0].symbol_id, results[0].path], [1, before.symbol_id, 'web/cart.ts']);
  }
  await call('index_repo', { force: true });
  await jobEnds();
  assert.deepEqual((await call('locate_symbol', { name: before.symbol_id })).results[0], before);
  // In Go a module is the folder: another file of it has the same symbol. In TypeScript each file is a module.
  const [valid] = (await call('locate_symbol', { name: 'ValidateToken' })).results;
  box.write('shop/web/moved.ts', `// moved\n\n${box.read('shop/web/cart.ts')}`);
  box.write('shop/internal/auth/moved.go', `package auth\n\n${goFunction('ValidateToken')}`);
  await call('sync_repo');
  await jobEnds();
  const paths = async (name: string) =>
    (await call('locate_symbol', { name })).results.map(({ path }: Message) => path).sort();
  assert.deepEqual(await paths(before.symbol_stable_id), ['web/cart.ts']);
  assert.deepEqual(await paths(valid.symbol_stable_id), ['internal/auth/moved.go', 'internal/auth/service.go']);
});

test('an id that has nothing behind it any more gets another answer than a name that nobody uses (CC-07)', async () => {
  for (const name of [`sym_${'0'.repeat(26)}`, `snip_${'0'.repeat(26)}`, `b3:${'0'.repeat(64)}`]) {
    const { results, message } = await call('locate_symbol', { name });
    assert.deepEqual(results, []);
    assert.match(message, /^Nothing has this id any more: .* Search again/, name);
  }
  assert.equal((await call('locate_symbol', { name: 'zzqxWibble' })).message, undefined);
});

test('the handle of a result that is no symbol leads back to its text (CC-06, CC-07)', async () => {
  for (const query of ['how do users sign in with a token', 'docs/guide.md']) {
    const hit = (await search(query)).results.find(({ path }: Message) => path === 'docs/guide.md');
    assert.ok(!('symbol_id' in hit), query);
    const { results, total_candidates, metadata } = await call('locate_symbol', { name: hit.result_id });
    const place = ({ result_id, path, line_start, line_end, language, snippet }: Message) => [
      [path, line_start, line_end],
      [result_id, language, snippet],
    ];
    assert.deepEqual(results.map(place), [place(hit)]);
    assert.deepEqual([total_candidates, metadata.result_completeness], [1, 'complete']);
  }
  assert.deepEqual((await call('locate_symbol', { name: `doc_${'0'.repeat(26)}` })).results, []);
});
