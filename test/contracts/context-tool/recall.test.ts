/** context-tool: context_search and remember. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Engine } from '../../../src/engine/engine.ts';
import { EngineError } from '../../../src/model/records/engine-errors.ts';
import { type Message, rawClient } from '../raw-client.ts';
import { connectHttp, needs, otherIndexer } from '../real-engine.ts';
import { box, call, failingEngine, put, refused, serve } from './setup.ts';

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

test('a module of exactly the asked name is meant, by its scoped name too; no part of another one (CT-41, CT-49)', async () => {
  const folder = join(box.folder, 'packages-of-one');
  box.write('packages-of-one/packages/auth/package.json', '{"name":"@acme/auth"}');
  box.write('packages-of-one/packages/shop/package.json', '{"name":"@acme/shop"}');
  for (const name of ['token', 'refresh'])
    box.write(
      `packages-of-one/packages/auth/src/${name}.ts`,
      `// TODO: the ${name} of a session\nexport const a = 1;\n`,
    );
  for (let i = 0; i < 80; i++)
    box.write(
      `packages-of-one/packages/shop/src/${i % 2 ? 'auth' : 'cart'}/part${i}.ts`,
      `// TODO: the token of session ${i}\nexport const b = ${i};\n`,
    );
  await box.engine.index(folder);
  const own = await serve(folder);
  const other = await connectHttp(`${own.url}/mcp`);
  const modulesFor = async (module: string) => {
    const { results } = await call('context_search', { query: 'token of a session', module, limit: 20 }, other);
    return [...new Set(results.map((result: Message) => result.module))];
  };
  try {
    assert.equal(
      (await call('read_file', { path: 'packages/shop/src/auth/part1.ts' }, other)).metadata.module,
      'shop/auth',
    );
    assert.deepEqual(await modulesFor('auth'), ['auth']);
    assert.deepEqual(await modulesFor('@acme/auth'), ['auth']);
    assert.deepEqual(await modulesFor('shop/auth'), ['shop/auth']);
  } finally {
    await other.close();
    await own.close();
  }
});

test('patterns tell how code is named, what it extends and imports, and what tests use (CT-04, CT-50)', async () => {
  const folder = join(box.folder, 'patterns');
  box.write('patterns/src/failure.py', 'class Failure(Exception):\n    pass\n');
  for (let i = 0; i < 10; i++) {
    box.write(
      `patterns/src/part_number${i}.py`,
      `import httpx\nfrom failure import Failure\n\n\nclass Part${i}Failure(Failure):\n    pass\n`,
    );
    box.write(`patterns/tests/test_part${i}.py`, `import pytest\n\n\ndef test_part${i}():\n    pass\n`);
  }
  await box.engine.index(folder);
  const own = await serve(folder);
  const other = await connectHttp(`${own.url}/mcp`);
  try {
    for (const [query, pattern] of [
      ['what do our errors extend', /extend or implement `Failure`/],
      ['how are files named', /snake_case/],
      ['which libraries do most files import', /`httpx` is imported/],
      ['what do tests use', /Tests use `pytest`/],
    ] as const) {
      const { results } = await call('context_search', { query, type: 'pattern', limit: 20 }, other);
      assert.ok(
        results.some(({ content }: Message) => pattern.test(content)),
        `${query}: ${JSON.stringify(results)}`,
      );
    }
  } finally {
    await other.close();
    await own.close();
  }
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

test('a recorded decision that answers a question of the contract scores like an answer (CT-03, CT-44, CT-52, CT-53)', async (t) => {
  if (!(await needs(() => box.engine.contextSearch(box.project, { query: 'anything' }), t))) return;
  const asked: [type: string, content: string, query: string][] = [
    [
      'decision',
      'We use PostgreSQL instead of MongoDB because orders need transactions across tables',
      'Show me decisions about database choice',
    ],
    ['issue', 'Refreshing a session token twice signs the user out', 'Find issues related to token refresh'],
    ['pattern', 'API calls go through fetchJson, which retries three times', 'What patterns do we use for API calls?'],
    ['pattern', 'Password hashing uses argon2 with a pepper from the vault', 'How did we handle password hashing?'],
    ['pattern', 'Config is read once, before the first request', 'how does configuration work'],
  ];
  for (const [type, content] of asked) await call('remember', { type, content });
  for (const [, content, query] of asked) {
    const { results } = await call('context_search', { query });
    assert.equal(results[0].content, content, query);
    assert.ok(results[0].score >= 0.5, `${query}: ${results[0].score}`);
  }
  // The question has the kind, the note the product.
  const queue = 'We chose RabbitMQ over polling because jobs must survive a restart';
  await call('remember', { type: 'decision', content: queue });
  const { results } = await call('context_search', { query: 'Show me decisions about queues' });
  assert.equal(results[0].content, queue);
});

test('discoveries that hold money in cents and in floats are linked (CT-34, CT-47)', async (t) => {
  if (!(await needs(() => box.engine.contextSearch(box.project, { query: 'anything' }), t))) return;
  const first = await call('remember', { type: 'rule', content: 'Refunds are stored in whole cents' });
  const second = await call('remember', { type: 'rule', content: 'Refunds are stored as floating point numbers' });
  assert.deepEqual([second.outcome, second.contradicts], ['linked', [first.id]]);
  const third = await call('remember', { type: 'rule', content: 'Refunds are stored in cents, never as floats' });
  assert.ok(!third.contradicts?.includes(first.id), JSON.stringify(third));
  // Few of the words are the same, and it is the same subject.
  const money = await call('remember', { type: 'rule', content: 'Money is stored in cents as integers.' });
  const other = await call('remember', { type: 'rule', content: 'Money is stored as floats with two decimals.' });
  for (const { id } of [money, first]) assert.ok(other.contradicts.includes(id), JSON.stringify(other));
  // None of the words is the same, and a price is money; a weight is none.
  const price = await call('remember', { type: 'rule', content: 'Prices are floats in dollars.' });
  assert.ok(price.contradicts?.includes(money.id), JSON.stringify(price));
  assert.equal(
    (await call('remember', { type: 'rule', content: 'Weights are floats in grams.' })).contradicts,
    undefined,
  );
  await call('remember', { type: 'rule', content: 'User ids are integers' });
  assert.equal((await call('remember', { type: 'rule', content: 'User scores are floats' })).outcome, 'created');
});

test('the history tells why support was dropped, and fixes of typos and types are no issues (CT-04, CT-45, CT-46)', async () => {
  const folder = join(box.folder, 'history');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  box.write('history/app.py', 'def main():\n    return 1\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const subjects = [
    'Drop Python 3.6',
    'Drop Python 3.9\n\nIt is past its end of life, and match statements make the parser simpler.',
    'fix typing',
    'Fix typo in README',
    'Fixed a few typoes in the parser',
    'Fix grammatical error of the parser',
    'Fix crash of the parser when a file is empty',
  ];
  for (const subject of subjects) git('commit', '-q', '--allow-empty', '-m', subject);
  await box.engine.index(folder);
  const own = await serve(folder);
  const other = await connectHttp(`${own.url}/mcp`);
  try {
    const { results } = await call('context_search', { query: 'why was python 3.9 dropped' }, other);
    assert.match(results[0].content, /^Drop Python 3\.9/);
    const other36 = results.find(({ content }: Message) => content === 'Drop Python 3.6');
    assert.ok(!other36 || other36.score < results[0].score / 2, 'another version is another decision');
    assert.equal(results[0].type, 'decision');
    const issues = await call('context_search', { query: 'fix typo typing parser crash', type: 'issue' }, other);
    assert.deepEqual(
      issues.results.map(({ content }: Message) => content),
      ['Fix crash of the parser when a file is empty'],
    );
  } finally {
    await other.close();
    await own.close();
  }
});
