import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AccessLog } from './access-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-access-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const DAY = 24 * 60 * 60 * 1000;

test('accesses are counted, and what was read lately comes first', () => {
  const log = new AccessLog(join(folder, 'deep', 'accesses.json'));
  for (let day = 0; day < 3; day++) log.record('old.ts', day * DAY);
  log.record('new.ts', 60 * DAY);
  const [first, second] = log.list(60 * DAY);
  assert.deepEqual([first!.path, first!.count, first!.score], ['new.ts', 1, 1]);
  assert.deepEqual([second!.path, second!.count, second!.lastAccessedMs], ['old.ts', 3, 2 * DAY]);
  assert.ok(second!.score < 0.02);
});

test('a broken file is an empty one, and is mended by the next access', () => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, '{"not": "a list"');
  const log = new AccessLog(file);
  assert.deepEqual(log.list(0), []);
  log.record('a.ts', 5);
  assert.deepEqual(
    log.list(5).map(({ path }) => path),
    ['a.ts'],
  );
});
