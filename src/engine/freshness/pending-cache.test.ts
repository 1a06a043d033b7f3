/**
 * A folder that was found fresh is found so again without a look at every file; whatever changes in it, or in how it is
 * looked at, shows.
 */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { INDEX_DEFAULTS } from '../index.ts';

let space: Workspace;
const FIRST = 'export function payBill() {\n  return 1;\n}\n';
before(async () => {
  space = workspace({ 'src/pay.ts': FIRST, 'src/count.ts': 'export const crates = 2;\n' });
  space.git('init', '-q');
  space.git('add', '.');
  space.git('commit', '-qm', 'first');
  await space.engine.index(space.root);
});
after(() => space.close());

const pending = async (change = {}) =>
  (await space.anotherEngine(change).search(space.root, { query: 'payBill' })).freshness.pending;
const kept = async () => {
  const folder = join((await space.engine.project(space.root)).storeFolder, 'looks');
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
};

test("the pending cache answers while the folder's fingerprint stays the same", async () => {
  assert.deepEqual(await kept(), []);
  assert.deepEqual(await pending(), []);
  const first = await kept();
  assert.equal(first.length, 1);
  assert.deepEqual(await pending(), []);
  assert.deepEqual(await kept(), first);
});

test('the pending cache notices a tracked file of the same size and time, and its restoration', async () => {
  const time = new Date(Date.now() - 60_000);
  space.write('src/pay.ts', FIRST.replace('1', '7'));
  utimesSync(join(space.root, 'src/pay.ts'), time, time);
  assert.deepEqual(await pending(), ['src/pay.ts']);
  space.write('src/pay.ts', FIRST);
  assert.deepEqual(await pending(), []);
});

test('the pending cache notices untracked files, however often they change', async () => {
  space.write('src/new.ts', 'export const one = 1;\n');
  assert.deepEqual(await pending(), ['src/new.ts']);
  await space.engine.index(space.root);
  assert.deepEqual(await pending(), []);
  space.write('src/new.ts', 'export const two = 2;\n');
  assert.deepEqual(await pending(), ['src/new.ts']);
  space.remove('src/new.ts');
  assert.deepEqual(await pending(), ['src/new.ts']);
  await space.engine.index(space.root);
  assert.deepEqual(await pending(), []);
});

test("a changed file with git's assume-unchanged flag is pending", async () => {
  space.git('update-index', '--assume-unchanged', 'src/count.ts');
  assert.deepEqual(await pending(), []);
  space.write('src/count.ts', 'export const crates = 3;\n');
  assert.deepEqual(await pending(), ['src/count.ts']);
  space.write('src/count.ts', 'export const crates = 2;\n');
  space.git('update-index', '--no-assume-unchanged', 'src/count.ts');
  assert.deepEqual(await pending(), []);
});

test('the pending cache notices .sextantignore although git ignores it, and changed settings', async () => {
  appendFileSync(join(space.root, '.git/info/exclude'), '.sextantignore\n');
  assert.deepEqual(await pending(), []);
  assert.deepEqual(await pending({ index: { ...INDEX_DEFAULTS, exclude: ['src/pay.ts'] } }), ['src/pay.ts']);
  assert.deepEqual(await pending(), []);
  space.write('.sextantignore', 'src/count.ts\n');
  assert.deepEqual(await pending(), ['src/count.ts']);
});
