import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AccessLog } from './access-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-access-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const DAY = 24 * 60 * 60 * 1000;

test('accesses are counted, and recently read files come first', () => {
  const log = new AccessLog(join(folder, 'deep', 'accesses.json'));
  for (let day = 0; day < 3; day++) log.record([{ path: 'old.ts', kind: 'read' }], day * DAY);
  log.record([{ path: 'new.ts', kind: 'read' }], 60 * DAY);
  const [first, second] = log.list(60 * DAY);
  assert.deepEqual([first!.path, first!.count, first!.score], ['new.ts', 1, 1]);
  assert.deepEqual([second!.path, second!.count, second!.lastAccessedMs], ['old.ts', 3, 2 * DAY]);
  assert.ok(second!.score < 0.02, `${second!.score}`);
});

test('a broken file counts as empty, and the next access replaces it', () => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, '{"not": "a list"');
  const log = new AccessLog(file);
  assert.deepEqual(log.list(0), []);
  log.record([{ path: 'a.ts', kind: 'read' }], 5);
  assert.deepEqual(
    log.list(5).map(({ path }) => path),
    ['a.ts'],
  );
});

test('the context score is 0 without accesses, higher for a read than for a hit, below 1, and stable', () => {
  const log = new AccessLog(join(folder, 'context.json'));
  assert.equal(log.context(0).isEmpty, true);
  assert.equal(log.context(0).of('a.ts'), 0);
  log.record(
    [
      { path: 'a.ts', kind: 'read' },
      { path: 'b.ts', kind: 'hit' },
      { path: 'a.ts', symbol: 'open', kind: 'read' },
    ],
    0,
  );
  const first = log.context(0);
  assert.ok(first.of('a.ts') > first.of('b.ts') && first.of('b.ts') > 0, 'a read counts more');
  assert.ok(first.of('a.ts', 'open') > 0 && first.of('a.ts', 'close') === 0, 'symbols on their own');
  log.record([{ path: 'b.ts', kind: 'hit' }], 1);
  assert.equal(log.context(1).version, first.version, 'a hit is taken in later');
  log.record([{ path: 'b.ts', kind: 'read' }], 2);
  assert.notEqual(log.context(2).version, first.version, 'a read at once');
  for (let i = 0; i < 500; i++) log.record([{ path: 'a.ts', kind: 'read' }], 3);
  assert.ok(log.context(3).of('a.ts') < 1, 'bounded');
  const hit = log.list(3).find(({ path }) => path === 'b.ts');
  assert.deepEqual([hit?.count, hit?.hits], [1, 2]);
});
