/** Indexes of branches and other refs, beside that of the work tree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import type { Engine } from '../engine.ts';
import { INDEX_DEFAULTS } from '../index.ts';
import { made, names, onTwoBranches } from './indexing.fixture.ts';

test('a moved or deleted ref is stale, whatever its kind', async (t) => {
  const space = workspace({ 'a.ts': 'export function first() {}\n' });
  t.after(() => space.close());
  const { root, git, engine } = space;
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  space.write('a.ts', 'export function second() {}\n');
  git('commit', '-qam', 'two');
  git('tag', 'v1', 'HEAD~1');
  // Git takes a name that both have for the tag.
  git('branch', 'both', 'HEAD');
  git('tag', 'both', 'HEAD~1');
  const refs = ['v1', 'both', 'HEAD~1'];
  for (const ref of refs) await engine.index(root, { ref });
  const states = async (asked: Engine) =>
    Promise.all(refs.map(async (ref) => (await asked.search(root, { query: 'first', ref })).freshness.status));
  assert.deepEqual(await states(engine), ['fresh', 'fresh', 'fresh']);
  git('tag', '-f', 'v1', 'HEAD');
  git('tag', '-d', 'both');
  git('branch', '-D', 'both');
  space.write('a.ts', 'export function third() {}\n');
  git('commit', '-qam', 'three');
  assert.deepEqual(await states(space.anotherEngine()), ['stale', 'stale', 'stale']);
});

test('a branch is indexed from git objects, beside the work tree', async () => {
  const space = made();
  const { engine, root } = space;
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  space.git('checkout', '-q', '-b', 'topic');
  space.write('src/topic.ts', 'export function onlyOnTopic() {\n  return 1;\n}\n');
  space.git('add', '.');
  space.git('commit', '-qm', 'two');
  space.git('checkout', '-q', 'main');
  const live = await engine.index(root);
  assert.equal(live.ref, 'main');
  await assert.rejects(engine.search(root, { query: 'x', ref: 'topic' }), { code: 'not_indexed' });
  const topic = await engine.index(root, { ref: 'topic' });
  assert.equal(topic.ref, 'topic');
  assert.equal(topic.filesIndexed, 1, 'what both share is derived once');
  assert.deepEqual(await names(space, 'onlyOnTopic'), []);
  assert.deepEqual(await names(space, 'onlyOnTopic', 'topic'), ['src/topic.ts']);
  const found = await engine.search(root, { query: 'onlyOnTopic', ref: 'topic' });
  assert.equal(found.hits[0]?.path, 'src/topic.ts');
  assert.equal(found.freshness.ref, 'topic');
  assert.equal((await engine.search(root, { query: 'alphaOriginal', ref: 'main' })).hits[0]?.path, 'src/alpha.ts');
  const unknown = { ref: 'no-such-branch' };
  for (const asked of [
    () => engine.index(root, unknown),
    () => engine.search(root, { query: 'x', ...unknown }),
    () => engine.locate(root, { name: 'x', ...unknown }),
    () => engine.research(root, { query: 'what calls x', ...unknown }),
    () => engine.status(root, unknown.ref),
  ])
    await assert.rejects(asked, { code: 'ref_not_found' });
  const { refs } = await engine.status(root);
  assert.deepEqual(refs.map(({ ref }) => ref).sort(), ['main', 'topic']);
});

test("a branch is filtered by its own ignore rules and the current settings, not by the folder's rules", async () => {
  const space = made();
  const { root } = space;
  space.git('init', '-q', '-b', 'main');
  space.git('add', '.');
  space.git('commit', '-qm', 'one');
  space.git('branch', 'same');
  space.git('checkout', '-q', '-b', 'ignoring');
  space.write('.sextantignore', 'src/beta.ts\n');
  space.git('add', '.');
  space.git('commit', '-qm', 'two');
  space.git('checkout', '-q', 'main');
  await space.engine.index(root);
  await space.engine.index(root, { ref: 'ignoring' });
  assert.deepEqual(await names(space, 'betaThing', 'ignoring'), []);
  assert.deepEqual(await names(space, 'alphaOriginal', 'ignoring'), ['src/alpha.ts']);
  const index = { ...INDEX_DEFAULTS, exclude: ['src/beta.ts'] };
  await space.anotherEngine({ index }).index(root, { ref: 'same' });
  assert.deepEqual(await names(space, 'betaThing', 'same'), []);
  assert.deepEqual(await names(space, 'betaThing'), ['src/beta.ts']);
});

test('a branch indexed by name is followed while it is checked out, then kept at its last commit', async () => {
  const { root, git, write, anotherEngine, ask } = onTwoBranches();
  await anotherEngine().index(root);
  await anotherEngine().index(root, { ref: 'topic' });
  git('checkout', '-q', 'topic');
  write('src/topic.ts', 'export const editedOnTopic = 1;\n');
  git('add', '.');
  git('commit', '-qm', 'two');
  write('src/later.ts', 'export const notCommitted = 1;\n');
  assert.deepEqual(await ask('alphaOriginal', 'topic'), { found: true, ref: 'topic', status: 'stale' });
  await anotherEngine().index(root, { ref: 'topic' });
  assert.deepEqual(await ask('editedOnTopic', 'topic'), { found: true, ref: 'topic', status: 'fresh' });
  assert.deepEqual(await ask('notCommitted', 'topic'), { found: true, ref: 'topic', status: 'fresh' });
  git('checkout', '-q', 'main');
  await anotherEngine().index(root);
  assert.deepEqual(await ask('editedOnTopic', 'main'), { found: false, ref: 'main', status: 'fresh' });
  assert.deepEqual(await ask('editedOnTopic', 'topic'), { found: true, ref: 'topic', status: 'fresh' });
  assert.deepEqual(await ask('notCommitted', 'topic'), { found: false, ref: 'topic', status: 'fresh' });
});

test('a branch requested by name stays indexed after its checkout, without uncommitted changes', async () => {
  const { root, git, write, anotherEngine, ask } = onTwoBranches();
  write('src/alpha.ts', 'export const notCommitted = 1;\n');
  const report = await anotherEngine().index(root, { ref: 'main', force: true });
  assert.deepEqual([report.ref, report.filesIndexed], ['main', 2]);
  const status = await anotherEngine().status(root);
  assert.deepEqual([status.recentJobs.length, status.refs.map(({ ref }) => ref)], [1, ['main']]);
  assert.deepEqual(await ask('notCommitted', 'main'), { found: true, ref: 'main', status: 'fresh' });
  git('stash', '-q');
  git('checkout', '-q', 'topic');
  for (const stage of ['before the next run', 'after it']) {
    assert.deepEqual(await ask('alphaOriginal', 'main'), { found: true, ref: 'main', status: 'fresh' }, stage);
    assert.deepEqual(await ask('notCommitted', 'main'), { found: false, ref: 'main', status: 'fresh' }, stage);
    await anotherEngine().index(root);
  }
  const refs = async () => (await anotherEngine().status(root)).refs.map(({ ref }) => ref).sort();
  assert.deepEqual(await refs(), ['main', 'topic']);
  git('checkout', '-q', 'main');
  await anotherEngine().index(root);
  assert.deepEqual(await refs(), ['main']);
  await anotherEngine().dropRef(root, 'main');
  assert.deepEqual(await refs(), []);
});

test('the live tree answers for its branch until the next run', async () => {
  const { root, git, anotherEngine, ask } = onTwoBranches();
  await anotherEngine().index(root);
  git('checkout', '-q', 'topic');
  assert.equal((await ask('alphaOriginal', 'main')).ref, 'main');
  await anotherEngine().index(root);
  await assert.rejects(ask('alphaOriginal', 'main'), { code: 'not_indexed' });
});
