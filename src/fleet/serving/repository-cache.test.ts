import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import { type CacheParts, RepositoryCache } from './repository-cache.ts';

test('concurrent questions about a new repository hydrate it once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-cache-'));
  try {
    let looks = 0;
    const cache = new RepositoryCache({
      folder,
      maxBytes: 1,
      engine: { project: async () => ({ storeFolder: join(folder, 'store') }) },
      snapshots: {
        head: async () => {
          looks++;
          return null;
        },
      },
      onEvicted: () => undefined,
    } as unknown as CacheParts);
    const record = { name: 'acme/shop', branch: 'main', ref: null } as RepositoryRecord;
    const ask = () => cache.using(record, async () => 'an answer');
    const answers = await Promise.allSettled([ask(), ask(), ask()]);
    assert.deepEqual(
      answers.map((answer) => answer.status === 'rejected' && (answer.reason as { code: string }).code),
      ['not_indexed', 'not_indexed', 'not_indexed'],
    );
    assert.equal(looks, 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
