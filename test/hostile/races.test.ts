/**
 * While another process swaps files and folders for links out of the project, nothing from outside is read, found or
 * indexed.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Workspace, workspace } from '../workspace.ts';

/** `npm test` has the same race for the one function that opens files. */
const OPTIONS = { skip: process.env.HOSTILE !== 'full' || process.platform === 'win32' };
const SECRET = 'hunter2OfTheUser';
const FILES = 30;

/** Each name is there half of the time, and a link out for the other half. */
const SWAPPER = `
const { renameSync } = require('node:fs');
const names = process.argv.slice(1);
process.stdout.write('up');
for (;;) for (const name of names) {
  renameSync(name, name + '.kept'); renameSync(name + '.link', name);
  for (let i = 0; i < 20000; i++);
  renameSync(name, name + '.link'); renameSync(name + '.kept', name);
  for (let i = 0; i < 20000; i++);
}`;

function makeProject(t: TestContext): Workspace {
  const code = (i: number, word: string) => `export const ${word}${i} = ${i};\n`;
  const files = Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`src/f${i}.ts`, code(i, 'harmless')]));
  const space = workspace({ ...files, 'top.ts': code(0, 'harmless') });
  t.after(() => space.close());
  const outside = join(dirname(space.root), 'outside');
  mkdirSync(outside);
  for (let i = 0; i < FILES; i++) writeFileSync(join(outside, `f${i}.ts`), code(i, SECRET));
  symlinkSync(outside, join(space.root, 'src.link'));
  symlinkSync(join(outside, 'f0.ts'), join(space.root, 'top.ts.link'));
  return space;
}

async function whileSwapping(space: Workspace, work: () => Promise<void>): Promise<void> {
  const names = ['src', 'top.ts'].map((name) => join(space.root, name));
  const swapper = spawn(process.execPath, ['-e', SWAPPER, ...names], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(swapper, 'exit');
  try {
    await once(swapper.stdout, 'data');
    await work();
  } finally {
    swapper.kill('SIGKILL');
    await ended;
  }
}

test('read_file shows nothing from outside', OPTIONS, async (t) => {
  const space = makeProject(t);
  let shown = 0;
  await whileSwapping(space, async () => {
    for (let round = 0; round < 20_000; round++)
      for (const path of ['src/f1.ts', 'top.ts']) {
        const answer = await space.engine.readFile(space.root, { path }).catch(() => null);
        assert.ok(!answer?.content.includes(SECRET));
        if (answer) shown++;
      }
  });
  assert.ok(shown > 0, 'some were read');
});

test('grep shows nothing from outside', OPTIONS, async (t) => {
  const space = makeProject(t);
  await whileSwapping(space, async () => {
    for (let round = 0; round < 300; round++) {
      const { matches } = await space.engine.grep(space.root, { pattern: `export const`, limit: 100 });
      assert.ok(!JSON.stringify(matches).includes(SECRET));
    }
  });
});

test('an index holds nothing from outside', OPTIONS, async (t) => {
  const space = makeProject(t);
  await whileSwapping(space, async () => {
    for (let round = 0; round < 60; round++) {
      await space.engine.index(space.root, { force: true }).catch(() => null);
      const answer = await space.engine.search(space.root, { query: SECRET, limit: 5 }).catch(() => null);
      assert.ok(!JSON.stringify(answer?.hits ?? []).includes(SECRET));
    }
  });
});
