/** A project that stays open while its store is deleted, replaced, or is another one. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { Engine } from '../engine.ts';

const code = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;

function made(t: { after(done: () => Promise<void>): void }): Workspace {
  const space = workspace({ 'a.ts': code('first') });
  t.after(() => space.close());
  return space;
}

const has = async ({ root }: Workspace, engine: Engine, name: string) =>
  (await engine.locate(root, { name })).symbols.some(({ match }) => match === 'exact');

test('a deleted index is noticed immediately, and the index that another process makes in its place is used', async (t) => {
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

test('a folder that becomes a repository, or stops being one, keeps its index and its memory', async (t) => {
  const space = made(t);
  const { engine, root } = space;
  const remember = (content: string) => engine.remember(root, { type: 'rule', content });
  const recalled = async (by: Engine) => (await by.discoveries(root, {})).map(({ content }) => content).sort();
  await engine.index(root);
  await remember('Prices are kept in cents');
  for (const ref of ['main', 'live']) {
    if (ref === 'live') space.remove('.git');
    else {
      space.git('init', '-q', '-b', 'main');
      space.git('add', '.');
      space.git('commit', '-qm', 'one');
    }
    assert.equal((await engine.index(root)).filesIndexed, 0);
    await remember(`On ${ref} nothing is rounded`);
    const other = space.anotherEngine();
    assert.equal((await other.status(root)).ref, ref);
    assert.ok(await has(space, other, 'first'));
    assert.deepEqual(await recalled(other), await recalled(engine));
    assert.ok((await recalled(other)).includes('Prices are kept in cents'));
    assert.ok((await recalled(other)).includes(`On ${ref} nothing is rounded`));
    assert.equal(readdirSync(join(space.home, 'projects')).length, 1);
  }
});

test('an older copy in place of an index is not fresh', async (t) => {
  const space = made(t);
  const { engine, root } = space;
  await engine.index(root);
  const { storeFolder } = (await engine.status(root)).project;
  cpSync(storeFolder, `${storeFolder}-copy`, { recursive: true });
  const stop = await engine.watch(root);
  t.after(stop);
  const ask = async () => (await engine.search(root, { query: 'second' })).freshness.status;
  space.write('a.ts', code('second'));
  await until(async () => (await has(space, engine, 'second')) && (await ask()) === 'fresh');

  rmSync(storeFolder, { recursive: true });
  renameSync(`${storeFolder}-copy`, storeFolder);
  assert.equal(await has(space, engine, 'second'), false);
  assert.notEqual(await ask(), 'fresh');
  await until(async () => (await has(space, engine, 'second')) && (await ask()) === 'fresh');
});

test('status() reports damage to the open store file', async (t) => {
  const space = made(t);
  const { engine, root } = space;
  await engine.index(root);
  const { storeFolder } = (await engine.status(root)).project;
  const file = join(storeFolder, 'index.sqlite');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xab, 8192));
  const { schema, indexing, freshness } = await engine.status(root);
  assert.deepEqual([schema, indexing, freshness], ['corrupt_manifest', 'not_indexed', 'stale']);
});

async function until(fits: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 30_000; performance.now() < end; await sleep(20)) if (await fits()) return;
  assert.fail('it did not come to it');
}
