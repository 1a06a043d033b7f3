import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import type { ReferenceKind } from '../model/records/symbol.ts';
import { readQuestion } from './research/question.ts';
import { SymbolGraph, type SymbolPlace } from './symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/money.ts':
    'export function round(value: number) {\n  return value;\n}\n\nexport function tax(value: number) {\n' +
    '  return round(value * 0.2);\n}\n',
  'src/other.ts': 'export function round(text: string) {\n  return text;\n}\n',
  'src/cart.ts':
    "import { round, tax } from './money.ts';\n\nexport class Cart {\n  total() {\n" +
    '    return round(this.sum() + tax(1));\n  }\n  sum() {\n    return 1;\n  }\n}\n',
  'src/deep/far.ts': 'export function far() {\n  return round(1);\n}\n',
  'src/deep/copy-a.ts': 'export function doubled() {\n  return pong();\n}\n',
  'src/deep/copy-b.ts': 'export function doubled() {\n  return pong();\n}\n',
  'src/loop.ts': 'export function ping() {\n  return pong();\n}\n\nexport function pong() {\n  return ping();\n}\n',
  'src/shape.ts':
    'export interface Shape {\n  area(): number;\n}\n\nexport class Circle implements Shape {\n  area() {\n' +
    '    return 3;\n  }\n}\n\nexport class Disc extends Circle {}\n',
  'src/main.ts':
    "import { Cart } from './cart.ts';\n\nexport function main() {\n  return new Cart().total();\n}\n\nmain();\n",
  'app/Model.swift':
    'protocol Stored {\n    func save()\n}\n\nstruct User {\n    var name: String\n}\n\n' +
    'extension User: Stored {\n    func save() {}\n}\n\nclass Order: Stored {\n    func save() {}\n}\n',
  'http/handler.go':
    'package http\n\ntype Named interface {\n\tName() string\n}\n\ntype Handler interface {\n\tNamed\n' +
    '\tServe(*Request, map[string]int) (int, error)\n}\n\ntype Request struct{}\n\ntype Far interface {\n' +
    '\tio.Closer\n\tName() string\n}\n\ntype Any interface{}\n',
  'files/files.go':
    'package files\n\nimport "shop/http"\n\ntype base struct{}\n\nfunc (base) Name() string { return "" }\n\n' +
    'type Files struct{ base }\n\n' +
    'func (f *Files) Serve(r *http.Request, tags map[string]int) (n int, err error) { return 0, nil }\n\n' +
    'type Other struct{ base }\n\nfunc (o Other) Serve(a, b *http.Request) (int, error) { return 0, nil }\n\n' +
    'type Bare struct{}\n\nfunc (b Bare) Serve(*http.Request, map[string]int) (int, error) { return 0, nil }\n',
  'core/draw.rs':
    'pub trait Draw {\n    fn draw(&self);\n}\n\npub struct Square;\n\nimpl Draw for Square {\n' +
    '    fn draw(&self) {}\n}\n',
};

let space: Workspace;
let graph: SymbolGraph;
let pathOf: (place: SymbolPlace) => string;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  graph = new SymbolGraph(reader, view);
  pathOf = ({ file }) => view.files[file]!.path;
});
after(() => space.close());

const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
const calls = (name: string, path: string) => {
  const site = graph.sites.named(name, CALLS).find((each) => pathOf({ file: each.file, ordinal: 0 }) === path)!;
  const { confidence, targets } = graph.resolve(site);
  return { confidence, targets: targets.map((place) => `${pathOf(place)}#${graph.symbol(place).qualifiedName}`) };
};
const place = (name: string, path: string) => graph.named(name).find((each) => pathOf(each) === path)!;

test('calls resolve to the same file, to an import, or stay ambiguous', () => {
  assert.deepEqual(calls('round', 'src/money.ts'), { confidence: 'exact', targets: ['src/money.ts#round'] });
  assert.deepEqual(calls('round', 'src/cart.ts'), { confidence: 'exact', targets: ['src/money.ts#round'] });
  assert.deepEqual(calls('round', 'src/deep/far.ts'), {
    confidence: 'ambiguous',
    targets: ['src/money.ts#round', 'src/other.ts#round'],
  });
  assert.deepEqual(calls('sum', 'src/cart.ts'), { confidence: 'exact', targets: ['src/cart.ts#Cart.sum'] });
});

test('callers and callees are sorted by confidence', () => {
  const callers = graph.references(place('round', 'src/money.ts'), CALLS);
  assert.deepEqual(
    callers.map(({ site, confidence }) => [pathOf({ file: site.file, ordinal: 0 }), site.reference.line, confidence]),
    [
      ['src/cart.ts', 5, 'exact'],
      ['src/money.ts', 6, 'exact'],
      ['src/deep/far.ts', 2, 'ambiguous'],
    ],
  );
  const callees = graph.outgoing(place('total', 'src/cart.ts'), CALLS);
  assert.deepEqual(callees.map(({ site }) => site.reference.name).sort(), ['round', 'sum', 'tax']);
  assert.deepEqual(
    graph.outgoing(place('tax', 'src/money.ts'), CALLS).map(({ site }) => site.reference.name),
    ['round'],
  );
});

test('two files with the same content are both callers', () => {
  const callers = graph.references(place('pong', 'src/loop.ts'), CALLS);
  assert.deepEqual(callers.map(({ site }) => pathOf({ file: site.file, ordinal: 0 })).sort(), [
    'src/deep/copy-a.ts',
    'src/deep/copy-b.ts',
    'src/loop.ts',
  ]);
});

test('implementers: classes, extensions, impl blocks', () => {
  const names = (of: string) =>
    graph
      .implementers(
        of,
        graph.named(of).find((each) => graph.symbol(each).kind !== 'extension'),
      )
      .map(({ place: found, site }) => `${graph.symbol(found).name} ${pathOf(found)}:${site.reference.line}`)
      .sort();
  assert.deepEqual(names('Shape'), ['Circle src/shape.ts:5']);
  assert.deepEqual(names('Circle'), ['Disc src/shape.ts:11']);
  assert.deepEqual(names('Stored'), ['Order app/Model.swift:13', 'User app/Model.swift:9']);
  assert.deepEqual(names('Draw'), ['Square core/draw.rs:7']);
});

test('importers and what comes from outside', () => {
  const file = (path: string) => place(path === 'src/money.ts' ? 'tax' : 'Cart', path).file;
  const importers = graph.files.dependants(file('src/money.ts')).map((index) => pathOf({ file: index, ordinal: 0 }));
  assert.deepEqual(importers, ['src/cart.ts']);
  assert.deepEqual(graph.files.externals(file('src/cart.ts')), []);
});

test('the kind of a question and its names', () => {
  for (const [query, kind, ...names] of [
    ['what calls round', 'callers', 'round'],
    ['who calls the function `Cart.total()`?', 'callers', 'Cart.total'],
    ['what calls src/deep/far.ts', 'callers', 'src/deep/far.ts'],
    ['callers of tax', 'callers', 'tax'],
    ['what functions call tax', 'callers', 'tax'],
    ['where is tax called from?', 'callers', 'tax'],
    ['call hierarchy of Cart.total', 'callers', 'Cart.total'],
    ['what does the printer crate depend on', 'callees', 'printer'],
    ['dependencies of src/deep', 'callees', 'src/deep'],
    ['dependencies of a release are resolved where', 'open'],
    ['what is called when a file is saved', 'open'],
    ['where is the first page of results rendered', 'open'],
    ['what does main call', 'callees', 'main'],
    ['what does src/deep/ call', 'callees', 'src/deep'],
    ['all implementations of Shape', 'implementations', 'Shape'],
    ['which types conform to Stored', 'implementations', 'Stored'],
    ['which modules implement the Shop.Store behaviour', 'implementations', 'Shop.Store'],
    ['which structs implement Stored', 'implementations', 'Stored'],
    ['who calls proxy.(*Handler).Serve', 'callers', 'proxy.Handler.Serve'],
    ['callers of (*Handler).Serve', 'callers', 'Handler.Serve'],
    ['how does main reach round', 'path', 'main', 'round'],
    ['how does the function main reach the method Cart.total?', 'path', 'main', 'Cart.total'],
    ['how does the kubelet reach the eviction manager', 'open'],
    ['path from main to round', 'path', 'main', 'round'],
    ['where is the timeout configured', 'configuration', 'timeout'],
    ['what depends on src/money.ts', 'dependants', 'src/money.ts'],
    ['who imports src/money.ts?', 'dependants', 'src/money.ts'],
    ['which files import the module money', 'dependants', 'money'],
    ['what breaks if the cache expires', 'open'],
    ['what breaks if we change the order of the arguments', 'open'],
    ['what happens when a file is deleted', 'open'],
    ['how is a cart paid for', 'open'],
    ['architecture', 'architecture'],
    ['architecture overview', 'architecture'],
    ['give me an overview of the codebase', 'architecture'],
    ['Give me a high-level overview of this repository.', 'architecture'],
    ['how is this project structured?', 'architecture'],
    ['how is the code organised', 'architecture'],
    ['how is the gin codebase organized into packages', 'architecture'],
    ['what are the main modules', 'architecture'],
    ['what are the entry points of this program?', 'architecture'],
    ['how do the modules depend on each other', 'architecture'],
    ['layout', 'open'],
    ['how is the auth system structured', 'open'],
    ['overview of the login flow', 'open'],
    ['how is the index structured on disk', 'open'],
    ['which subclasses does BaseCommand have', 'implementations', 'BaseCommand'],
    ['what implementations does the interface Render have?', 'implementations', 'Render'],
    ['does BaseCommand have any subclasses?', 'implementations', 'BaseCommand'],
    ['subclasses of BaseCommand', 'implementations', 'BaseCommand'],
    ['subclasses of the class BaseCommand', 'implementations', 'BaseCommand'],
    ['derived classes of Shape', 'implementations', 'Shape'],
    ["list BaseCommand's subclasses", 'implementations', 'BaseCommand'],
    ['what extends BaseCommand', 'implementations', 'BaseCommand'],
    ['who inherits from the class BaseCommand', 'implementations', 'BaseCommand'],
    ['what is derived from BaseCommand', 'implementations', 'BaseCommand'],
    ['which classes subclass BaseCommand', 'implementations', 'BaseCommand'],
    ['is BaseCommand subclassed anywhere', 'implementations', 'BaseCommand'],
    ['what options does BaseCommand have', 'open'],
    ['does BaseCommand have any options', 'open'],
  ] as const)
    assert.deepEqual(readQuestion(query), { kind, names }, query);
});

test('questions about the effect of a change ask for all uses', () => {
  for (const [query, name] of [
    ['what uses the function `Cart.total()`?', 'Cart.total'],
    ['references to tax', 'tax'],
    ['which functions use tax', 'tax'],
    ['where is Cart.total used?', 'Cart.total'],
    ['is Cart.total still used anywhere?', 'Cart.total'],
    ['is `tax` dead code', 'tax'],
    ['does anything still use Cart.total', 'Cart.total'],
    ['is there any code using tax?', 'tax'],
    ['what breaks if Cart.total changes', 'Cart.total'],
    ['what would break if I change the file src/money.ts?', 'src/money.ts'],
    ['what is affected if I rename Cart', 'Cart'],
    ['what is affected by renaming `Cart.total()`', 'Cart.total'],
    ['impact of changing Cart.total in the shop', 'Cart.total'],
    ['impact of a change to Cart', 'Cart'],
  ] as const)
    assert.deepEqual(readQuestion(query), { kind: 'callers', names: [name], uses: true }, query);
});

const research = (query: string, depth?: number) =>
  space.engine.research(space.root, { query, ...(depth === undefined ? {} : { depth }) });

test('callers are followed to the requested depth and no further', async () => {
  const near = await research('what calls tax', 1);
  assert.deepEqual(
    near.nodes.map(({ label, hop }) => [label, hop]),
    [
      ['tax', 0],
      ['Cart.total', 1],
    ],
  );
  const far = await research('what calls tax', 3);
  assert.ok(far.nodes.some(({ label, hop }) => label === 'main' && hop === 2));
  assert.ok(far.evidence.every(({ path, snippet }) => FILES[path]!.includes(snippet)));
  assert.match(far.summary, /Cart\.total calls tax at src\/cart\.ts:5/);
});

test('a chain from one symbol to another, step by step', async () => {
  const { edges, summary } = await research('how does main reach round');
  assert.deepEqual(
    edges.map(({ path, line }) => `${path}:${line}`),
    ['src/main.ts:4', 'src/cart.ts:5'],
  );
  assert.match(summary, /^1\. main → Cart\.total at src\/main\.ts:4/);
  assert.match((await research('path from round to main')).summary, /No chain of calls/);
});

test('importers, implementers, cycles and unknown names are answered', async () => {
  assert.match((await research('what depends on src/money.ts', 2)).summary, /src\/cart\.ts:1 imports src\/money\.ts/);
  assert.match((await research('all implementations of Stored')).summary, /^2 places implement/);
  assert.match((await research('what calls Nowhere')).summary, /./);
  const { cycles } = await research('what calls ping', 3);
  assert.equal(cycles.length, 1);
  await assert.rejects(research('  '), { code: 'empty_query' });
});

test('the drawing is well formed: every edge joins two declared nodes', async () => {
  for (const query of ['what calls round', 'all implementations of Shape', 'how is the cart total computed']) {
    const [head, ...lines] = (await research(query, 3)).mermaid.split('\n');
    assert.equal(head, 'flowchart LR');
    const declared = new Set<string>();
    for (const line of lines) {
      const node = /^ {2}(n\d+)\["[^"[\]{}|<>]+"\]$/.exec(line);
      const edge = /^ {2}(n\d+) -\.?-?>\|[a-z]+\| (n\d+)$/.exec(line);
      assert.ok(node || edge, line);
      if (node) declared.add(node[1]!);
      else assert.ok(declared.has(edge![1]!) && declared.has(edge![2]!), line);
    }
    assert.ok(declared.size > 1);
  }
});

test('the map names the central files within its budget', async () => {
  const map = await space.engine.map(space.root, { maxTokens: 300 });
  assert.ok(map.length <= 1200);
  assert.match(map, /src\/money\.ts/);
  assert.match(map, /## Entry points\n\n- src\/main\.ts/);
});

test('a Go type implements an interface if it has all methods with the same signatures, embedded ones too', () => {
  const implementers = (name: string) =>
    graph
      .implementers(name, place(name, 'http/handler.go'))
      .map(({ place: type, confidence }) => `${graph.symbol(type).name} ${confidence}`);
  assert.deepEqual(implementers('Handler'), ['Files likely']);
  // What embeds an interface that nobody here wrote asks for more than is known, and what asks for nothing is
  // implemented by everything.
  assert.deepEqual(implementers('Far'), []);
  assert.deepEqual(implementers('Any'), []);
  assert.deepEqual(
    graph.overriding(place('Serve', 'http/handler.go')).map((method) => graph.symbol(method).qualifiedName),
    ['Files.Serve'],
  );
  const served = graph.named('Serve').find((method) => graph.symbol(method).qualifiedName === 'Files.Serve')!;
  assert.deepEqual(
    graph.overridden(served).map((method) => graph.symbol(method).qualifiedName),
    ['Handler.Serve'],
  );
});
