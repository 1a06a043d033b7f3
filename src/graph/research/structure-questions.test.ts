/** Questions about the whole, about subclasses, about settings, and about ways that no chain of calls shows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { ResearchRequest } from '../../model/records/query.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "kiln", "workspaces": ["packages/*"] }',
  'packages/heat/package.json': '{ "name": "heat" }',
  'packages/heat/src/fire.ts':
    "import { shape } from '../../clay/src/shape';\n\nexport function fire() {\n  return shape();\n}\n\nexport function cool() {}\n",
  'packages/clay/package.json': '{ "name": "clay" }',
  'packages/clay/src/shape.ts':
    "import { cool } from '../../heat/src/fire';\n\nexport function shape() {\n  return cool();\n}\n",
  'packages/cli/package.json': '{ "name": "cli" }',
  'packages/cli/src/main.ts':
    "import { fire } from '../../heat/src/fire';\n\nexport function main() {\n  return fire();\n}\n\nmain();\n",
  'tools/commands.py':
    'class BaseCommand:\n    pass\n\n\nclass Glaze(BaseCommand):\n    pass\n\n\nclass Paint(Glaze):\n    pass\n',
};

let space: Workspace;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
});
after(() => space.close());
const ask = (query: string, more: Partial<ResearchRequest> = {}) =>
  space.engine.research(space.root, { query, ...more });

test('a question about the whole is answered by modules, entry points, central files, ties and cycles', async () => {
  for (const query of ['architecture overview', 'how is this project structured?']) {
    const { question, summary, truncated } = await ask(query);
    assert.equal(question, 'architecture');
    assert.match(summary, /^\d modules, the largest at /);
    assert.match(
      summary,
      /\nEntry points, the first at packages\/cli\/src\/main\.ts:3:\n- packages\/cli\/src\/main\.ts:3\n/,
    );
    assert.match(summary, /\nFiles that others refer to most, .*\n- packages\/heat\/src\/fire\.ts:3 \(fire, cool\)\n/);
    assert.match(summary, /\n- module heat imports module clay, 1 time, first at packages\/heat\/src\/fire\.ts:1\n/);
    assert.match(
      summary,
      /\n- cycle: clay → heat → clay, by packages\/clay\/src\/shape\.ts:1, packages\/heat\/src\/fire\.ts:1$/,
    );
    assert.equal(truncated, false);
  }
});

test('subclasses are told, however the question asks for them', async () => {
  for (const query of [
    'which subclasses does BaseCommand have',
    'what extends the class BaseCommand',
    "BaseCommand's subclasses",
  ])
    assert.match(
      (await ask(query)).summary,
      /^1 place implements .*\n- Glaze inherits BaseCommand \(tools\/commands\.py:5\)\n {2}- Paint inherits Glaze /,
      query,
    );
});
