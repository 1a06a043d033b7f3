/** kill -9 at any moment: what was published stays, whole, and the next run goes on. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { indexFiles, LIVE, optionsFor, temporaryFolder } from './fixtures/made-up.ts';
import { filesOf } from './fixtures/writing-child.ts';
import { openReader, openWriter } from './index.ts';

const CHILD = new URL('./fixtures/writing-child.ts', import.meta.url).href;

/** The last publication that the child told of before it was killed `delayMs` after its first. */
async function killWhileWriting(folder: string, first: number, delayMs: number): Promise<number> {
  const script = `const { run } = await import(${JSON.stringify(CHILD)}); run(${JSON.stringify(folder)}, ${first});`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), delayMs);
    output += text;
  });
  await once(child, 'close');
  return Math.max(...output.split('\n').slice(0, -1).map(Number));
}

test('a killed writer loses nothing that it published and leaves nothing half', async (t) => {
  const options = optionsFor(temporaryFolder(t));
  let last = 0;
  for (const [round, delayMs] of [0, 12, 35, 70, 110].entries()) {
    last = await killWhileWriting(options.folder, last, delayMs);
    const reader = openReader(options);
    assert.deepEqual(reader.check(true), []);
    const fresh = openWriter(optionsFor(temporaryFolder(t)), { owner: 'fresh' });
    // It may have published once more before its message got through.
    const found = [...reader.dump(LIVE)].join('\n');
    const expected = [last, last + 1].map((n) => {
      indexFiles(fresh, filesOf(n));
      return [...fresh.reader.dump(LIVE)].join('\n');
    });
    fresh.release();
    assert.ok(expected.includes(found), `round ${round}: the tree is neither publication ${last} nor the next`);
    reader.close();
  }
  const writer = openWriter(options, { owner: 'next', graceMs: 0 });
  t.after(() => writer.release());
  writer.compact({ full: true });
  assert.deepEqual(writer.reader.check(true), []);
  indexFiles(writer, filesOf(last + 2));
  assert.equal(writer.reader.openTree(LIVE)!.files.length, 40);
});
