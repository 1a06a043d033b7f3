/** Targets of imports that depend on the manifests and layouts of each ecosystem. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolverOf } from './tree.fixture.ts';

test('TypeScript: paths of a configuration, also through what it extends and refers to', () => {
  const find = resolverOf({
    'tsconfig.base.json':
      '{ // shared\n' +
      '  "compilerOptions": { "baseUrl": ".", "paths": { "@ui/*": ["libs/ui/src/*"], "config": ["config/main"] ' +
      '}, }\n}',
    'app/tsconfig.json': '{ "extends": "../tsconfig.base.json" }',
    'app/src/main.ts': '',
    'libs/ui/src/button.tsx': '',
    'config/main.ts': '',
    'web/tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
    'web/tsconfig.app.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
    'web/src/a.ts': '',
    'web/src/b/index.ts': '',
  });
  assert.deepEqual(find('app/src/main.ts', '@ui/button'), ['libs/ui/src/button.tsx']);
  assert.deepEqual(find('app/src/main.ts', 'config'), ['config/main.ts']);
  assert.deepEqual(find('app/src/main.ts', 'libs/ui/src/button'), ['libs/ui/src/button.tsx']);
  assert.deepEqual(find('web/src/a.ts', '~/b'), ['web/src/b/index.ts']);
  assert.deepEqual(find('web/src/a.ts', '@ui/button'), []);
});

test('JavaScript: packages of the workspace, their exports, private imports, what is built from a source', () => {
  const find = resolverOf({
    'packages/core/package.json':
      '{ "name": "@acme/core", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.mjs" }, ' +
      '"./util/*": "./dist/util/*.js", "./hidden": null }, "imports": { "#log": "./src/log.ts" } }',
    'packages/core/src/index.ts': '',
    'packages/core/src/util/text.ts': '',
    'packages/core/src/log.ts': '',
    'packages/plain/package.json': '{ "name": "plain", "main": "lib/main.js" }',
    'packages/plain/lib/main.js': '',
    'packages/plain/extra.js': '',
    'app/main.ts': '',
  });
  assert.deepEqual(find('app/main.ts', '@acme/core'), ['packages/core/src/index.ts']);
  assert.deepEqual(find('app/main.ts', '@acme/core/util/text'), ['packages/core/src/util/text.ts']);
  assert.deepEqual(find('packages/core/src/index.ts', '#log'), ['packages/core/src/log.ts']);
  assert.deepEqual(find('app/main.ts', 'plain'), ['packages/plain/lib/main.js']);
  assert.deepEqual(find('app/main.ts', 'plain/extra'), ['packages/plain/extra.js']);
  assert.deepEqual(find('app/main.ts', 'react'), []);
});

test('Python: a src folder, packages without __init__, modules beside a script, the standard library', () => {
  const find = resolverOf({
    'src/shop/__init__.py': '',
    'src/shop/cart.py': '',
    'src/shop/types.py': '',
    'src/plugins/tax/rates.py': '',
    'tests/test_cart.py': '',
    'tests/helpers.py': '',
    'libs/other/pyproject.toml': '',
    'libs/other/other/__init__.py': '',
    'libs/other/other/api.py': '',
  });
  assert.deepEqual(find('tests/test_cart.py', 'shop.cart', 'Cart'), ['src/shop/cart.py']);
  assert.deepEqual(find('tests/test_cart.py', 'shop', 'cart'), ['src/shop/cart.py']);
  assert.deepEqual(find('tests/test_cart.py', 'plugins.tax', 'rates'), ['src/plugins/tax/rates.py']);
  assert.deepEqual(find('tests/test_cart.py', 'helpers', 'make'), ['tests/helpers.py']);
  assert.deepEqual(find('tests/test_cart.py', 'other.api', 'call'), ['libs/other/other/api.py']);
  assert.deepEqual(find('src/shop/cart.py', 'types', 'TracebackType'), []);
  assert.deepEqual(find('src/shop/cart.py', '.types', 'Price'), ['src/shop/types.py']);
});

test('Go: modules of a workspace, vendored packages, the standard library in its own repository', () => {
  const find = resolverOf({
    'go.work': 'use (\n\t./a\n\t./b\n)\n',
    'a/go.mod': 'module example.com/a\n',
    'a/main.go': '',
    'a/vendor/github.com/x/y/y.go': '',
    'b/go.mod': 'module example.com/b\n',
    'b/pkg/pkg.go': '',
    'b/pkg/pkg_test.go': '',
  });
  assert.deepEqual(find('a/main.go', 'example.com/b/pkg'), ['b/pkg/pkg.go']);
  assert.deepEqual(find('a/main.go', 'github.com/x/y'), ['a/vendor/github.com/x/y/y.go']);
  assert.deepEqual(find('b/pkg/pkg.go', 'github.com/x/y'), []);
  const std = resolverOf({ 'src/go.mod': 'module std\n', 'src/net/http/server.go': '', 'src/fmt/print.go': '' });
  assert.deepEqual(std('src/net/http/server.go', 'fmt'), ['src/fmt/print.go']);
});

test('Rust: crates of the workspace by their names, programs that a manifest names, tests', () => {
  const find = resolverOf({
    'Cargo.toml':
      '[package]\nname = "tool"\n\n[[bin]]\nname = "tool"\npath = "crates/core/main.rs"\n\n[workspace]\n' +
      'members = ["crates/*"]\n',
    'crates/core/main.rs': '',
    'crates/core/flags/mod.rs': '',
    'crates/core/flags/parse.rs': '',
    'crates/match/Cargo.toml': '[package]\nname = "grep-match"\n',
    'crates/match/src/lib.rs': '',
    'crates/match/src/literal.rs': '',
    'crates/match/tests/all.rs': '',
    'crates/match/tests/util.rs': '',
  });
  assert.deepEqual(find('crates/core/flags/parse.rs', 'crate::flags', 'Flag'), ['crates/core/flags/mod.rs']);
  assert.deepEqual(find('crates/core/main.rs', 'grep_match', 'Matcher'), ['crates/match/src/lib.rs']);
  assert.deepEqual(find('crates/core/main.rs', 'grep_match::literal', 'Set'), ['crates/match/src/literal.rs']);
  assert.deepEqual(find('crates/match/tests/all.rs', 'crate::util', 'make'), ['crates/match/tests/util.rs']);
  assert.deepEqual(find('crates/core/main.rs', 'serde', 'Deserialize'), []);
});

test('Java, Kotlin, Scala: packages as the files declare them, wherever they lie', () => {
  const find = resolverOf({
    'main/Text.java': 'package com.acme.text;\nclass Text {}',
    'other/Lines.kt': 'package com.acme.text\nclass Lines\nfun trim() {}',
    'app/Main.java': 'package com.acme;\nclass Main {}',
    'app/Run.scala': 'package com.acme.app\nobject Run',
    'app/Jobs.scala': 'package com.acme.jobs\nclass Job',
  });
  assert.deepEqual(find('app/Main.java', 'com.acme.text.Text', 'Text'), ['main/Text.java']);
  assert.deepEqual(find('app/Main.java', 'com.acme.text', '*'), ['main/Text.java', 'other/Lines.kt']);
  assert.deepEqual(find('app/Main.java', 'com.acme.text.Text.cut', 'cut'), ['main/Text.java']);
  assert.deepEqual(find('app/Main.java', 'com.acme.text.trim', 'trim'), ['other/Lines.kt']);
  assert.deepEqual(find('app/Run.scala', 'jobs', 'Job'), ['app/Jobs.scala']);
  assert.deepEqual(find('app/Main.java', 'java.util.List', 'List'), []);
});

test('C# imports go by namespaces, PHP imports by composer and then by namespaces', () => {
  const sharp = resolverOf({
    'a/Order.cs': 'namespace Acme.Orders;\nclass Order {}',
    'b/Line.cs': 'namespace Acme.Orders;\nclass Line {}',
    'c/Main.cs': 'namespace Acme;\nclass Main {}',
  });
  assert.deepEqual(sharp('c/Main.cs', 'Acme.Orders'), ['a/Order.cs', 'b/Line.cs']);
  assert.deepEqual(sharp('c/Main.cs', 'Acme.Orders.Line', '*'), ['b/Line.cs']);
  assert.deepEqual(sharp('c/Main.cs', 'System.Text'), []);
  const php = resolverOf({
    'composer.json': '{ "autoload": { "psr-4": { "App\\\\": "src/", "App\\\\Tests\\\\": ["tests/"] } } }',
    'src/Model/User.php': '',
    'tests/UserTest.php': '',
    'legacy/old.php': 'namespace Old;\nclass Thing {}',
    'index.php': '',
  });
  assert.deepEqual(php('index.php', 'App\\Model\\User', 'User'), ['src/Model/User.php']);
  assert.deepEqual(php('index.php', 'App\\Tests\\UserTest', 'UserTest'), ['tests/UserTest.php']);
  assert.deepEqual(php('index.php', 'Old\\Thing', 'Thing'), ['legacy/old.php']);
  assert.deepEqual(php('index.php', 'Symfony\\Component\\Console', 'Console'), []);
  assert.deepEqual(php('index.php', '/legacy/old.php'), ['legacy/old.php']);
});

test('Swift targets, Elixir modules, Dart packages, Zig files, Haskell and Lua modules, shell', () => {
  const swift = resolverOf({
    'Package.swift':
      'let package = Package(name: "p", targets: [.target(name: "Core", dependencies: ["Log"]), .target(name: ' +
      '"Log", path: "Code/Log")])',
    'Sources/Core/A.swift': '',
    'Code/Log/B.swift': '',
  });
  assert.deepEqual(swift('Sources/Core/A.swift', 'Log'), ['Code/Log/B.swift']);
  assert.deepEqual(swift('Sources/Core/A.swift', 'Foundation'), []);
  const mixed = resolverOf({
    'lib/shop/cart.ex': 'defmodule Shop.Cart do\nend',
    'lib/shop.ex': 'defmodule Shop do\nend',
    'pkg/pubspec.yaml': 'name: store\n',
    'pkg/lib/src/cart.dart': '',
    'pkg/bin/run.dart': '',
    'zig/build.zig': 'const m = b.addModule("known", .{ .root_source_file = b.path("src/root.zig") });',
    'zig/src/root.zig': '',
    'zig/src/main.zig': '',
    'hs/src/Data/Job.hs': '',
    'hs/app/Main.hs': '',
    'lua/plugin/util.lua': '',
    'lua/plugin/init.lua': '',
    'bin/run.sh': '',
    'lib/log.sh': '',
  });
  assert.deepEqual(mixed('lib/shop.ex', 'Shop.Cart'), ['lib/shop/cart.ex']);
  assert.deepEqual(mixed('pkg/bin/run.dart', 'package:store/src/cart.dart'), ['pkg/lib/src/cart.dart']);
  assert.deepEqual(mixed('pkg/bin/run.dart', '../lib/src/cart.dart'), ['pkg/lib/src/cart.dart']);
  assert.deepEqual(mixed('pkg/bin/run.dart', 'dart:io'), []);
  assert.deepEqual(mixed('zig/src/main.zig', 'root.zig'), ['zig/src/root.zig']);
  assert.deepEqual(mixed('zig/src/main.zig', 'known'), ['zig/src/root.zig']);
  assert.deepEqual(mixed('hs/app/Main.hs', 'Data.Job'), ['hs/src/Data/Job.hs']);
  assert.deepEqual(mixed('hs/app/Main.hs', 'Data.Map'), []);
  assert.deepEqual(mixed('lua/plugin/init.lua', 'plugin.util'), ['lua/plugin/util.lua']);
  assert.deepEqual(mixed('lua/plugin/util.lua', 'plugin'), ['lua/plugin/init.lua']);
  assert.deepEqual(mixed('bin/run.sh', '$ROOT/lib/log.sh'), ['lib/log.sh']);
});
