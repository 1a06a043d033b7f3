/** Repositories of a few kilobytes that expand to gigabytes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { sandbox, worked } from '../cli/sextant.ts';

/** Up to a minute of git's time. `npm test` tries the same on the room that starts git, with one of them. */
const OPTIONS = { skip: process.env.HOSTILE !== 'full' || process.platform === 'win32' };

test('a git index of hundreds of megabytes of names is refused, and the folder is listed without git', OPTIONS, () => {
  const box = sandbox();
  box.git('init', '-q');
  box.write({ 'delay.ts': 'export function nextDelay() {\n  return 100;\n}\n' });
  writeFileSync(box.path('.git/index'), packedIndex(5_000, 60_000));
  assert.match(worked(box.run(['search', 'next delay', '--yes'])), /delay\.ts/);
});

test(
  'a commit of ten thousand million files from twelve objects is refused, as a ref and as a difference',
  OPTIONS,
  () => {
    const box = sandbox();
    box.git('init', '-q');
    box.write({ 'delay.ts': 'export const delay = 1;\n' });
    box.git('add', '-A');
    box.git('commit', '-q', '-m', 'one file');
    let entry = `100644 blob ${box.git('rev-parse', ':delay.ts').trim()}`;
    for (let level = 0; level < 10; level++) {
      const tree = [...'0123456789'].map((name) => `${entry}\t${name.repeat(100)}.ts\n`).join('');
      entry = `040000 tree ${execFileSync('git', ['mktree'], { cwd: box.path(), input: tree, encoding: 'utf8' }).trim()}`;
    }
    box.git('tag', 'bomb', box.git('commit-tree', '-m', 'bomb', entry.slice(-40)).trim());
    const { code, stderr } = box.run(['index', '--ref', 'bomb']);
    assert.notEqual(code, 0);
    assert.match(stderr, /more files than can be listed/);
    worked(box.run(['index']));
    assert.match(box.run(['impact', '--diff', 'HEAD..bomb']).stderr, /git was ended/);
  },
);

/** Names in a packed index share their beginning: each entry adds nine bytes of its own. */
function packedIndex(count: number, prefixLength: number): Buffer {
  const prefix = `${'d'.repeat(200)}/`.repeat(prefixLength / 201);
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(4, 4);
  head.writeUInt32BE(count, 8);
  const pieces = [head];
  for (let i = 0; i < count; i++) {
    const entry = Buffer.alloc(62);
    entry.writeUInt32BE(0o100644, 24);
    entry.write('587be6b4c3f93f93c489c0111bba5596147a26cb', 40, 'hex');
    entry.writeUInt16BE(0xfff, 60);
    const own = String(i).padStart(8, '0');
    // So many characters of the name before are cut off; eight, which one byte says.
    pieces.push(entry, Buffer.from([i === 0 ? 0 : 8]), Buffer.from(`${i === 0 ? prefix : ''}${own}\0`));
  }
  const content = Buffer.concat(pieces);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}
