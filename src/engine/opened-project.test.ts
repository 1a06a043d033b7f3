/** A project that stays open while its store is deleted, replaced, or is another one. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { Engine } from './engine.ts';

const code = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;

function made(t: { after(done: () => Promise<void>): void }): Workspace {
  const space = workspace({ 'a.ts': code('first') });
  t.after(() => space.close());
  return space;
}

const has = async ({ root }: Workspace, engine: Engine, name: string) =>
  (await engine.locate(root, { name })).symbols.some(({ match }) => match === 'exact');

test('an index that is deleted is missed at once, and one that another process makes in its place is used', async (t) => {
  const space = made(t);
  const { engine, root } = space;
  await engine.index(root);
  const { storeFolder } = (await engine.status(root)).project;
  assert.ok(await has(space, engine, 'first'));
  rmSync(storeFolder, { recursive: true });
  await assert.rejects(has(space, engine, 'first'), { code: 'not_indexed' });
  assert.equal((await engine.status(root)).indexing, 'not_indexed');

  await engine.index(root);
  rmSync(storeFolder, { recursive: true });
  const other = space.anotherEngine();
  space.write('a.ts', code('second'));
  await other.index(root);
  assert.ok(await has(space, engine, 'second'));
  space.write('a.ts', code('third'));
  await engine.index(root);
  assert.ok(await has(space, other, 'third'), 'both write to the same file');
});

test('a folder that becomes a repository is indexed where every other process looks for it', async (t) => {
  const space = made(t);
  const { engine, root } = space;
  await engine.index(root);
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  await engine.index(root);
  const other = space.anotherEngine();
  assert.ok(await has(space, other, 'first'));
  assert.equal((await other.status(root)).ref, 'main');
});
