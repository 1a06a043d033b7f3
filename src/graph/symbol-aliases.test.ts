/** What is found from a call is found from what it calls, under whatever name files know it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { ReferenceKind } from '../model/records/symbol.ts';
import { SymbolGraph } from './symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'web/index.js': "'use strict'\nmodule.exports = require('./lib/web');\n",
  'web/lib/web.js':
    'exports = module.exports = createApp;\nfunction createApp() {}\nexports.Router = require("./route");\n' +
    'createApp.json = function json() {};\n',
  'web/lib/route.js': 'module.exports = Route;\nfunction Route() {}\n',
  'web/f.js': 'module.exports = function make() {\n  return { go() {} };\n};\n',
  'web/x.js': 'exports.y = function y() {};\n',
  'web/bare.js': 'module.exports = function () {};\n',
  'web/unit.js': 'module.exports = class Unit {};\n',
  'web/g.js': "exports.g = require('./f');\n",
  'web/test/use.js':
    "var app = require('../');\nvar { y } = require('../x');\nvar start = require('../f');\n" +
    "var { g } = require('../g');\nvar made = require('../f')();\nvar run = require('../bare');\n" +
    "var Part = require('../unit');\n\napp();\nnew app.Router();\ny();\nstart();\ng();\nrun();\nnew Part();\n",
  'ts/base.ts': 'export function draw() {}\nexport default function Frame() {}\n',
  'ts/index.ts': "export { draw as paint } from './base';\nexport { default as Window } from './base';\n",
  'ts/use.ts': "import { paint, Window } from '.';\n\npaint();\nWindow();\n",
  'ts/style.module.css': '.a { color: red }\n',
  'ts/styled.ts': "import './style.module.css';\n",
  'py/pkg/__init__.py': 'from .core import build as make\n',
  'py/pkg/core.py': 'def build():\n    pass\n',
  'py/use.py': 'from pkg import make\n\nmake()\n',
  'rs/Cargo.toml': '[package]\nname = "tool"\n',
  'rs/src/lib.rs': 'pub mod man;\npub use man::generate as man_page;\n',
  'rs/src/man.rs':
    'pub fn generate() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    fn t() {\n' +
    '        generate();\n    }\n}\n',
  'rs/src/main.rs': 'use tool::man_page;\n\nfn main() {\n    man_page();\n}\n',
};

const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
let space: Workspace;
let graph: SymbolGraph;
let view: Awaited<ReturnType<Workspace['openTree']>>['view'];
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  const opened = await space.openTree();
  view = opened.view;
  graph = new SymbolGraph(opened.reader, view);
});
after(() => space.close());

const pathOf = (file: number) => view.files[file]!.path;
const callersOf = (path: string, line: number, name = '') => {
  const [place] = view.files.flatMap((each, file) =>
    each.path === path
      ? Array.from({ length: view.symbolCountOf[file]! }, (_, ordinal) => ({ file, ordinal })).filter(
          (at) => graph.symbol(at).nameLine === line && (name === '' || graph.symbol(at).name === name),
        )
      : [],
  );
  assert.ok(place, `something is defined at ${path}:${line}`);
  return graph.references(place, CALLS).map(({ site }) => `${pathOf(site.file)}:${site.reference.line}`);
};

test('a call through a required variable reaches the default export of the file', () => {
  assert.deepEqual(callersOf('web/lib/web.js', 2), ['web/test/use.js:9']);
  assert.deepEqual(callersOf('web/lib/route.js', 2), ['web/test/use.js:10']);
  assert.deepEqual(callersOf('web/x.js', 1), ['web/test/use.js:11']);
  assert.deepEqual(callersOf('web/f.js', 1, 'make'), ['web/test/use.js:5', 'web/test/use.js:12', 'web/test/use.js:13']);
});

test('an anonymous function or class assigned to module.exports has callers', () => {
  assert.deepEqual(callersOf('web/bare.js', 1), ['web/test/use.js:14']);
  assert.deepEqual(callersOf('web/unit.js', 1, 'Unit'), ['web/test/use.js:15']);
});

test('re-exports under another name lead to the definition, in each language', () => {
  assert.deepEqual(callersOf('ts/base.ts', 1), ['ts/use.ts:3']);
  assert.deepEqual(callersOf('ts/base.ts', 2), ['ts/use.ts:4']);
  assert.deepEqual(callersOf('py/pkg/core.py', 1), ['py/use.py:3']);
  assert.deepEqual(callersOf('rs/src/man.rs', 1), ['rs/src/main.rs:4', 'rs/src/man.rs:7']);
});

test('the dependants of a file are exactly the files that import it', () => {
  for (const file of view.files.keys())
    for (const other of graph.files.importedBy(file))
      if (other !== file)
        assert.ok(
          graph.files.dependants(other).includes(file),
          `${pathOf(file)} is a dependant of ${pathOf(other)}, which it imports`,
        );
  const dependants = (path: string) => graph.files.dependants(view.indexOfPath(path)).map(pathOf);
  assert.deepEqual(dependants('web/index.js'), ['web/test/use.js']);
  assert.deepEqual(dependants('ts/style.module.css'), ['ts/styled.ts']);
  assert.deepEqual(dependants('rs/src/lib.rs'), ['rs/src/main.rs'], '`super` in an inner module is the file itself');
});
