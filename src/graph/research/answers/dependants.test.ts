/** Who uses a package: by the name that importers write. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../../test/workspace.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'src/a.ts': "import { get } from 'lodash/fp';\nimport x from '@shop/api';\nexport const a = get(x);\n",
    'src/b.go': 'package b\n\nimport "github.com/go-chi/chi"\n\nfunc B() { chi.New() }\n',
    'src/c.py': "import requests\n\ndef c():\n    return requests.get('x')\n",
    'packages/ui/package.json': '{ "name": "@shop/ui", "main": "main.ts" }\n',
    'packages/ui/main.ts': 'export const button = 1;\n',
    'src/d.ts': "import { button } from '@shop/ui';\nexport const d = button;\n",
    'src/a.test.ts': "import { a } from './a';\nimport './e';\na();\n",
    'lib/shop/text/words.py': 'def words():\n    return 1\n',
    'lib/use.py': 'from lib.shop.text.words import words\n\nwords()\n',
    'src/e.ts': "import { a } from './a';\nexport const e = a;\n",
  });
  await space.engine.index(space.root);
});
after(() => space.close());

const ask = async (query: string) => (await space.engine.research(space.root, { query })).summary;

test('importers of an external package are listed', async () => {
  for (const [query, place] of [
    ['what depends on lodash', 'src/a.ts:1 imports lodash'],
    ['who uses @shop/api', 'src/a.ts:2 imports @shop/api'],
    ['which files import requests', 'src/c.py:1 imports requests'],
    ['what uses github.com/go-chi/chi', 'src/b.go:3 imports github.com/go-chi/chi'],
  ] as const)
    assert.match(await ask(query), new RegExp(`^1 file imports .*not in the index:\n- ${place}$`), query);
  assert.match(await ask('what depends on lodas'), /^No file, module or imported package lodas is in the index\./);
});

test('a package of the index is found by the name that importers write', async () => {
  assert.match(
    await ask('what depends on @shop/ui'),
    /^1 file depends on @shop\/ui .*\n- src\/d\.ts:1 imports packages/,
  );
});

test('importers in the program come first, those in tests are counted in a line after them', async () => {
  assert.match(
    await ask('what depends on src/a.ts'),
    /directly:\n- src\/e\.ts:1 imports src\/a\.ts\n2 more in tests, the first: src\/a\.test\.ts:1 imports src\/a\.ts/,
  );
});

test('a module is found by its dotted name', async () => {
  for (const name of ['shop.text', 'lib.shop.text.words'])
    assert.match(await ask(`what depends on ${name}`), /\n- lib\/use\.py:1 imports lib\/shop\/text\/words\.py$/, name);
  assert.match(await ask('what depends on shop.tex'), /^No file, module or imported package/);
});
