/** A call finds the project of its path once: each resolution reads the folder's real path and git's state from disk. */
import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { resolveProject } from '../../src/engine/projects/project-registry.ts';
import { rawClient } from './raw-client.ts';
import { sandbox } from './real-engine.ts';

const box = sandbox(/^(?:web|README)/);
before(() => box.engine.index(box.project));
after(() => box.close());

const CALLS = [
  ['search_code', { query: 'the price of an item' }],
  ['locate_symbol', { name: 'price' }],
  ['grep_codebase', { pattern: 'price' }],
  ['code_research', { query: 'who calls price' }],
  ['get_status', {}],
] as const;

/** How often `work` asks the system for the real path of `folder`. */
async function countLookups(folder: string, work: () => Promise<unknown>): Promise<number> {
  const lookups = mock.method(realpathSync, 'native');
  // The clock stands still: a call on a loaded machine takes longer than the engine remembers a resolution.
  const startMs = performance.now();
  const clock = mock.method(performance, 'now', () => startMs);
  try {
    await work();
    return lookups.mock.calls.filter((call) => call.arguments[0] === folder).length;
  } finally {
    clock.mock.restore();
    lookups.mock.restore();
  }
}

for (const [name, args] of CALLS)
  test(`${name} resolves the folder that its call names once`, async () => {
    // A folder of its own for each call: the engine remembers a resolution for half a second.
    box.write(join('shop', name, 'extra.ts'), 'export const extra = 1;\n');
    const folder = join(box.project, name);
    const once = await countLookups(folder, () => resolveProject(box.home, folder));
    const raw = rawClient({ profile: 'sextant', engine: box.engine, workspace: box.project });
    await raw.initialize();
    const inCall = await countLookups(folder, async () => {
      const { error, result } = await raw.request('tools/call', { name, arguments: { ...args, path: folder } });
      assert.equal(error, undefined);
      assert.notEqual(result.isError, true, JSON.stringify(result));
    });
    await raw.close();
    assert.ok(once > 0);
    assert.equal(inCall, once);
  });
