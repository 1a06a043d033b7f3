import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlight } from '../model/highlight/highlight.ts';
import type { SymbolInfo } from '../model/records/query.ts';
import { folderEntries } from './api/folder-entries.ts';
import { growthOf } from './page/charts/growth-points.ts';
import { bestWindow } from './page/code/best-window.ts';
import { formatLines, parseLines } from './page/code/line-range.ts';
import { linksByLine } from './page/code/links-by-line.ts';
import { markTerms, termsOf } from './page/code/mark-terms.ts';
import { cutLine } from './page/code/segments.ts';
import { fileAddress, fromHash, to } from './page/data/addresses.ts';
import { fixForPeople } from './page/data/fixes.ts';
import { ago, duration, short } from './page/data/format-values.ts';
import { matchedBy } from './page/data/matched-by.ts';
import { strengthOf } from './page/data/strength-of.ts';
import { openNode, startGraph, sureGraph } from './page/graph/call-graph.ts';
import { layoutColumns } from './page/graph/column-layout.ts';
import { layoutMap } from './page/graph/map-layout.ts';
import { researchGraph } from './page/graph/research-graph.ts';

const VIEWS = { '': 1, file: 1, search: 1 };

test('a URL is parsed back to its view and parameters, whatever they contain', () => {
  const path = '<img src=x>/x&y=#?%20.ts';
  const { view, parameters } = fromHash(fileAddress(path, '10-20'), VIEWS);
  assert.deepEqual([view, parameters.get('path'), parameters.get('lines')], ['file', path, '10-20']);
});

test('a URL without a known view opens the first one, also for names on Object.prototype', () => {
  for (const hash of ['', '#', '#/', '#main', '#/nope', '#/constructor', '#/toString', '#/__proto__', '#/hasOwn?q=1'])
    assert.equal(fromHash(hash, VIEWS).view, '', hash);
});

test('every URL repeats the project and ref unless it names others', () => {
  const here = '#/file?path=a.ts&ref=v2&project=%2Fcode%2Fshop';
  assert.equal(to('search', { q: 'x' }, here), '#/search?q=x&project=%2Fcode%2Fshop&ref=v2');
  assert.equal(to('search', { q: 'x', ref: '' }, here), '#/search?q=x&project=%2Fcode%2Fshop');
});

test('line ranges are parsed and formatted as in URLs', () => {
  assert.deepEqual(parseLines('20-10'), { first: 10, last: 20 });
  assert.deepEqual(parseLines('7'), { first: 7, last: 7 });
  assert.equal(parseLines('x'), null);
  assert.equal(formatLines({ first: 7, last: 7 }), '7');
});

test('a line is cut where tokens, identifiers and marks begin and end, and its parts join to the line', () => {
  const line = "return price(item, 'two')";
  const [tokens] = highlight(line, 'typescript');
  const segments = cutLine(tokens!, [{ start: 7, end: 12, link: 3 }], [{ start: 10, end: 17 }]);
  assert.equal(segments.map(({ text }) => text).join(''), line);
  assert.deepEqual(
    segments.filter(({ link }) => link === 3).map(({ text, isMarked }) => [text, isMarked]),
    [
      ['pri', false],
      ['ce', true],
    ],
  );
  assert.ok(segments.some(({ text, kind }) => text === "'two'" && kind === 'string'));
});

test('identifiers are grouped by line', () => {
  const link = { line: 4, column: 3, length: 5, targets: [0], confidence: 'exact', isDefinition: false } as const;
  const lines = linksByLine({ symbols: [], links: [link, { ...link, column: 10 }, { ...link, line: 9 }] });
  assert.deepEqual(lines.get(4), [
    { start: 2, end: 7, link: 0 },
    { start: 9, end: 14, link: 1 },
  ]);
  assert.equal(lines.get(9)![0]!.link, 2);
});

test('words and parts of names are highlighted, common words are not, and special characters are no patterns', () => {
  assert.deepEqual(termsOf('where is the RateLimiter?'), ['ratelimiter', 'limiter', 'rate']);
  const marked = (text: string, query: string) =>
    markTerms(text, termsOf(query)).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(marked('class RateLimiter { rate() }', 'where is the RateLimiter'), ['RateLimiter', 'rate']);
  assert.deepEqual(marked('Größe', 'größe'), ['Größe']);
  for (const query of ['a.*b', '$price (x', '[[', '\\', '🙂 smile'])
    assert.ok(Array.isArray(marked('$price(x)', query)));
});

test('a long snippet is shown by its beginning, unless another place has clearly more marks', () => {
  assert.equal(bestWindow([1, 0, 0, 0, 1, 0], 3), 0);
  assert.equal(bestWindow([0, 0, 0, 0, 2, 2], 3), 3);
  assert.equal(bestWindow([0, 5], 3), 0);
});

test('a folder lists its subfolders with their file counts, then its files', () => {
  const file = (path: string, lines: number) => ({ path, language: 'go', lines, bytes: 1, isTest: false });
  const files = [file('a.go', 5), file('src/b.go', 7), file('src/in/c.go', 11), file('srcx/d.go', 1)];
  assert.deepEqual(
    folderEntries(files, '').map(({ name, lines, files: below }) => [name, lines, below]),
    [
      ['src', 18, 2],
      ['srcx', 1, 1],
      ['a.go', 5, 1],
    ],
  );
  assert.deepEqual(
    folderEntries(files, 'src').map(({ path, isFolder }) => [path, isFolder]),
    [
      ['src/in', true],
      ['src/b.go', false],
    ],
  );
});

test('numbers and times are short', () => {
  assert.deepEqual([999, 1200, 34_538, 2_000_000].map(short), ['999', '1.2k', '35k', '2M']);
  assert.equal(duration(125_000), '2 min 5 s');
  assert.equal(ago(0, 3 * 3600 * 1000), '3 hours ago');
});

test('a fix names commands, not the tools of agents', () => {
  const fix = 'Call index_codebase once, then repeat this call.';
  assert.match(fixForPeople({ code: 'not_indexed', fix }), /^Run `sextant index`/);
  assert.equal(fixForPeople({ code: 'unreachable', fix: 'Is it running?' }), 'Is it running?');
});

test('a score has one of three levels', () => {
  assert.deepEqual(
    [0.97, 0.4, 0.12, 0].map((score) => strengthOf(score).step),
    [3, 2, 1, 1],
  );
});

test('a result names its strongest features first', () => {
  const part = (feature: string, contribution: number) => ({ feature, contribution, value: 1, weight: 1 });
  const explanation = [
    part('body', 0.4),
    part('coverage', 0.3),
    part('path', 0.9),
    part('is_test', -1),
    part('docs', 0.01),
  ];
  assert.deepEqual(matchedBy(explanation), ['path', 'text']);
});

const symbol = (name: string, path = `${name}.ts`) =>
  ({
    symbolId: `sym-${name}`,
    name,
    kind: 'function',
    path,
    startLine: 3,
    breadcrumb: [],
    signature: '',
    doc: '',
  }) as unknown as SymbolInfo;
const neighbour = (name: string, confidence: 'exact' | 'ambiguous' = 'exact') => ({
  symbol: symbol(name),
  isSelf: false,
  confidence,
  sites: [{ path: 'a.ts', line: 7 }],
  count: 2,
});

test('the call graph grows away from its centre, and hides ambiguous edges', () => {
  const start = startGraph({
    symbol: symbol('mid'),
    callers: [neighbour('up')],
    callees: [neighbour('down'), neighbour('maybe', 'ambiguous')],
  });
  const columns = (graph: typeof start) =>
    Object.fromEntries([...graph.nodes.values()].map(({ label, column }) => [label, column]));
  assert.deepEqual(columns(start), { mid: 0, up: -1, down: 1, maybe: 1 });
  const grown = openNode(start, {
    symbol: symbol('up'),
    callers: [neighbour('top')],
    callees: [neighbour('mid'), neighbour('aside')],
  });
  assert.deepEqual(columns(grown), { mid: 0, up: -1, down: 1, maybe: 1, top: -2 });
  assert.equal(grown.edges.get('sym-top sym-up')!.words, 'top calls up at a.ts:7, 2 times');
  assert.deepEqual(columns(sureGraph(grown)), { mid: 0, up: -1, down: 1, top: -2 });
  const layout = layoutColumns([...grown.nodes.values()], [...grown.edges.values()]);
  const x = (label: string) => layout.nodes.find((node) => node.label === label)!.x;
  assert.ok(x('top') < x('up') && x('up') < x('mid') && x('mid') < x('down'));
  assert.ok(layout.edges.every(({ path }) => /^M[\d.,-]+ C/.test(path)));
  assert.deepEqual(layout, layoutColumns([...grown.nodes.values()], [...grown.edges.values()]));
});

test('nodes of one column never overlap', () => {
  const callees = Array.from({ length: 14 }, (_, i) => neighbour(`callee${i}`));
  const { nodes, edges } = startGraph({ symbol: symbol('mid'), callers: [], callees });
  const placed = layoutColumns([...nodes.values()], [...edges.values()]).nodes.filter(({ column }) => column === 1);
  const tops = placed.map(({ y }) => y).sort((a, b) => a - b);
  assert.equal(placed.length, 14);
  assert.ok(tops.every((y, i) => i === 0 || y - tops[i - 1]! >= 38));
});

const module = (name: string, lines: number) => ({
  name,
  lines,
  files: 1,
  rank: 0.1,
  topFile: `${name}/a.ts`,
  folder: name,
});
const tie = (from: string, to: string) => ({ from, to, count: 1, path: `${from}/a.ts`, line: 1 });

test('the map puts dependants left of dependencies, and marks cycles and implied dependencies', () => {
  const layout = layoutMap({
    title: 'shop',
    modules: [module('cli', 100), module('engine', 900), module('store', 400), module('a', 10), module('b', 10)],
    moreModules: 0,
    dependencies: [
      ...[tie('cli', 'engine'), tie('engine', 'store'), tie('cli', 'store')],
      ...[{ ...tie('a', 'b'), count: 9 }, tie('b', 'a')],
    ],
    cycles: [['a', 'b']],
    entryPoints: [],
    centralFiles: [],
    partial: false,
  });
  const at = (name: string) => layout.modules.find((each) => each.name === name)!;
  assert.ok(at('cli').x < at('engine').x && at('engine').x < at('store').x);
  assert.ok(at('engine').height > at('store').height && at('store').height > at('cli').height);
  const between = (from: string, to: string) =>
    layout.dependencies.find((each) => each.from === from && each.to === to)!;
  assert.deepEqual([between('cli', 'store').isImplied, between('cli', 'engine').isImplied], [true, false]);
  assert.deepEqual(
    [between('a', 'b').isClosing, between('b', 'a').isClosing, between('cli', 'engine').isClosing],
    [false, true, false],
  );
  assert.ok(at('a').x < at('b').x && at('a').isInCycle && !at('cli').isInCycle);
  for (const one of layout.modules)
    for (const other of layout.modules)
      if (one !== other)
        assert.ok(
          one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y,
          `${one.name} lies on ${other.name}`,
        );
});

test('research is drawn with callers on the left, without edges to missing nodes', () => {
  const node = (id: string, hop: number) => ({ id, label: id, kind: 'function', path: `${id}.ts`, line: 1, hop });
  const edge = (from: string, to: string) => ({
    from,
    to,
    kind: 'calls',
    confidence: 'exact' as const,
    path: 'x.ts',
    line: 2,
  });
  const graph = researchGraph({
    question: 'callers',
    nodes: [node('a', 0), node('b', 1)],
    edges: [edge('b', 'a'), edge('c', 'a')],
  })!;
  assert.deepEqual(
    graph.nodes.map(({ id, column }) => [id, column + 0]),
    [
      ['a', 0],
      ['b', -1],
    ],
  );
  assert.deepEqual(
    graph.edges.map(({ words }) => words),
    ['b calls a at x.ts:2'],
  );
  assert.equal(researchGraph({ question: 'open', nodes: [], edges: [] }), null);
});

test('growth has a point for every step, also without a commit', () => {
  const day = (n: number, added: number, removed = 0) => ({ startMs: n * 86_400_000, commits: 1, added, removed });
  assert.deepEqual(
    growthOf({ days: [day(0, 10), day(2, 5, 20)] }).map(({ lines, commits }) => [lines, commits]),
    [
      [10, 1],
      [10, 0],
      [0, 1],
    ],
  );
  const long = growthOf({ days: [day(0, 1), day(3650, 1)] });
  assert.ok(long.length <= 160 && long.at(-1)!.lines === 2);
});
