/** What names mean in scripts: variables taken out of values, texts, objects of the platform, overload signatures. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { ReferenceKind } from '../../model/records/symbol.ts';
import { SymbolGraph, type SymbolPlace } from '../symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/start.ts':
    'export function begin(name: string): void\nexport function begin(name: number): void\n' +
    'export function begin(name: string | number): void {}\n\nexport class Store {\n  load() {}\n}\n',
  'src/Object.ts': 'export const Object = 1;\nexport class Shim {\n  defineProperty(): void {}\n}\n',
  'src/use.ts':
    "import { begin as start } from './start';\n\nstart('a');\n\nasync function lazy() {\n" +
    "  const { begin } = await import('./start');\n  begin(1);\n" +
    "  const { begin: other, Store } = await import('./start');\n  other(2);\n  new Store().load();\n}\n\n" +
    'function parts(value: unknown) {\n  const { begin } = read(value);\n  begin(3);\n}\n\n' +
    'function over(begin: () => void) {\n  begin();\n}\n',
  'src/define.ts': 'export function define(target: object) {\n  Object.defineProperty(target, 1);\n}\n',
  'src/title.test.ts':
    "import { begin } from './start';\n\nit('works when using begin', () => {\n  begin('t');\n});\n" +
    '// let begin be called\nit("once", () => {\n  const name = () => console.begin;\n  begin(name);\n});\n',
  'src/members.ts':
    'export const handlers = {\n  onDrop() {},\n};\n\nexport class Wire {\n  zap() {}\n}\n\n' +
    'export function use(value: any, list: unknown[]) {\n  value.onDrop();\n' +
    '  for (const each of new Set(list)) {\n    each.zap();\n  }\n' +
    '  console.tick = () => {\n    tick();\n  };\n}\n',
  'build/node.cjs': "const url = require('url');\n\nconst SearchParams = url.SearchParams;\nfunction escaped() {}\n",
  'pages/tools.js': 'function show() {}\n',
  'pages/page.js': 'show();\nnew SearchParams();\nescaped();\n',
  'src/blocks.ts':
    "it('one', () => {\n  function step() {}\n  step();\n});\nit('two', () => {\n  function step() {}\n});\n",
};

let space: Workspace;
let graph: SymbolGraph;
let view: Awaited<ReturnType<Workspace['openTree']>>['view'];
let reader: Awaited<ReturnType<Workspace['openTree']>>['reader'];
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  ({ reader, view } = await space.openTree());
  graph = new SymbolGraph(reader, view);
});
after(() => space.close());

const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const place = ({ file, ordinal }: SymbolPlace) =>
  `${view.files[file]!.path}:${graph.symbol({ file, ordinal }).nameLine}`;
function meaning(path: string, line: number, name: string): string {
  const file = view.indexOfPath(path);
  const reference = reader
    .detail(view.contentOf[file]!)
    .references.find((each) => each.kind === 'call' && each.line === line && each.name === name);
  assert.ok(reference, `${name} is called at ${path}:${line}`);
  const { confidence, targets, elsewhere } = graph.resolve({ file, reference });
  if (targets.length === 0) return elsewhere ? 'elsewhere' : 'unknown';
  return `${confidence} ${targets.map(place).join(' ')}`;
}
const declared = (path: string, line: number): SymbolPlace => {
  const file = view.indexOfPath(path);
  return { file, ordinal: reader.detail(view.contentOf[file]!).symbols.findIndex((each) => each.nameLine === line) };
};
const callsOf = (path: string, line: number) =>
  graph
    .references(declared(path, line), CALLS)
    .map(({ site }) => `${view.files[site.file]!.path}:${site.reference.line}`);

test('a variable destructured from an imported module means the export', () => {
  assert.equal(meaning('src/use.ts', 7, 'begin'), 'exact src/start.ts:3');
  assert.equal(meaning('src/use.ts', 9, 'other'), 'exact src/start.ts:3');
  assert.equal(meaning('src/use.ts', 10, 'load'), 'exact src/start.ts:6');
});

test('a variable destructured from an unknown value is unknown, and a parameter is another value', () => {
  assert.equal(meaning('src/use.ts', 15, 'begin'), 'unknown');
  assert.equal(meaning('src/use.ts', 19, 'begin'), 'elsewhere');
});

test('words in titles and comments declare nothing', () => {
  assert.equal(meaning('src/title.test.ts', 4, 'begin'), 'exact src/start.ts:3');
  assert.equal(meaning('src/title.test.ts', 9, 'begin'), 'exact src/start.ts:3');
});

test('a global object of the platform is not resolved to a symbol of its name elsewhere', () => {
  assert.equal(meaning('src/define.ts', 2, 'defineProperty'), 'elsewhere');
});

test('overload signatures share the calls of their function, functions of two blocks do not', () => {
  const all = ['src/title.test.ts:4', 'src/title.test.ts:9', 'src/use.ts:3', 'src/use.ts:7', 'src/use.ts:9'];
  for (const line of [1, 2, 3]) assert.deepEqual(callsOf('src/start.ts', line).sort(), all, `line ${line}`);
  assert.deepEqual(callsOf('src/blocks.ts', 2), ['src/blocks.ts:3']);
  assert.deepEqual(callsOf('src/blocks.ts', 6), []);
});

test('a call on an unknown value is ambiguous for a function of an untyped object', () => {
  assert.equal(meaning('src/members.ts', 10, 'onDrop'), 'ambiguous src/members.ts:2');
});

test('the element of a collection is unknown and not taken for a platform value', () => {
  assert.equal(meaning('src/members.ts', 12, 'zap'), 'unknown');
});

test('an assignment to a member declares no function of that name', () => {
  assert.match(meaning('src/members.ts', 15, 'tick'), /^(?:unknown|elsewhere)$/);
});

test('a script sees symbols of other scripts, and means a symbol of a module only ambiguously', () => {
  assert.equal(meaning('pages/page.js', 1, 'show'), 'likely pages/tools.js:1');
  assert.equal(meaning('pages/page.js', 2, 'SearchParams'), 'ambiguous build/node.cjs:3');
  assert.equal(meaning('pages/page.js', 3, 'escaped'), 'ambiguous build/node.cjs:4');
});
