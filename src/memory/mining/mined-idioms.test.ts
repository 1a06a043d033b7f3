import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import { MinedIdioms } from './mined-idioms.ts';

test('idioms: what is used all over, how files are named, where tests stand; counted once for a tree', async () => {
  const own = workspace(
    Object.fromEntries([
      ['src/core-errors.ts', 'export class CoreFailure extends Error {}\nexport class StartsWith {}\n'],
      ...Array.from({ length: 12 }, (_, i) => [
        `src/part-number-${i}.ts`,
        `import { CoreFailure } from './core-errors.ts';\nimport pino from 'pino';\n` +
          `import { resolve } from 'node:path';\nexport function part${i}() {\n  pino();\n` +
          `  resolve('a').startsWith('b');\n  throw new CoreFailure();\n}\n`,
      ]),
      ...Array.from({ length: 9 }, (_, i) => [`src/part-number-${i}.test.ts`, 'export {};\n']),
    ]),
  );
  try {
    await own.engine.index(own.root);
    const { reader, view } = await own.openTree();
    const kept = new MinedIdioms(join(own.home, 'idioms.json'));
    const said = kept.of(reader, view).map(({ content }) => content);
    assert.ok(
      said.some((text) => /typescript are named in kebab-case \(13 of 13/.test(text)),
      said.join('\n'),
    );
    assert.ok(
      said.some((text) => /Tests stand beside the code they test, as `\*\.test\.\*` \(9 of 9/.test(text)),
      said.join('\n'),
    );
    assert.ok(
      said.some((text) => /`CoreFailure` \(src\/core-errors\.ts\) is used in 12 of 13 files/.test(text)),
      said.join('\n'),
    );
    assert.ok(
      said.some((text) => /`pino` is imported by 12 of 13 files/.test(text)),
      said.join('\n'),
    );
    // What comes with the language, what is the project's own, and a class that is only spelled like a method of
    // strings.
    assert.ok(!said.some((text) => /node:|core-errors` is|StartsWith/.test(text)), said.join('\n'));
    assert.deepEqual(new MinedIdioms(join(own.home, 'idioms.json')).of(reader, view), kept.of(reader, view));
  } finally {
    await own.close();
  }
});
