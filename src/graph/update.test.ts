/** A graph after a change: the new tree's answers, with everything kept that the change cannot have touched. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../test/workspace.ts';
import { SymbolGraph } from './symbol-graph.ts';

let space: Workspace;
before(async () => {
  space = workspace({
    'a.ts': "import { b } from './b';\n\nexport function a() {\n  return b();\n}\n",
    'b.ts': 'export function b() {\n  return 1;\n}\n',
    'tsconfig.json': '{}',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

const callers = async (previous?: SymbolGraph) => {
  const { reader, view } = await space.openTree();
  const graph = new SymbolGraph(reader, view, previous);
  const [target] = graph.named('b');
  const found = target ? graph.references(target, new Set(['call'])) : [];
  return { graph, lines: found.map(({ site }) => `${view.files[site.file]!.path}:${site.reference.line}`) };
};

test('a new tree shows a changed file, a new file, a removed file and a changed manifest', async () => {
  const first = await callers();
  assert.deepEqual(first.lines, ['a.ts:4']);
  space.write('a.ts', "import { b } from './b';\n\nexport function a() {\n  b();\n  return b();\n}\n");
  await space.engine.index(space.root);
  const second = await callers(first.graph);
  assert.deepEqual(second.lines, ['a.ts:4', 'a.ts:5']);
  space.write('c.ts', "import { b } from '@/b';\n\nb();\n");
  space.write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }');
  await space.engine.index(space.root);
  const third = await callers(second.graph);
  assert.deepEqual(third.lines, ['a.ts:4', 'a.ts:5', 'c.ts:3']);
  space.remove('a.ts');
  await space.engine.index(space.root);
  assert.deepEqual((await callers(third.graph)).lines, ['c.ts:3']);
});

test('the engine answers from the newest tree', async () => {
  const ask = async () => (await space.engine.research(space.root, { query: 'what calls b', depth: 1 })).edges.length;
  assert.equal(await ask(), 1);
  space.write('d.ts', "import { b } from './b';\n\nexport const d = () => b();\n");
  await space.engine.index(space.root);
  assert.equal(await ask(), 2);
});
