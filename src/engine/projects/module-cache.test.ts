/**
 * Modules kept between processes: the same names as derived ones, made anew when a manifest or the paths change, done
 * without when broken.
 */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'packages/till/package.json': '{"name": "@shop/till"}\n',
    'packages/till/src/pay.ts': 'export function payBill() {\n  return 1;\n}\n',
    'packages/stock/package.json': '{"name": "@shop/stock"}\n',
    'packages/stock/src/count.ts': 'export function countCrates() {\n  return 2;\n}\n',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

const moduleOf = async (query: string) =>
  (await space.anotherEngine().search(space.root, { query, limit: 1 })).hits[0]?.module;
const keptFile = async () => {
  const { storeFolder } = await space.engine.project(space.root);
  return join(storeFolder, 'modules', readdirSync(join(storeFolder, 'modules'))[0]!);
};

test('another process reads the cached modules', async () => {
  assert.equal(await moduleOf('payBill'), 'till');
  assert.equal(await moduleOf('countCrates'), 'stock');
});

test('a changed manifest renames the module', async () => {
  space.write('packages/till/package.json', '{"name": "@shop/desk"}\n');
  await space.engine.index(space.root);
  assert.equal(await moduleOf('payBill'), 'desk');
});

test('a damaged module cache is derived again', async () => {
  writeFileSync(await keptFile(), '{"key": 1');
  assert.equal(await moduleOf('countCrates'), 'stock');
});
