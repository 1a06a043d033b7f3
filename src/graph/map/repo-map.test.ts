/** The map of a repository: where programs begin and which files matter most. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';

test('a map lists programs by main, types before common method names, Go packages by their imports', async () => {
  const users = (file: string, line: string) =>
    Object.fromEntries(Array.from({ length: 4 }, (_, i) => [file.replace('N', `${i}`), line]));
  const project = workspace({
    'c/tool.c': '#include "tool.h"\n\nint main(void) { return run(); }\n',
    'c/server.c': '#include "tool.h"\n\nint run(void) { return 1; }\n',
    'c/tool.h': 'int run(void);\n',
    'rs/src/lib.rs': 'pub mod grid;\n',
    'rs/src/grid/mod.rs': 'pub struct Grid;\n',
    'bin/start': '#!/usr/bin/env ruby\nputs 1\n',
    'py/store.py':
      'class Store:\n    def __init__(self):\n        pass\n\n    def get(self, key):\n        return key\n\n' +
      '    def pop(self):\n        pass\n\n    def put(self):\n        pass\n\n    def update(self):\n' +
      '        pass\n\n    def items(self):\n        pass\n\n    def keys(self):\n        pass\n\n' +
      '    def clear(self):\n        pass\n',
    ...users(
      'py/userN.py',
      'from store import Store\n\n\ndef use(box):\n    box.get(1)\n    box.pop()\n    box.put()\n' +
        '    box.update()\n    box.items()\n    box.keys()\n    box.clear()\n    return Store()\n',
    ),
    'go/go.mod': 'module shop\n',
    'go/crash/loader.go': 'package crash\n\ntype loader struct{}\n\nfunc (l *loader) Unlock() {}\n',
    'go/cart/cart.go': 'package cart\n\ntype Cart struct{}\n',
    ...users(
      'go/pN/p.go',
      'package p\n\nimport (\n\t"shop/cart"\n\t"sync"\n)\n\nfunc use(mu *sync.Mutex, c cart.Cart) {\n' +
        '\tmu.Unlock()\n}\n',
    ),
  });
  try {
    await project.engine.index(project.root);
    const map = await project.engine.map(project.root, {});
    const [, entries, central] = map.split(/## (?:Entry points|Central files)\n/);
    assert.deepEqual(entries!.trim().split('\n').sort(), ['- bin/start', '- c/tool.c', '- rs/src/lib.rs']);
    assert.match(central!, /- py\/store\.py\n {2}- 1: class Store\n/);
    assert.ok(central!.indexOf('go/cart/cart.go') < central!.indexOf('go/crash/loader.go'), central);
  } finally {
    await project.close();
  }
});

test('entry points are what manifests declare, and files that run', async () => {
  const project = workspace({
    'pyproject.toml':
      '[project]\nname = "shop"\n\n[project.scripts]\nshop-admin = "shop.core.management:run_command"\n\n' +
      '[project.urls]\nHomepage = "https://example.org"\n',
    'shop/core/management/__init__.py':
      'def find():\n    return load()\n\n\ndef load():\n    return 1\n\n\ndef run_command():\n    return find()\n',
    'shop/views/main.py': 'class ChangeList:\n    pass\n',
    'shop/cli.py': 'def main():\n    pass\n\n\nif __name__ == "__main__":\n    main()\n',
    'package.json': '{ "bin": { "shop": "./tools/shop.js" } }',
    'index.js': "module.exports = require('./lib/shop');\n",
    'lib/shop.js': 'exports.sell = function () {};\n',
    'tools/shop.js': "require('../lib/shop').sell();\n",
    'packages/part/package.json': '{ "main": "part.js" }',
    'packages/part/part.js': 'exports.part = 1;\n',
  });
  try {
    await project.engine.index(project.root);
    const map = await project.engine.map(project.root, {});
    const [, entries] = map.split(/## (?:Entry points|Central files)\n/);
    assert.deepEqual(entries!.trim().split('\n').sort(), [
      '- index.js',
      '- shop/cli.py',
      '- shop/core/management/__init__.py',
      '- tools/shop.js',
    ]);
    const { summary } = await project.engine.research(project.root, { query: 'architecture overview' });
    assert.match(summary, /- shop\/core\/management\/__init__\.py:9\n/, 'the declared function');
    assert.match(summary, /run_command \(shop\/core\/management\/__init__\.py:9\) calls .*find/);
  } finally {
    await project.close();
  }
});

test('a map leaves out the dependencies in deps/ and a main that is only built for a test', async () => {
  const project = workspace({
    'src/server.c': '#include "hash.h"\n\nint main(void) { return hash(); }\n',
    'src/hash.h': 'int hash(void);\n',
    'src/hash.c':
      '#include "hash.h"\n\nint hash(void) { return 1; }\n\n#ifdef HASH_TEST\nint main(void) { return hash(); }\n' +
      '#endif\n',
    'deps/lua/lua.h': 'int lua_open(void);\n',
    'deps/lua/lua.c': '#include "lua.h"\n\nint lua_open(void) { return 1; }\n\nint main(void) { return lua_open(); }\n',
  });
  try {
    await project.engine.index(project.root);
    const map = await project.engine.map(project.root, {});
    assert.match(map, /## Entry points\n\n- src\/server\.c\n\n/);
    assert.doesNotMatch(map, /deps/);
    const { summary } = await project.engine.research(project.root, { query: 'architecture overview' });
    assert.doesNotMatch(summary, /deps|hash\.c:5/);
  } finally {
    await project.close();
  }
});
