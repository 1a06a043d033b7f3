/** Calls that name only `super` are calls of a constructor, or of the method that is overridden. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import { SymbolGraph } from './symbol-graph.ts';

const FILES: Readonly<Record<string, string>> = {
  'Base.java':
    'class Base {\n  Base(int x) {}\n  Base(String s) {}\n}\n\nclass Down extends Base {\n  Down() {\n    super(1);\n' +
    '  }\n}\n\nclass Other extends Base {\n  Other() {\n    super("a");\n  }\n}\n\nclass Apart extends Elsewhere {\n' +
    '  Apart() {\n    super(1);\n  }\n}\n',
  'shape.ts':
    'export class Shape {\n  constructor(x: number) {}\n}\n\nexport class Circle extends Shape {\n' +
    '  constructor() {\n    super(1);\n  }\n}\n',
  'plant.rb':
    'class Plant\n  def grow\n  end\nend\n\nclass Tree < Plant\n  def grow\n    super\n  end\n\n' +
    '  def fell\n    super\n  end\nend\n',
  'Unit.cs': 'class Unit { public Unit(int x) {} }\nclass Metre : Unit {\n  public Metre() : base(1) {}\n}\n',
};

let space: Workspace;
let graph: SymbolGraph;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
  const { reader, view } = await space.openTree();
  graph = new SymbolGraph(reader, view);
});
after(() => space.close());

/** Lines of the calls of what is defined in a line, with their confidence. */
function callsOf(name: string, line: number): string[] {
  const target = graph.named(name).find((place) => graph.symbol(place).startLine === line)!;
  return graph
    .references(target, new Set(['call']))
    .map(({ site, confidence }) => `${site.reference.line} ${confidence}`);
}

test('super(…) calls the type and the constructor that accepts the arguments', () => {
  assert.deepEqual(callsOf('Base', 1), ['8 exact', '14 exact']);
  assert.deepEqual(callsOf('Base', 2), ['8 exact']);
  assert.deepEqual(callsOf('Base', 3), ['14 exact']);
  assert.deepEqual(callsOf('constructor', 2), ['7 exact']);
  assert.deepEqual(callsOf('Unit', 1), ['3 exact']);
});

test('Ruby: super calls the overridden method and no other method of the type', () => {
  assert.deepEqual(callsOf('grow', 2), ['8 exact']);
  assert.deepEqual(callsOf('grow', 7), []);
});
