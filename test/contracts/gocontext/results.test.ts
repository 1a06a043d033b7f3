/** gocontext: the results of search_code and the filters that narrow them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { box, call, names, paths, search } from './setup.ts';

before(async () => {
  await call('index_codebase', { path: box.project });
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

test('min_relevance leaves out what is below it, in each mode, and total_results counts the rest (GC-31, GC-50)', async () => {
  for (const search_mode of ['hybrid', 'vector', 'keyword']) {
    const query = 'authenticate user token';
    const scores = (answer: Message): number[] => answer.results.map((one: Message) => one.relevance_score);
    const all = scores(await search(query, { search_mode, limit: 100 }));
    const [most, least] = [all[0]!, all.at(-1)!];
    assert.ok(most > least, `${search_mode}: ${all}`);
    const min_relevance = (most + least) / 2;
    const strict = await search(query, { search_mode, limit: 100, filters: { min_relevance } });
    const kept = scores(strict);
    assert.ok(kept.length > 0 && kept.every((score) => score >= min_relevance), `${search_mode}: ${kept}`);
    assert.equal(strict.statistics.total_results, kept.length, search_mode);
    assert.equal(strict.results[0].relevance_score, most, search_mode);
  }
});

test('ddd_patterns finds roles by names, shapes and comments (GC-29, GC-51)', async () => {
  box.write(
    'orders/domain/order.go',
    `package domain

// OrderID names an order.
type OrderID string

// Money is an amount in cents.
type Money struct {
	Cents int64
}

// Order is the aggregate root.
type Order struct {
	Total Money
}

// Orders keeps orders.
type Orders interface {
	Save(order *Order) error
	FindByID(id OrderID) (*Order, error)
}
`,
  );
  const path = join(box.folder, 'orders');
  await call('index_codebase', { path });
  const byRole = async (role: string) =>
    names(await call('search_code', { path, query: 'order money', filters: { ddd_patterns: [role] } })).sort();
  assert.deepEqual(await byRole('aggregate'), ['Order']);
  assert.deepEqual(await byRole('repository'), ['Orders']);
  assert.deepEqual(await byRole('value_object'), ['Money', 'OrderID']);
});
