import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { Discovery } from '../../model/records/discovery.ts';
import { statement } from '../recall/statement.fixture.ts';
import { Notebook } from './notebook.ts';
import { importDiscoveries, remember } from './remember.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-memory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const notebook = () => new Notebook(join(folder, 'own'), join(folder, 'team'));

test('a reworded statement updates the existing one and keeps its evidence', () => {
  const book = notebook();
  const first = remember(
    book,
    statement('Use the HttpClient wrapper for all outgoing requests.', { evidence: [{ path: 'a.ts' }] }),
    1,
  );
  const second = remember(
    book,
    statement('use the http_client wrapper for all outgoing requests', { evidence: [{ path: 'b.ts' }] }),
    2,
  );
  assert.equal(first.outcome, 'created');
  assert.equal(second.outcome, 'updated');
  assert.equal(second.discovery.id, first.discovery.id);
  assert.equal(book.all().length, 1);
  assert.deepEqual(book.find(first.discovery.id)?.evidence, [{ path: 'a.ts' }, { path: 'b.ts' }]);
  assert.equal(remember(book, statement('Log every database query.'), 3).outcome, 'created');
});

test('a contradiction is recorded and linked', () => {
  const book = notebook();
  const first = remember(book, statement('Use moment for formatting dates in reports.'), 1);
  const second = remember(book, statement('Do not use moment for formatting dates in reports.'), 2);
  assert.equal(second.outcome, 'linked');
  assert.deepEqual(second.discovery.contradicts, [first.discovery.id]);
  assert.equal(book.all().length, 2);
});

test('content that is too short, too long or a secret is refused, and nothing is written', () => {
  const book = notebook();
  for (const [content, code] of [
    ['', 'invalid_input'],
    ['x'.repeat(5_000), 'invalid_input'],
    [`The token is ghp_${'a1'.repeat(18)}.`, 'secret_refused'],
    ['Log in with password = hunter2hunter2', 'secret_refused'],
    ['Connect to postgres://admin:s3cret@db/prod', 'secret_refused'],
    ['Ask jane.doe@example.com about it', 'secret_refused'],
    [`AWS key AKIA${'Q7'.repeat(8)}`, 'secret_refused'],
    [`Authorization: Bearer ${'a1B2'.repeat(8)}`, 'secret_refused'],
    [`npm_${'a1'.repeat(18)} publishes`, 'secret_refused'],
    ['client_secret: "s3cr3t-value-here"', 'secret_refused'],
    ['Paid with 4111 1111 1111 1111 yesterday', 'secret_refused'],
    ['Transfer to DE89 3704 0044 0532 0130 00 please', 'secret_refused'],
    ['Call +49 170 1234567 at night', 'secret_refused'],
    ['Call Bob at (555) 123-4567', 'secret_refused'],
    ['Phone of the night shift: 0171 2345678', 'secret_refused'],
    ['DB_PASSWORD=supersecretvalue', 'secret_refused'],
    ['Server=db;User=sa;Password=abc123;', 'secret_refused'],
    [`export AWS_SECRET_ACCESS_KEY=${'wJa/K7MD'.repeat(5)}`, 'secret_refused'],
    [`AccountKey=${'Zm9v'.repeat(12)}==`, 'secret_refused'],
    ['Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==', 'secret_refused'],
    ['The staging password is S3cr3t!x9Zq', 'secret_refused'],
    ['Connect to redis://:s3cretpass@cache:6379', 'secret_refused'],
    ['Demander à josé@société.fr', 'secret_refused'],
    [`The bot is 123456789:AA${'Hd7q'.repeat(8)}x`, 'secret_refused'],
  ] as const)
    assert.throws(() => remember(book, statement(content), 1), { code });
  assert.throws(() => remember(book, statement('A fine thought.', { type: 'joke' as 'rule' }), 1), {
    code: 'invalid_input',
  });
  assert.deepEqual(book.all(), []);
});

test('a secret is refused in every field', () => {
  const book = notebook();
  const secret = `ghp_${'a1'.repeat(18)}`;
  for (const hidden of [{ module: secret }, { session: secret }, { evidence: [{ path: `keys/${secret}` }] }])
    assert.throws(() => remember(book, statement('A harmless thought.', hidden), 1), { code: 'secret_refused' });
});

test('an import refuses invalid discoveries one by one and recognises known words under another id', () => {
  const book = notebook();
  const given = (id: string, rest: Partial<Discovery> = {}): Discovery => ({
    ...statement(`Entry ${id}.`),
    id,
    dateMs: 1,
    confidence: 1,
    contradicts: [],
    supersededBy: null,
    ...rest,
  });
  const token = 'ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1';
  const report = importDiscoveries(book, [
    given('README'),
    given('rule-s', { status: token }),
    given('rule-c', { contradicts: [token] }),
    given('rule-r', { supersededBy: token }),
    given('rule-o', { origin: 'jane@firm.org' }),
    given('rule-e', { evidence: [{ commit: token }] }),
    given(token),
    given('rule-m', { content: '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x' }),
    given('rule-1', { content: 'Said once.' }),
    given('rule-2', { content: 'said once' }),
  ]);
  assert.deepEqual([report.created, report.unchanged, report.refused.length], [1, 1, 8]);
  assert.deepEqual(
    notebook()
      .all()
      .map(({ id }) => id),
    ['rule-1'],
  );
});
