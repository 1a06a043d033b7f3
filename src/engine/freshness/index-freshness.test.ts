/** The freshness that answers of a watched project state. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workspace } from '../../../test/workspace.ts';

test('an index is stale from the moment in which a file is written', async (t) => {
  const space = workspace({ 'a.ts': 'export function first() {}\n' });
  t.after(() => space.close());
  const { engine, root } = space;
  await engine.index(root);
  const stop = await engine.watch(root);
  t.after(stop);
  const freshness = async () => (await engine.search(root, { query: 'first' })).freshness;
  const settled = async () => {
    while ((await freshness()).status !== 'fresh') await sleep(20);
  };
  await settled();
  if ((await engine.status(root)).watching !== 'events') return t.skip('no file events here');
  if (process.platform !== 'linux') return t.skip('events of other systems come when they come');
  for (let i = 0; i < 5; i++) {
    space.write('a.ts', `export function first() { return ${i}; }\n`);
    const { status, pending } = await freshness();
    assert.deepEqual([status === 'fresh', pending], [false, ['a.ts']]);
    await settled();
  }
});

test('writing files that are never indexed makes no answer stale; a new source file does', async (t) => {
  const space = workspace({
    '.gitignore': 'target/\n*.log\n',
    'a.ts': 'export function first() {}\n',
    'target/a.o': '',
  });
  t.after(() => space.close());
  const { engine, root } = space;
  space.git('init', '-q');
  await engine.index(root);
  const stop = await engine.watch(root);
  t.after(stop);
  const freshness = async () => (await engine.search(root, { query: 'first' })).freshness;
  const until = async (fits: (found: Awaited<ReturnType<typeof freshness>>) => boolean) => {
    for (const end = performance.now() + 30_000; performance.now() < end; await sleep(20))
      if (fits(await freshness())) return;
    assert.fail(`it did not come to it: ${JSON.stringify(await freshness())}`);
  };
  await until(({ status }) => status === 'fresh');
  if ((await engine.status(root)).watching !== 'events') return t.skip('no file events here');

  const told = new Set<string>();
  for (let i = 0; i < 60; i++) {
    space.write(`target/b${i}.o`, `${i}`);
    space.write('dev.log', `${i}`);
    await sleep(25);
    const { status, pending } = await freshness();
    told.add(`${status} ${pending}`);
  }
  assert.deepEqual([...told], ['fresh ']);

  space.write('new.ts', 'export function second() {}\n');
  const pending = new Set<string>();
  await until((found) => {
    for (const path of found.pending) pending.add(path);
    return found.pending.length > 0;
  });
  await until(({ status }) => status === 'fresh');
  assert.equal((await engine.locate(root, { name: 'second' })).symbols[0]?.match, 'exact');
  assert.deepEqual([...pending], ['new.ts'], 'and nothing of the rest');
});

test('a watch with onceIndexed starts with the first index, and a call may index while the watch does', async (t) => {
  const space = workspace({ 'a.ts': 'export function first() {}\n' });
  t.after(() => space.close());
  const { engine, root } = space;
  const stop = await engine.watch(root, undefined, { onceIndexed: true });
  t.after(stop);
  assert.equal((await engine.status(root)).watching, 'off');
  await engine.index(root);
  const until = async (fits: (found: Awaited<ReturnType<typeof engine.status>>) => boolean) => {
    for (const end = performance.now() + 30_000; performance.now() < end; await sleep(5))
      if (fits(await engine.status(root))) return;
    assert.fail(JSON.stringify(await engine.status(root)));
  };
  await until(({ watching, freshness }) => watching !== 'off' && freshness === 'fresh');

  // Few enough that a loaded machine indexes them while a call waits for the watch (OWN_RUN_MS).
  for (let i = 0; i < 40; i++) space.write(`src/${i}.ts`, `export function second${i}() { return ${i}; }\n`.repeat(20));
  await until(({ indexing }) => indexing === 'indexing');
  const { filesTotal, filesFailed } = await engine.index(root);
  assert.deepEqual([filesTotal, filesFailed], [41, 0]);
  assert.equal((await engine.locate(root, { name: 'second7' })).symbols[0]?.match, 'exact');
});
