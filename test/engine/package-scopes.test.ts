/** Packages of a monorepo as the repositories of a workspace, answered from the monorepo's own index. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { packageFolders } from '../../src/engine/workspaces/package-folders.ts';
import { type Workspace, workspace } from '../workspace.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "mono", "workspaces": ["packages/*"] }\n',
  'packages/money/package.json': '{ "name": "@acme/money", "main": "src/index.ts" }\n',
  'packages/money/src/index.ts': 'export function formatCents(cents: number): string {\n  return String(cents);\n}\n',
  'packages/shop/package.json': '{ "name": "@acme/shop" }\n',
  'packages/shop/src/cart.ts':
    "import { formatCents } from '@acme/money';\n\nexport function total(n: number) {\n  return formatCents(n);\n}\n",
  'packages/other/package.json': '{ "name": "@acme/other" }\n',
  'packages/other/src/cents.ts': 'export function formatCents(): string {\n  return "other";\n}\n',
  'tools/release.ts': 'export function formatCentsOfRelease() {}\n',
};

let space: Workspace;
const SCOPE = 'workspace:parts';
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  await space.engine.addToWorkspace(
    'parts',
    ['money', 'shop'].map((name) => join(space.root, 'packages', name)),
  );
});
after(() => space.close());

test('a package is answered from the index of its monorepo, and nothing else of it is', async () => {
  const { hits, freshness } = await space.engine.search(SCOPE, { query: 'formatCents', limit: 20 });
  assert.equal(hits[0]?.path, 'money/src/index.ts');
  assert.ok(hits.every(({ path }) => /^(?:money|shop)\//.test(path)));
  assert.deepEqual([freshness.status, freshness.missing], ['fresh', undefined]);
  const { symbols } = await space.engine.locate(SCOPE, { name: 'formatCents', limit: 20 });
  assert.deepEqual(
    symbols.filter(({ match }) => match === 'exact').map(({ path }) => path),
    ['money/src/index.ts'],
  );
  const alone = await space.engine.search(`${SCOPE}/shop`, { query: 'formatCents', limit: 20 });
  assert.ok(alone.hits.every(({ path }) => path.startsWith('shop/')));
});

test('calls between packages are edges, files are read and matched by paths that begin with the package', async () => {
  const { summary } = await space.engine.research(SCOPE, { query: 'who calls formatCents' });
  assert.match(summary, /total calls formatCents at shop\/src\/cart\.ts:4/);
  const file = await space.engine.readFile(SCOPE, { path: 'shop/src/cart.ts', includeDependencies: true });
  assert.deepEqual([file.path, file.module], ['shop/src/cart.ts', 'shop']);
  assert.deepEqual(
    file.dependencies.map(({ path }) => path),
    ['money/src/index.ts'],
  );
  const { matches } = await space.engine.grep(SCOPE, { pattern: 'formatCents' });
  assert.deepEqual([...new Set(matches.map(({ path }) => path))], ['money/src/index.ts', 'shop/src/cart.ts']);
  assert.doesNotMatch(JSON.stringify(await space.engine.map(SCOPE)), /tools|other/);
});

test('a change in another package does not make a package stale', async () => {
  space.write('packages/other/src/cents.ts', 'export const nothing = 1;\n');
  space.write('packages/shop/src/cart.ts', 'export function total() {}\n');
  // What was seen a moment ago is not looked at again; another engine has seen nothing yet.
  const engine = space.anotherEngine();
  const own = await engine.search(SCOPE, { query: 'total' });
  assert.deepEqual([own.freshness.status, own.freshness.pending], ['stale', ['shop/src/cart.ts']]);
  const { freshness } = await engine.search(`${SCOPE}/money`, { query: 'formatCents' });
  assert.deepEqual([freshness.status, freshness.pending], ['fresh', []]);
});

test('what is recorded about a package is found in its scope, and not in another one', async () => {
  await space.engine.remember(`${SCOPE}/money`, {
    type: 'rule',
    content: 'Money is kept in integer cents because floats drift.',
    evidence: [{ path: 'money/src/index.ts', startLine: 1 }],
    origin: 'person',
  });
  const found = await space.engine.contextSearch(SCOPE, { query: 'floats drift', type: 'rule' });
  assert.deepEqual(
    found.results.map(({ evidence }) => evidence[0]?.path),
    ['money/src/index.ts'],
  );
  const other = await space.engine.contextSearch(`${SCOPE}/shop`, { query: 'floats drift', type: 'rule' });
  assert.deepEqual(other.results, []);
  const listed = await space.engine.discoveries(SCOPE, { recorded: true });
  assert.deepEqual(
    listed.map(({ module }) => module),
    ['money'],
  );
});

test('packages are folders with a manifest of their own, without those of tests and those inside of a package', () => {
  const paths = [
    'package.json',
    'packages/a/package.json',
    'packages/a/plugins/b/package.json',
    'crates/c/Cargo.toml',
    'test/fixtures/d/package.json',
    'docs/readme.md',
  ];
  assert.deepEqual(packageFolders(paths), ['crates/c', 'packages/a']);
});
