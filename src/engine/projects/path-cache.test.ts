import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import { hasPathStats } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import { loadPathStats } from './path-cache.ts';

const folderOfFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/part${i % 40}/file${i}.md`, `# Page ${i}\n`]));

/** Whether the full index of so many files keeps what the first question derives from their paths. */
async function keepsPaths(count: number): Promise<boolean> {
  const space = workspace(folderOfFiles(count));
  try {
    const { project } = await space.engine.index(space.root);
    const opened = await space.openTree();
    // The same tree as another process has it.
    const view: TreeView = { ...opened.view, files: opened.view.files, info: opened.view.info };
    loadPathStats(project.storeFolder, view);
    return hasPathStats(view);
  } finally {
    await space.close();
  }
}

test('the full index of a large tree caches the path statistics for the first question', async () => {
  assert.equal(await keepsPaths(4_000), true);
  assert.equal(await keepsPaths(40), false, 'quickly derived');
});
