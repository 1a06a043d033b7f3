/** What imports mean beyond the usual statements: CommonJS in all its forms, modules that Rust declares. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import { SymbolGraph } from '../symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'js/index.js': "module.exports = require('./lib/express');\n",
  'js/lib/express.js':
    "exports = module.exports = create;\nfunction create() {}\nexports.Route = require('./route');\n" +
    "exports.json = require('./parsers').json;\n",
  'js/lib/route.js': 'module.exports = Route;\nfunction Route() {}\nRoute.prototype.all = function all() {};\n',
  'js/lib/parsers.js': 'exports.json = function json() {};\nexports.text = function text() {};\n',
  'js/lib/lazy.js': "function load() {\n  return require('./route');\n}\n",
  'js/lib/started.js': "var parsers = require('./parsers')();\nuse(require('./route'));\n",
  'js/lib/all.js': "module.exports = {\n  parsers: require('./parsers'),\n  text: require('./parsers').text,\n};\n",
  'js/use.js':
    "var express = require('./');\nvar json = require('./lib/parsers').json;\nvar all = require('./lib/all');\n\n" +
    'express();\nexpress.json();\njson();\nnew express.Route();\nall.parsers.text();\nall.text();\n' +
    "require('./lib/parsers').text();\n",
  'js/apart.js': "require('./lib/parsers')();\n\njson();\n",
  'rust/Cargo.toml': '[package]\nname = "app"\n',
  'rust/src/lib.rs':
    'mod a;\npub(crate) mod b;\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n\nfn run() {\n    b::go();\n}\n',
  'rust/src/a.rs': 'pub fn go() {}\n',
  'rust/src/b/mod.rs': 'pub mod c;\npub fn go() {}\n',
  'rust/src/b/c.rs': 'pub fn deep() {}\n',
};

let space: Workspace;
let graph: SymbolGraph;
let reader: Awaited<ReturnType<Workspace['openTree']>>['reader'];
let view: Awaited<ReturnType<Workspace['openTree']>>['view'];
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  ({ reader, view } = await space.openTree());
  graph = new SymbolGraph(reader, view);
});
after(() => space.close());

const imports = (path: string) =>
  [...graph.files.importedBy(view.indexOfPath(path))].map((file) => view.files[file]!.path).sort();

function resolve(path: string, line: number, name: string): string {
  const file = view.indexOfPath(path);
  const reference = reader
    .detail(view.contentOf[file]!)
    .references.find((each) => each.line === line && each.name === name);
  assert.ok(reference, `${name} is referred to at ${path}:${line}`);
  const { confidence, targets } = graph.resolve({ file, reference });
  const shown = targets.map((place) => `${view.files[place.file]!.path}:${graph.symbol(place).nameLine}`);
  return targets.length === 0 ? 'nothing' : `${confidence} ${shown.join(' ')}`;
}

test('a file depends on the files that it requires, wherever the call of require is', () => {
  assert.deepEqual(imports('js/index.js'), ['js/lib/express.js']);
  assert.deepEqual(imports('js/lib/express.js'), ['js/lib/parsers.js', 'js/lib/route.js']);
  assert.deepEqual(imports('js/lib/lazy.js'), ['js/lib/route.js']);
  assert.deepEqual(imports('js/lib/started.js'), ['js/lib/parsers.js', 'js/lib/route.js']);
  assert.deepEqual(imports('js/lib/all.js'), ['js/lib/parsers.js']);
});

test('calls reach functions that a script re-exports from the files that it requires', () => {
  assert.equal(resolve('js/use.js', 5, 'express'), 'exact js/lib/express.js:2');
  assert.equal(resolve('js/use.js', 6, 'json'), 'exact js/lib/parsers.js:1');
  assert.equal(resolve('js/use.js', 7, 'json'), 'exact js/lib/parsers.js:1');
  assert.equal(resolve('js/use.js', 8, 'Route'), 'exact js/lib/route.js:2');
  assert.equal(resolve('js/use.js', 9, 'text'), 'exact js/lib/parsers.js:2');
  assert.equal(resolve('js/use.js', 10, 'text'), 'exact js/lib/parsers.js:2');
  assert.equal(resolve('js/use.js', 11, 'text'), 'exact js/lib/parsers.js:2');
});

test('a script that is required without a name brings no names in', () => {
  assert.doesNotMatch(resolve('js/apart.js', 3, 'json'), /^exact/);
});

test('a Rust file depends on the modules that it declares, not on inline modules', () => {
  assert.deepEqual(imports('rust/src/lib.rs'), ['rust/src/a.rs', 'rust/src/b/mod.rs']);
  assert.deepEqual(imports('rust/src/b/mod.rs'), ['rust/src/b/c.rs']);
  assert.equal(resolve('rust/src/lib.rs', 9, 'go'), 'exact rust/src/b/mod.rs:2');
});
