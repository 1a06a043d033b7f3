/** Reading files and finding paths. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';

const ALPHA =
  'export function alpha() {\n  return 1;\n}\n\nexport class Gamma {\n  run() {\n    return alpha();\n  }\n}\n';
let space: Workspace;
before(async () => {
  space = workspace({
    'src/alpha.ts': ALPHA,
    'src/beta.ts':
      "import { readFileSync } from 'node:fs';\nimport { alpha } from './alpha.ts';\n\n" +
      'export const beta = () => alpha();\n',
    'src/empty.ts': '',
  });
  await space.engine.index(space.root);
});
after(() => space.close());

test('readFile() returns the whole file, a range, its outline, imports and importers', async () => {
  const { engine, root } = space;
  const read = (path: string, rest = {}) => engine.readFile(root, { path, ...rest });
  const whole = await read('./src/alpha.ts', { includeDependants: true });
  assert.equal(whole.content, ALPHA);
  assert.equal(whole.lines, 9);
  assert.deepEqual(
    whole.outline.map(({ name, depth, startLine }) => [name, depth, startLine]),
    [
      ['alpha', 0, 1],
      ['Gamma', 0, 5],
      ['run', 1, 6],
    ],
  );
  assert.deepEqual(whole.dependants, ['src/beta.ts']);
  const range = await read('src/alpha.ts', { startLine: 5, endLine: 6 });
  assert.equal(range.content, 'export class Gamma {\n  run() {');
  assert.equal((await read('src/alpha.ts', { startLine: 8, endLine: 99 })).endLine, 9);
  assert.equal((await read('src/alpha.ts', { outlineOnly: true })).content, '');
  await assert.rejects(read('src/alpha.ts', { startLine: 10 }), { code: 'invalid_input' });
  await assert.rejects(read('src/alpha.ts', { startLine: 5, endLine: 4 }), { code: 'invalid_input' });
  const beta = await read('src/beta.ts', { includeDependencies: true, includeDependencyContent: true });
  const { outline } = await read('src/alpha.ts', { outlineOnly: true });
  assert.ok(outline.length > 0);
  assert.deepEqual(beta.dependencies, [
    { path: 'src/alpha.ts', type: 'import', level: 1, source: './alpha.ts', content: ALPHA, outline },
  ]);
  assert.deepEqual(beta.externalDependencies, ['node:fs']);
  const empty = await read('src/empty.ts');
  assert.deepEqual([empty.content, empty.lines], ['', 0]);
});

test('findPaths() returns paths that contain a part, best match first', async () => {
  const found = await space.engine.findPaths(space.root, 'al');
  assert.equal(found[0], 'src/alpha.ts');
  assert.deepEqual(await space.engine.findPaths(space.root, 'zzz'), []);
});
