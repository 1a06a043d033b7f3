import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { prepareParserRuntime } from '../../languages/index.ts';
import { createDeriver, type DeriverSetup } from './deriver.ts';

const dist = fileURLToPath(new URL('../../../dist', import.meta.url));

test('a worker that has cleared its table of terms derives a file as a new worker does', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sextant-terms-'));
  try {
    const words = Array.from({ length: 60_000 }, (_, i) => `w${i.toString(36)}`);
    writeFileSync(join(root, 'words.txt'), words.join('\n'));
    writeFileSync(join(root, 'page.txt'), 'Retries are counted here.\nA second line about w1z and retries.\n');
    const setup: DeriverSetup = {
      grammarFolder: join(dist, 'grammars'),
      queryFolder: join(dist, 'queries'),
      modelFolder: null,
      maxFileBytes: 1e7,
      includeGenerated: false,
      redact: false,
    };
    await prepareParserRuntime(setup.grammarFolder);
    const read = (deriver: Awaited<ReturnType<typeof createDeriver>>, path: string) =>
      deriver.derive([{ path, root, gitBlob: null, flags: 0 }]);
    const [busy, fresh] = [await createDeriver(setup), await createDeriver(setup)];
    const { batch } = await read(busy, 'words.txt');
    assert.ok(batch.postings.text.terms.length > 60_000, 'each word is a term');
    assert.deepEqual(await read(busy, 'page.txt'), await read(fresh, 'page.txt'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
