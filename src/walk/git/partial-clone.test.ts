import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { walkRef } from '../index.ts';
import { makeRepository, makeTree, optionsFor } from '../temp-tree.fixture.ts';

const FILES = { 'a.ts': 'one', 'b.ts': 'two', 'sub/c.ts': 'three', 'sub/deep/d.ts': 'four' };

/** Without the contents, or without the folders, too. */
function partialClone(t: Parameters<typeof makeTree>[0], filter: string) {
  const whole = makeRepository(t, FILES);
  whole.commit();
  whole.git('config', 'uploadpack.allowFilter', 'true');
  whole.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const part = join(makeTree(t).root, 'part');
  const source = pathToFileURL(whole.root).href;
  execFileSync('git', ['clone', '-q', '--no-checkout', `--filter=${filter}`, source, part], { stdio: 'ignore' });
  // Each fetch from the remote leaves a pack.
  const fetched = () =>
    readdirSync(join(part, '.git/objects/pack')).filter((name) => name.endsWith('.promisor')).length;
  return { whole, part, fetched };
}

for (const [filter, fetches] of [
  ['blob:none', 1],
  ['tree:0', 2],
] as const)
  test(`a ref of a clone with ${filter} is brought at once, not file by file`, async (t) => {
    const { part, fetched } = partialClone(t, filter);
    const before = fetched();
    const { files } = await walkRef(part, 'origin/main', optionsFor(part));
    assert.deepEqual(
      files.map(({ path, size }) => [path, size]),
      Object.entries(FILES).map(([path, text]) => [path, text.length]),
    );
    assert.equal(fetched() - before, fetches);
  });

test('where the remote cannot be reached, git says why', async (t) => {
  const { whole, part } = partialClone(t, 'blob:none');
  renameSync(join(whole.root, '.git'), join(whole.root, 'gone'));
  await assert.rejects(walkRef(part, 'origin/main', optionsFor(part)), {
    code: 'unsupported',
    message: /git says: .*could not fetch/i,
  });
});
