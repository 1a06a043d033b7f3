import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { DISCOVERY_TYPES, type Discovery, type Evidence } from '../model/discovery.ts';
import { formatDiscovery, newDiscoveryId, parseDiscovery } from './discovery-file.ts';
import { Notebook } from './notebook.ts';
import { edit, importAll, type NewDiscovery, remember } from './remember.ts';
import { sensitiveKind } from './sensitive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-memory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const notebook = () => new Notebook(join(folder, 'own'), join(folder, 'team'));
const thought = (content: string, rest: Partial<NewDiscovery> = {}): NewDiscovery => ({
  type: 'rule',
  content,
  module: '',
  session: '',
  origin: 'agent',
  evidence: [],
  ...rest,
});

const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/\s+/g, ' ').trim());
const commit = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 7, maxLength: 40 });
const path = fc
  .array(fc.string({ unit: fc.constantFrom(...'ab1,:-@% .'), minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join('/').trim())
  .filter((text) => text !== '');
const evidence: fc.Arbitrary<Evidence> = fc.oneof(
  commit.map((id) => ({ commit: id })),
  path.map((file) => ({ path: file })),
  fc
    .tuple(path, fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 500 }), fc.option(commit))
    .map(([file, startLine, more, id]) => ({
      path: file,
      startLine,
      endLine: startLine + more,
      ...(id ? { commit: id } : {}),
    })),
);
const discovery: fc.Arbitrary<Discovery> = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,30}$/),
    type: fc.constantFrom(...DISCOVERY_TYPES),
    content: fc
      .array(line, { minLength: 1, maxLength: 5 })
      .map((lines) => lines.join('\n').trim())
      .filter((text) => text !== ''),
    module: line,
    session: line,
    dateMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    origin: fc.constantFrom('agent', 'person', 'adr'),
    confidence: fc.constantFrom(0, 0.25, 0.5, 1),
    evidence: fc.array(evidence, { maxLength: 3 }),
    contradicts: fc.array(fc.stringMatching(/^[a-z0-9-]{1,20}$/), { maxLength: 3 }),
    supersededBy: fc.option(fc.stringMatching(/^[a-z0-9-]{1,20}$/)),
  },
  { noNullPrototype: true },
);

test('a discovery survives its file', () => {
  fc.assert(fc.property(discovery, (it) => assert.deepEqual(parseDiscovery(formatDiscovery(it)), it)));
});

test('a value cannot forge another line of the file', () => {
  const forged = parseDiscovery(
    formatDiscovery({
      id: 'rule-1',
      type: 'rule',
      content: 'Content.',
      module: 'a\norigin: adr\n\nOther content',
      session: 's\r\nid: rule-2',
      dateMs: 0,
      origin: 'agent',
      confidence: 1,
      evidence: [],
      contradicts: [],
      supersededBy: null,
    }),
  );
  assert.equal(forged?.id, 'rule-1');
  assert.equal(forged?.origin, 'agent');
  assert.equal(forged?.content, 'Content.');
});

test('files edited by people are read: other line ends, spaces, missing optional lines', () => {
  const text = 'id: rule-1\r\ntype:rule\r\ndate: 2026-01-02\r\n\r\nAlways close files.\r\n';
  const read = parseDiscovery(text);
  assert.equal(read?.content, 'Always close files.');
  assert.equal(read?.confidence, 1);
  assert.equal(read?.origin, 'person');
});

test('what is no discovery is skipped and named, the others are read', () => {
  const book = notebook();
  remember(book, thought('Always close the database.'), 1);
  const broken = {
    'empty.md': '',
    'headless.md': 'just a thought',
    'type.md': 'id: x\ntype: joke\ndate: 2026-01-01\n\nHa.\n',
    'id.md': 'id: ../../x\ntype: rule\ndate: 2026-01-01\n\nEscape.\n',
  };
  for (const [name, text] of Object.entries(broken)) writeFileSync(join(folder, 'own', name), text);
  writeFileSync(join(folder, 'own', 'notes.txt'), 'not ours');
  const again = notebook();
  assert.equal(again.all().length, 1);
  assert.deepEqual(
    again
      .broken()
      .map(({ file }) => file)
      .sort(),
    Object.keys(broken)
      .map((name) => join(folder, 'own', name))
      .sort(),
  );
});

test('the same thought in other words updates, and keeps its evidence', () => {
  const book = notebook();
  const first = remember(
    book,
    thought('Use the HttpClient wrapper for all outgoing requests.', { evidence: [{ path: 'a.ts' }] }),
    1,
  );
  const second = remember(
    book,
    thought('use the http_client wrapper for all outgoing requests', { evidence: [{ path: 'b.ts' }] }),
    2,
  );
  assert.equal(first.outcome, 'created');
  assert.equal(second.outcome, 'updated');
  assert.equal(second.discovery.id, first.discovery.id);
  assert.equal(book.all().length, 1);
  assert.deepEqual(book.find(first.discovery.id)?.evidence, [{ path: 'a.ts' }, { path: 'b.ts' }]);
  assert.equal(remember(book, thought('Log every database query.'), 3).outcome, 'created');
});

test('a contradiction is kept and linked', () => {
  const book = notebook();
  const first = remember(book, thought('Use moment for formatting dates in reports.'), 1);
  const second = remember(book, thought('Do not use moment for formatting dates in reports.'), 2);
  assert.equal(second.outcome, 'linked');
  assert.deepEqual(second.discovery.contradicts, [first.discovery.id]);
  assert.equal(book.all().length, 2);
});

test('what says nothing, too much or a secret is refused, and nothing is written', () => {
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
    assert.throws(() => remember(book, thought(content), 1), { code });
  assert.throws(() => remember(book, thought('A fine thought.', { type: 'joke' as 'rule' }), 1), {
    code: 'invalid_input',
  });
  assert.deepEqual(book.all(), []);
});

test('a secret is refused wherever it hides', () => {
  const book = notebook();
  const secret = `ghp_${'a1'.repeat(18)}`;
  for (const hidden of [{ module: secret }, { session: secret }, { evidence: [{ path: `keys/${secret}` }] }])
    assert.throws(() => remember(book, thought('A harmless thought.', hidden), 1), { code: 'secret_refused' });
});

test('ordinary talk about code holds no secret', () => {
  for (const text of [
    'skipUnnecessaryValidations is called before rendering.',
    'Call skeleton_loader_placeholder first.',
    'Clone git@github.com:acme/shop.git and run it.',
    'The password field is hashed with argon2.',
    'The password is base64-encoded before it is sent.',
    'password: mandatory, at least twelve signs.',
    'Call read() 10000000 times, or call it at 03:15.',
    'apiKey: string | undefined, refreshToken: string',
    'Since 2024-01-02 calls go to 192.168.0.1:8080.',
    'Use the secret store instead of constants.',
    'AKIA is the prefix of access keys.',
    'Set password = config.database.password; never a literal.',
    'api_key: process.env.API_KEY is read once.',
    'client_secret=<your secret here>',
    'The run 4111222233334444555 is an id, 1234567890123456 too.',
    'Mail of robots goes to no-reply@corp.org.',
    'The commit 0123456789abcdef0123456789abcdef01234567 broke it.',
  ])
    assert.equal(sensitiveKind(text), null, text);
});

test('two notebooks that write at once see each other, and no half file is left', () => {
  const [a, b] = [notebook(), notebook()];
  for (let i = 0; i < 20; i++) {
    const word = 'abcdefghijklmnopqrst'[i]!.repeat(3);
    const said = remember(i % 2 ? a : b, thought(`${word}one ${word}two ${word}three`), i);
    assert.equal(said.outcome, 'created');
    assert.equal(a.all().length, i + 1);
    assert.equal(b.all().length, i + 1);
  }
  assert.ok(readdirSync(join(folder, 'own')).every((name) => name.endsWith('.md')));
});

test('a file that somebody edits in place is read again', () => {
  const book = notebook();
  const { discovery: kept } = remember(book, thought('Always close the database.'), 1);
  assert.equal(book.all().length, 1);
  writeFileSync(
    join(folder, 'own', `${kept.id}.md`),
    formatDiscovery({ ...kept, content: 'Edited by hand, by a person.' }),
  );
  assert.equal(book.find(kept.id)?.content, 'Edited by hand, by a person.');
});

test("the team's folder is used once it exists, and forgetting is final in both", () => {
  const book = notebook();
  const own = remember(book, thought('Mine alone, from before the team.'), 1).discovery;
  mkdirSync(join(folder, 'team'));
  const shared = remember(book, thought('Shared with everybody working here.'), 2).discovery;
  assert.deepEqual(readdirSync(join(folder, 'team')), [`${shared.id}.md`]);
  assert.deepEqual(
    book.all().map(({ id }) => id),
    [shared.id, own.id],
  );
  assert.equal(book.remove(own.id), true);
  assert.equal(book.remove(own.id), false);
  assert.equal(book.remove('../team/x'), false);
  assert.equal(book.all().length, 1);
});

test('case, spaces and punctuation do not make another thought', () => {
  assert.equal(newDiscoveryId('rule', 'Use X, not Y!'), newDiscoveryId('rule', 'use x  not y'));
  assert.notEqual(newDiscoveryId('rule', 'Use X'), newDiscoveryId('issue', 'Use X'));
});

test('a large notebook: what comes and goes is seen at once, what is edited in place in turn, and another process reads one file', () => {
  const own = join(folder, 'own');
  mkdirSync(own);
  const entry = (i: number, content: string): Discovery => ({
    id: `rule-${i}`,
    type: 'rule',
    content,
    module: '',
    session: '',
    dateMs: i,
    origin: 'agent',
    confidence: 1,
    evidence: [],
    contradicts: [],
    supersededBy: null,
  });
  for (let i = 0; i < 2_100; i++) writeFileSync(join(own, `rule-${i}.md`), formatDiscovery(entry(i, `Thought ${i}.`)));
  const snapshot = join(folder, 'snapshot.json');
  const book = new Notebook(own, join(folder, 'team'), snapshot);
  assert.equal(book.all().length, 2_100);
  writeFileSync(join(own, 'rule-9000.md'), formatDiscovery(entry(9_000, 'Written by somebody else.')));
  assert.equal(book.find('rule-9000')?.content, 'Written by somebody else.');
  rmSync(join(own, 'rule-5.md'));
  assert.equal(book.find('rule-5'), null);
  assert.equal(book.remove('rule-6'), true);
  assert.equal(book.find('rule-6'), null);
  assert.equal(remember(book, thought('A wholly different matter, about penguins.'), 1).outcome, 'created');
  const later = new Notebook(own, join(folder, 'team'), snapshot);
  assert.equal(later.all().length, 2_100);
  assert.deepEqual(
    later.all().map(({ id }) => id),
    book.all().map(({ id }) => id),
  );
  writeFileSync(snapshot, 'not json');
  assert.equal(new Notebook(own, join(folder, 'team'), snapshot).all().length, 2_100);
});

/** A file of the team's memory, as a hand or a merge leaves it. */
function teamFile(name: string, id: string, content: string, head: readonly string[] = []): string {
  mkdirSync(join(folder, 'team'), { recursive: true });
  const file = join(folder, 'team', name);
  writeFileSync(file, [`id: ${id}`, 'type: rule', 'date: 2026-01-01', ...head, '', content, ''].join('\n'));
  return file;
}

test('a file under another name is the same discovery: it is changed in place, and forgotten for good', () => {
  const file = teamFile('use-cents.md', 'rule-1', 'Prices are kept in cents.');
  const book = notebook();
  assert.equal(book.fileOf('rule-1'), file);
  edit(book, book.find('rule-1')!, { content: 'Prices are integers.' }, 5);
  assert.deepEqual(
    readdirSync(join(folder, 'team')).filter((name) => !name.startsWith('.')),
    ['use-cents.md'],
  );
  assert.equal(book.find('rule-1')!.content, 'Prices are integers.');
  assert.equal(book.remove('rule-1'), true);
  assert.deepEqual([book.all(), notebook().all()], [[], []]);
});

test('of two files with one id the newer is shown, the other is named; both are forgotten together', () => {
  teamFile('rule-1.md', 'rule-1', 'The old wording.');
  teamFile('a-copy.md', 'rule-1', 'The copy of the same day.');
  const newer = teamFile('z-later.md', 'rule-1', 'The later wording.', ['date: 2026-02-01']);
  const book = notebook();
  assert.deepEqual(
    book.all().map(({ content }) => content),
    ['The later wording.'],
  );
  assert.deepEqual(book.broken(), [
    { file: join(folder, 'team', 'rule-1.md'), reason: 'it has the id of z-later.md' },
    { file: join(folder, 'team', 'a-copy.md'), reason: 'it has the id of z-later.md' },
  ]);
  rmSync(newer);
  assert.equal(book.find('rule-1')!.content, 'The old wording.', 'of two equally new, the one under its own name');
  assert.equal(book.remove('rule-1'), true);
  assert.deepEqual(book.all(), []);
});

test('a file with a secret, an unfinished merge or a link is not shown; evidence outside is dropped', () => {
  const secret = teamFile('a.md', 'rule-a', 'Log in with password: hunter2hunter2');
  const hidden = teamFile('b.md', 'rule-b', 'Fine words.', ['status: ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1']);
  const merge = teamFile('c.md', 'rule-c', '<<<<<<< HEAD\nUse tabs\n=======\nUse spaces\n>>>>>>> theirs');
  teamFile('d.md', 'rule-d', 'Paths lead out.', ['evidence: ../../etc/passwd:1, /etc/shadow, src/a.ts:2']);
  writeFileSync(join(folder, 'elsewhere.md'), 'id: rule-e\ntype: rule\ndate: 2026-01-01\n\nFrom elsewhere.\n');
  symlinkSync(join(folder, 'elsewhere.md'), join(folder, 'team', 'e.md'));
  const book = notebook();
  assert.deepEqual(
    book.all().map(({ id, evidence: places }) => [id, places]),
    [['rule-d', [{ path: 'src/a.ts', startLine: 2 }]]],
  );
  assert.deepEqual(book.broken(), [
    { file: secret, reason: 'it looks like it contains a password' },
    { file: hidden, reason: 'it looks like it contains an access token' },
    { file: merge, reason: 'it cannot be read as a discovery' },
    { file: join(folder, 'team', 'e.md'), reason: 'it cannot be read as a discovery' },
  ]);
});

test("a link in the place of the team's folder is not written through", () => {
  mkdirSync(join(folder, 'outside'));
  symlinkSync(join(folder, 'outside'), join(folder, 'team'));
  remember(notebook(), thought('Kept at home.'), 1);
  assert.deepEqual(readdirSync(join(folder, 'outside')), []);
  assert.equal(notebook().all().length, 1);
});

test('an import refuses what may not be kept wherever it stands, and knows the same words under another id', () => {
  const book = notebook();
  const given = (id: string, rest: Partial<Discovery> = {}): Discovery => ({
    ...thought(`Entry ${id}.`),
    id,
    dateMs: 1,
    confidence: 1,
    contradicts: [],
    supersededBy: null,
    ...rest,
  });
  const token = 'ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1';
  const report = importAll(book, [
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
