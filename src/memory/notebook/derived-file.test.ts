import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { readDerived, removeDamaged, writeDerived } from './derived-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-derived-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('written content is read again, and any changed, missing or added byte is detected', () => {
  const file = join(folder, 'one.json');
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (content, at, change) => {
        writeDerived(file, content);
        assert.deepEqual(readDerived(file), Buffer.from(content));
        const bytes = readFileSync(file);
        const flipped = Buffer.from(bytes);
        flipped[at % flipped.length]! ^= change;
        for (const damaged of [
          flipped,
          bytes.subarray(0, at % bytes.length),
          Buffer.concat([bytes, Buffer.from('x')]),
        ]) {
          writeFileSync(file, damaged);
          assert.equal(readDerived(file), null);
        }
      },
    ),
    { seed: 9, numRuns: 60 },
  );
  assert.equal(readDerived(join(folder, 'none.json')), null);
});

test('damaged files are deleted and returned, while intact files, logs and files of an earlier version stay', () => {
  const mined = join(folder, 'mined');
  mkdirSync(join(mined, 'history'), { recursive: true });
  writeDerived(join(mined, 'sound.json'), '{"version":1}');
  writeDerived(join(mined, 'history', 'damaged.json'), '{"version":1}');
  writeFileSync(
    join(mined, 'history', 'damaged.json'),
    readFileSync(join(mined, 'history', 'damaged.json')).subarray(0, 20),
  );
  writeFileSync(join(mined, 'garbage.bin'), Buffer.alloc(64, 0xff));
  writeFileSync(join(mined, 'earlier.json'), '{"version":1}');
  writeFileSync(join(mined, 'history', 'commits.ndjson'), '\n12345678 []');
  assert.deepEqual(removeDamaged(mined).sort(), [join(mined, 'garbage.bin'), join(mined, 'history', 'damaged.json')]);
  const left = readdirSync(mined, { recursive: true }).map(String).sort();
  assert.deepEqual(left, ['earlier.json', 'history', join('history', 'commits.ndjson'), 'sound.json']);
  assert.deepEqual(removeDamaged(join(folder, 'none')), []);
});
