import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deriveModules, liesInModule, matchesModule } from './find-modules.ts';

type Tree = Readonly<Record<string, string>>;
const modulesOf = (tree: Tree, projectName?: string) =>
  deriveModules(Object.keys(tree), (path) => tree[path] ?? null, projectName);
/** Several files per folder, so that each folder is large enough to be a module. */
const files = (...folders: string[]): Tree =>
  Object.fromEntries(folders.flatMap((folder) => ['a.ts', 'b.ts'].map((name) => [`${folder}/${name}`, ''])));

test('a repository of one package is divided by the folders below its source root and layers', async () => {
  const modules = await modulesOf({
    'package.json': '{"name":"@acme/shop"}',
    'src/index.ts': '',
    ...files('src/server/auth', 'src/server/orders', 'src/billing', 'src/billing/invoices', 'docs'),
    'tests/auth/login.test.ts': '',
    'tests/billing.test.ts': '',
    'tests/setup.ts': '',
  });
  assert.equal(modules.moduleOf('src/server/auth/AuthService.ts'), 'auth');
  assert.equal(modules.moduleOf('src/billing/invoices/new.ts'), 'billing');
  assert.equal(modules.moduleOf('src/index.ts'), 'shop');
  assert.equal(modules.moduleOf('tests/auth/login.test.ts'), 'auth');
  assert.equal(modules.moduleOf('tests/billing.test.ts'), 'billing');
  assert.equal(modules.moduleOf('tests/setup.ts'), 'shop');
  assert.deepEqual(modules.names, ['auth', 'billing', 'docs', 'orders', 'shop']);
});

test('each package of a workspace is a module, and files beside the packages are named for their folder', async () => {
  const cases: readonly Tree[] = [
    {
      'package.json': '{"name":"root","workspaces":["packages/*"]}',
      'packages/a/package.json': '{"name":"@acme/one"}',
      'packages/b/package.json': '{"name":"two"}',
    },
    {
      'Cargo.toml': '[workspace]',
      'packages/a/Cargo.toml': '[package]\nname = "one"',
      'packages/b/Cargo.toml': '[package]\nname="two"',
    },
    { 'go.work': 'go 1.22', 'packages/a/go.mod': 'module acme.org/one/v3', 'packages/b/go.mod': 'module acme.org/two' },
    {
      'pom.xml': '<packaging>pom</packaging>',
      'packages/a/pom.xml': '<artifactId>one</artifactId>',
      'packages/b/pom.xml': '<artifactId>two</artifactId>',
    },
    { 'packages/a/one.gemspec': '', 'packages/b/two.gemspec': '' },
    { 'mix.exs': 'apps_path: "apps"', 'packages/a/mix.exs': 'app: :one', 'packages/b/mix.exs': 'app: :two' },
    { 'all.sln': '', 'packages/a/one.csproj': '<Project/>', 'packages/b/two.csproj': '<Project/>' },
  ];
  for (const tree of cases) {
    const modules = await modulesOf(
      { ...tree, ...files('packages/a/src', 'packages/b/src/deep', 'tools/release') },
      'project',
    );
    const label = Object.keys(tree).join(' ');
    assert.equal(modules.moduleOf('packages/a/src/a.ts'), 'one', label);
    assert.equal(modules.moduleOf('packages/b/src/deep/a.ts'), 'two', label);
    assert.equal(modules.moduleOf('tools/release/a.ts'), 'tools', label);
  }
});

test('a package much larger than the others is divided, and its name begins those of its modules', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 90 }, (_, i) => [`core/src/${['io', 'net', 'time'][i % 3]}/f${i}.rs`, '']),
  );
  const modules = await modulesOf({
    'core/Cargo.toml': '[package]\nname = "core"',
    'util/Cargo.toml': '[package]\nname = "util"',
    'core/src/lib.rs': '',
    ...files('util/src'),
    ...many,
  });
  assert.equal(modules.moduleOf('core/src/io/f0.rs'), 'core/io');
  assert.equal(modules.moduleOf('core/src/lib.rs'), 'core');
  assert.equal(modules.moduleOf('util/src/a.ts'), 'util');
});

test('modules are named without domain folders and the project’s own name; equal names are qualified', async () => {
  const modules = await modulesOf({
    'pom.xml': '<artifactId>shop</artifactId>',
    'src/main/java/module-info.java': '',
    ...files(
      'src/main/java/com/acme/shop/cart',
      'src/main/java/com/acme/shop/catalog',
      'src/test/java/com/acme/shop/cart',
    ),
    'src/test/fixtures/app/package.json': '{"name":"fixture"}',
  });
  assert.equal(modules.moduleOf('src/main/java/com/acme/shop/cart/Cart.java'), 'cart');
  assert.equal(modules.moduleOf('src/test/java/com/acme/shop/cart/CartTest.java'), 'cart');
  assert.ok(!modules.names.includes('fixture'));
  const twins = await modulesOf(files('server/auth', 'client/auth', 'server/db', 'client/view'), 'p');
  assert.equal(twins.moduleOf('server/auth/a.ts'), 'server/auth');
  assert.equal(twins.moduleOf('client/auth/a.ts'), 'client/auth');
  assert.equal(twins.moduleOf('server/db/a.ts'), 'db');
});

test('a module is matched by its name in any case, with a scope, or by its path', () => {
  assert.ok(matchesModule('auth', 'Auth') && matchesModule('server/auth', 'auth') && matchesModule('core/io', 'core'));
  assert.ok(matchesModule('auth', '@acme/auth'));
  assert.ok(!matchesModule('author', 'auth') && !matchesModule('auth', '') && !matchesModule('oauth', 'auth'));
  assert.ok(liesInModule('src/server/auth/a.ts', 'server/auth') && liesInModule('src/a.ts', './SRC/'));
  assert.ok(
    !liesInModule('src/auth.ts', 'auth.ts') && !liesInModule('src/oauth/a.ts', 'auth') && !liesInModule('a', ''),
  );
});

test('every path has a module, and every module has a path', async () => {
  const segment = fc.constantFrom(
    'src',
    'lib',
    'test',
    'core',
    'a',
    'b',
    'server',
    'package.json',
    'go.mod',
    'x.ts',
    '__proto__',
  );
  const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path, { maxLength: 30 }), async (paths) => {
      const modules = await deriveModules(paths, () => '{"name":"n"}', 'p');
      assert.deepEqual(new Set(modules.names), new Set(paths.map(modules.moduleOf)));
      assert.equal(typeof modules.moduleOf('some/new/file.ts'), 'string');
    }),
  );
});
