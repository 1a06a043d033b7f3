import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { Discovery } from '../../model/records/discovery.ts';
import { statement } from '../recall/statement.fixture.ts';
import { formatDiscovery } from './discovery-file.ts';
import { Notebook } from './notebook.ts';
import { editDiscovery, remember } from './remember.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-memory-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const notebook = () => new Notebook(join(folder, 'own'), join(folder, 'team'));

/** A file of the team's memory, as a hand or a merge leaves it. */
function teamFile(name: string, id: string, content: string, head: readonly string[] = []): string {
  mkdirSync(join(folder, 'team'), { recursive: true });
  const file = join(folder, 'team', name);
  writeFileSync(file, [`id: ${id}`, 'type: rule', 'date: 2026-01-01', ...head, '', content, ''].join('\n'));
  return file;
}

test('files that are not discoveries are skipped and reported, the others are read', () => {
  const book = notebook();
  remember(book, statement('Always close the database.'), 1);
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

test('two notebooks that write at once see each other, and no partial file remains', () => {
  const [a, b] = [notebook(), notebook()];
  for (let i = 0; i < 20; i++) {
    const word = 'abcdefghijklmnopqrst'[i]!.repeat(3);
    const said = remember(i % 2 ? a : b, statement(`${word}one ${word}two ${word}three`), i);
    assert.equal(said.outcome, 'created');
    assert.equal(a.all().length, i + 1);
    assert.equal(b.all().length, i + 1);
  }
  assert.ok(readdirSync(join(folder, 'own')).every((name) => name.endsWith('.md')));
});

test('a file that is edited in place is read again', () => {
  const book = notebook();
  const { discovery: kept } = remember(book, statement('Always close the database.'), 1);
  assert.equal(book.all().length, 1);
  writeFileSync(
    join(folder, 'own', `${kept.id}.md`),
    formatDiscovery({ ...kept, content: 'Edited by hand, by a person.' }),
  );
  assert.equal(book.find(kept.id)?.content, 'Edited by hand, by a person.');
});

test("the team's folder is used once it exists, and forgetting is final in both", () => {
  const book = notebook();
  const own = remember(book, statement('Mine alone, from before the team.'), 1).discovery;
  mkdirSync(join(folder, 'team'));
  const shared = remember(book, statement('Shared with everybody working here.'), 2).discovery;
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

test('a large notebook sees new and deleted files at once and edited ones in turns, and another process reads the snapshot', () => {
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
  assert.equal(remember(book, statement('A wholly different matter, about penguins.'), 1).outcome, 'created');
  const later = new Notebook(own, join(folder, 'team'), snapshot);
  assert.equal(later.all().length, 2_100);
  assert.deepEqual(
    later.all().map(({ id }) => id),
    book.all().map(({ id }) => id),
  );
  writeFileSync(snapshot, 'not json');
  assert.equal(new Notebook(own, join(folder, 'team'), snapshot).all().length, 2_100);
});

test('a discovery in a file of another name is changed in place and removed with that file', () => {
  const file = teamFile('use-cents.md', 'rule-1', 'Prices are kept in cents.');
  const book = notebook();
  assert.equal(book.fileOf('rule-1'), file);
  editDiscovery(book, book.find('rule-1')!, { content: 'Prices are integers.' }, 5);
  assert.deepEqual(
    readdirSync(join(folder, 'team')).filter((name) => !name.startsWith('.')),
    ['use-cents.md'],
  );
  assert.equal(book.find('rule-1')!.content, 'Prices are integers.');
  assert.equal(book.remove('rule-1'), true);
  assert.deepEqual([book.all(), notebook().all()], [[], []]);
});

test('the newer of two files with one id is shown and the other reported, and both are removed together', () => {
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

test('a file with a secret, an unfinished merge or a link is not shown, and evidence outside the project is dropped', () => {
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

test("a link in place of the team's folder is not followed by writes", () => {
  mkdirSync(join(folder, 'outside'));
  symlinkSync(join(folder, 'outside'), join(folder, 'team'));
  remember(notebook(), statement('Kept at home.'), 1);
  assert.deepEqual(readdirSync(join(folder, 'outside')), []);
  assert.equal(notebook().all().length, 1);
});

const LINKED = { skip: process.platform === 'win32' };
test('a list of forgotten ids that is a link or device is ignored, and forgetting replaces it', LINKED, () => {
  const team = join(folder, 'team');
  mkdirSync(team);
  writeFileSync(join(folder, 'outside'), 'word-of-the-user\n');
  for (const target of [join(folder, 'outside'), '/dev/zero', '/dev/stdin']) {
    rmSync(join(team, 'forgotten'), { force: true });
    symlinkSync(target, join(team, 'forgotten'));
    assert.equal(notebook().forgotten().size, 0, target);
  }
  notebook().forget('mined-1');
  assert.equal(readFileSync(join(team, 'forgotten'), 'utf8'), 'mined-1\n');
  assert.ok(lstatSync(join(team, 'forgotten')).isFile());
});
