import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import { MinedIdioms } from './mined-idioms.ts';

test('naming conventions, base types and test libraries are mined only if many files share them', async () => {
  const own = workspace(
    Object.fromEntries([
      ['base.py', 'class Failure(Exception):\n    pass\n'],
      ...Array.from({ length: 10 }, (_, i) => [
        `part${i}.py`,
        `from base import Failure\nfrom werkzeug.part${i % 2} import thing\n\n\nclass Part${i}Failure(Failure):\n    pass\n\n\n` +
          `def build_part${i}():\n    raise Part${i}Failure(thing)\n\n\ndef get_part${i}():\n    return ${i}\n`,
      ]),
      ...Array.from({ length: 9 }, (_, i) => [
        `tests/test_part${i}.py`,
        `import pytest\n\n\ndef test_${i}():\n    pass\n`,
      ]),
    ]),
  );
  try {
    await own.engine.index(own.root);
    const { reader, view } = await own.openTree();
    const said = new MinedIdioms(join(own.home, 'idioms.json')).of(reader, view).map(({ content }) => content);
    for (const pattern of [
      /10 of \d+ types are named `…Failure`, such as `Part0Failure`/,
      /10 of \d+ functions are named `build…`/,
      /10 types extend or implement `Failure`/,
      /`werkzeug` is imported by 10 of 11 files/,
      /Tests use `pytest` \(imported by 9 of 9 test files\)/,
    ])
      assert.ok(
        said.some((text) => pattern.test(text)),
        `${pattern}\n${said.join('\n')}`,
      );
    assert.ok(!said.some((text) => /`get…`|werkzeug\.part|`base`/.test(text)), said.join('\n'));
  } finally {
    await own.close();
  }
});

test('names used everywhere, file names and places of tests are mined once per tree', async () => {
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
