import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { TreeView } from '../../store/store.ts';
import { packPathStats, pathStats, restorePathStats } from './path-stats.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'src/http/request-parser.ts': 'export const a = 1;\n',
    'src/http/index.ts': 'export const b = 2;\n',
    'src/übung/größe.ts': 'export const c = 3;\n',
    'README.md': '# Parser of requests\n',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

test('packed path statistics are restored unchanged, and are ignored for another tree', async () => {
  const { view } = await space.openTree();
  const derived = pathStats(view);
  const packed = packPathStats(view);
  assert.ok(packed, 'derived ones can be packed');
  // The same tree as another process has it.
  const again: TreeView = { ...view, files: view.files, info: view.info };
  restorePathStats(again, packed);
  const restored = pathStats(again);
  assert.equal(packPathStats(again), null, 'what was brought back is kept already');
  for (const term of ['http', 'request', 'parser', 'pars', 'index', 'src', 'nowhere'])
    for (const time of ['once', 'again'])
      assert.deepEqual(restored.pathTerms.get(term), derived.pathTerms.get(term), `${term}, asked ${time}`);
  assert.ok(derived.pathTerms.get('http')?.length === 2, 'two files below http');
  const plain = ({ pathLength, keys, stemOf }: typeof restored) => ({
    pathLength,
    keys,
    stems: view.files.map((_, file) => stemOf(file)),
  });
  assert.deepEqual(plain(restored), plain(derived));
  assert.deepEqual(plain(restored), plain(derived), 'asked again');
  space.write('src/http/more.ts', 'export const d = 4;\n');
  await space.engine.index(space.root);
  const next = (await space.openTree()).view;
  restorePathStats(next, packed);
  assert.ok(packPathStats(next) === null && pathStats(next).keys.length === 5, 'not taken, made anew');
  assert.ok(packPathStats(next), 'so it can be packed');
});
