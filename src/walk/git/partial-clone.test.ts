import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { walkRef } from '../index.ts';
import { list, makeRepository, makeTree, optionsFor } from '../temp-tree.fixture.ts';

const FILES = { 'a.ts': 'one', 'b.ts': 'two', 'sub/c.ts': 'three', '.gitattributes': '* text=auto\n' };

/** Clones a repository without blobs (`blob:none`) or without blobs and trees (`tree:0`). */
function partialClone(t: Parameters<typeof makeTree>[0], filter: string, ...more: string[]) {
  const whole = makeRepository(t, FILES);
  whole.commit();
  whole.git('config', 'uploadpack.allowFilter', 'true');
  whole.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const part = join(makeTree(t).root, 'part');
  const source = pathToFileURL(whole.root).href;
  execFileSync('git', ['clone', '-q', ...more, `--filter=${filter}`, source, part], { stdio: 'ignore' });
  // Each fetch from the remote adds a promisor pack.
  const countFetches = () =>
    readdirSync(join(part, '.git/objects/pack')).filter((name) => name.endsWith('.promisor')).length;
  return { part, countFetches };
}

for (const filter of ['blob:none', 'tree:0'])
  test(`walkRef in a clone with ${filter} fetches nothing and names the command that does`, async (t) => {
    const { part, countFetches } = partialClone(t, filter, '--no-checkout');
    const before = countFetches();
    await assert.rejects(walkRef(part, 'origin/main', optionsFor(part)), {
      code: 'unsupported',
      message: /this clone is partial/,
      fix: /git -C .+ fetch --refetch --no-filter/,
    });
    assert.equal(countFetches(), before);
    execFileSync('git', ['-C', part, 'fetch', '-q', '--refetch', '--no-filter'], { stdio: 'ignore' });
    const { files } = await walkRef(part, 'origin/main', optionsFor(part));
    assert.deepEqual(
      files.map(({ path }) => path),
      Object.keys(FILES).sort(),
    );
  });

test('the walk lists the files of a partial clone without a fetch', async (t) => {
  const { part, countFetches } = partialClone(t, 'blob:none');
  execFileSync('git', ['-C', part, 'update-index', '--cacheinfo', `100644,${'1'.repeat(40)},b.ts`], {
    stdio: 'ignore',
  });
  writeFileSync(join(part, 'a.ts'), 'two');
  utimesSync(join(part, 'a.ts'), 1, 1);
  const before = countFetches();
  assert.deepEqual(await list(part), Object.keys(FILES).sort());
  assert.equal(countFetches(), before);
});
