import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MinedHistory } from './mined-history.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-history-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const repository = join(folder, 'repository');
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', repository, ...args], {
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  }).trim();
const head = () => git('rev-parse', 'HEAD');
const place = () => ({ folder: repository, head: head(), isWhole: true, edge: '' });

/** A history of that many commits, every tenth of them a fix. */
function importCommits(count: number, name: string): void {
  const stream = Array.from({ length: count }, (_, i) => {
    const message = i % 10 === 0 ? `Fix crash number ${name}${i}` : `Step ${i}`;
    return (
      `commit refs/heads/main\ncommitter t <t@localhost> ${1_700_000_000 + i} +0000\ndata ${message.length}\n` +
      `${message}\n`
    );
  });
  const from = (() => {
    try {
      return `from ${head()}\n`;
    } catch {
      return '';
    }
  })();
  stream[0] += from;
  execFileSync('git', ['-C', repository, 'fast-import', '--quiet'], { input: `${stream.join('')}done\n` });
}

execFileSync('git', ['init', '-q', '-b', 'main', repository]);

test('a history is read within its time budget, continued by the next call, and then only new commits are read', async () => {
  importCommits(9_000, 'a');
  const data = join(folder, 'data');
  let history = new MinedHistory(data);
  await history.update(place(), 0);
  const first = history.notes().length;
  assert.equal(history.isComplete, false);
  let rounds = 0;
  while (!history.isComplete && rounds++ < 20) {
    // Another process each time.
    history = new MinedHistory(data);
    await history.update(place(), 1);
  }
  assert.ok(rounds > 1, `in ${rounds} rounds`);
  assert.equal(history.notes().length, 900);
  assert.ok(first < 900, `${first} at first`);
  importCommits(30, 'b');
  history = new MinedHistory(data);
  await history.update(place(), 5_000);
  assert.equal(history.notes().length, 903);
  assert.equal(new Set(history.notes().map(({ commit }) => commit)).size, 903);
});

test('half a line of a killed process is skipped, and a rewritten history is read again', async () => {
  const data = join(folder, 'data');
  appendFileSync(join(data, 'commits.ndjson'), '\n{"commit":"abc","no');
  let history = new MinedHistory(data);
  assert.equal(history.notes().length, 903);
  importCommits(10, 'c');
  await history.update(place(), 5_000);
  history = new MinedHistory(data);
  assert.equal(history.notes().length, 904);
  writeFileSync(
    join(data, 'history.json'),
    JSON.stringify({ version: 1, newest: '0'.repeat(40), anchor: '0'.repeat(40), done: 5, isComplete: true }),
  );
  history = new MinedHistory(data);
  await history.update(place(), 5_000);
  assert.equal(history.notes().length, 904);
});

test('damage to the notes or the state is detected, and the lost commits are read again', async () => {
  const data = join(folder, 'data');
  const flip = (name: string, at: (text: string) => number) => {
    const bytes = readFileSync(join(data, name));
    bytes[at(bytes.toString('latin1'))]! ^= 1;
    writeFileSync(join(data, name), bytes);
  };
  const reread = async () => {
    const history = new MinedHistory(data);
    const before = history.notes().map(({ note }) => note.content);
    await history.update(place(), 5_000);
    return [
      before.length,
      history.notes().length,
      history.notes().every(({ note }) => note.content.includes('number')),
    ];
  };
  const whole = (await reread())[1] as number;
  flip('commits.ndjson', (text) => text.indexOf('Fix crash number a400') + 12);
  assert.deepEqual(await reread(), [whole - 1, whole, true]);
  assert.deepEqual(await reread(), [whole, whole, true], 'once');
  flip('history.json', (text) => text.indexOf('"done":') + 8);
  assert.deepEqual(await reread(), [0, whole, true]);
});

test('a folder without git, without commits, and a shallow clone are read without an error', async () => {
  const none = new MinedHistory(join(folder, 'none'));
  await none.update({ folder, head: '1'.repeat(40), isWhole: true, edge: '' }, 1_000);
  assert.deepEqual(none.notes(), []);
  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '-q', '--depth', '25', `file://${repository}`, shallow]);
  const history = new MinedHistory(join(folder, 'of-shallow'));
  await history.update({ folder: shallow, head: head(), isWhole: true, edge: 'cut' }, 5_000);
  assert.equal(history.isComplete, true);
  assert.ok(history.notes().length >= 2, `${history.notes().length} of the 25 commits there are`);
  execFileSync('git', ['-C', shallow, 'fetch', '-q', '--unshallow']);
  // Two at once: the second waits for the first.
  const whole = { folder: shallow, head: head(), isWhole: true, edge: '' };
  await Promise.all([history.update(whole, 5_000), history.update(whole, 5_000)]);
  assert.equal(history.notes().length, 904);
});

test('commits of another or a rewritten branch are listed only if the head reaches them', async () => {
  const own = join(folder, 'branches');
  execFileSync('git', ['init', '-q', '-b', 'main', own]);
  const run = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', own, ...args], {
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    }).trim();
  const commitAs = (...args: string[]) => run('commit', '-q', '--allow-empty', ...args);
  const told = async () => {
    // Another process each time.
    const history = new MinedHistory(join(folder, 'of-branches'));
    await history.update({ folder: own, head: run('rev-parse', 'HEAD'), isWhole: true, edge: '' }, 5_000);
    return history
      .notes()
      .map(({ note }) => note.content)
      .sort();
  };
  commitAs('-m', 'Fix crash on main');
  run('checkout', '-q', '-b', 'one');
  commitAs('-m', 'Fix crash on one');
  assert.deepEqual(await told(), ['Fix crash on main', 'Fix crash on one']);
  run('checkout', '-q', '-b', 'two', 'main');
  commitAs('-m', 'Fix crash on two');
  assert.deepEqual(await told(), ['Fix crash on main', 'Fix crash on two']);
  commitAs('--amend', '-m', 'Fix crash on two, said better');
  assert.deepEqual(await told(), ['Fix crash on main', 'Fix crash on two, said better']);
  run('checkout', '-q', 'one');
  assert.deepEqual(await told(), ['Fix crash on main', 'Fix crash on one']);
});
