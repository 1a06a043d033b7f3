import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import { blobId } from '../../walk/index.ts';

/** In pieces: this file itself holds none. */
const TOKEN = ['ghp', 'x7Rk2mQ9vT4bN8cW1zL5yH3jD6fG0sAe4uPq'].join('_');

test('exportContents() exports each blob once, a hundred at a time, with its indexed text', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 130 }, (_, i) => [`many/f${i}.ts`, `export const f${i} = 1;\n`]),
  );
  const space = workspace({
    ...many,
    'copy.ts': many['many/f7.ts']!,
    'token.ts': `const token = '${TOKEN}';\n`,
  });
  t.after(() => space.close());
  await space.engine.index(space.root);
  const { extractor, portions } = await space.engine.exportContents(space.root);
  assert.ok(extractor.length > 0);
  const sizes: number[] = [];
  const changed: string[] = [];
  const ids = new Set<string>();
  for (const portion of portions) {
    sizes.push(portion.length);
    for (const content of portion) {
      ids.add(`${content.blobId} ${content.language}`);
      const text = content.text();
      if (blobId(Buffer.from(text)) !== content.blobId) changed.push(text);
    }
  }
  assert.deepEqual(sizes, [100, 31]);
  assert.equal(ids.size, 131);
  assert.equal(changed.length, 1, 'the redacted one');
  assert.ok(!changed[0]!.includes(TOKEN));
});
