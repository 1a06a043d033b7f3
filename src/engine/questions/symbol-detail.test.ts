import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';

const USES = 1100;
const space = workspace({
  'src/money.ts': 'export function round(value: number) {\n  return value;\n}\n',
  'src/other.ts': 'export function round(value: string) {\n  return value;\n}\n',
  'src/uses.ts': `import { round } from './money.ts';\n\n${'round(1);\n'.repeat(USES)}`,
  'src/far.ts': 'round(2);\n',
  'src/limits.ts': 'export const MAX_SIZE = 3;\nexport const maxSize = 4;\nexport const sum = MAX_SIZE + maxSize;\n',
  'src/clock.rs': 'pub fn wind() {}\n\nmod tests {\n    use super::*;\n\n    fn winds() {\n        wind();\n    }\n}\n',
  'src/Deep.cs': 'namespace Acme.Deep\n{\n    public class Thing\n    {\n        public void Poke() { }\n    }\n}\n',
});
after(() => space.close());

test('totals count uses beyond the limit, and an ambiguous use counts once', async () => {
  await space.engine.index(space.root);
  const { symbols, references, referenceCounts } = await space.engine.locate(space.root, {
    name: 'round',
    includeReferences: true,
  });
  // The calls, and the one that may mean either.
  assert.equal(references.length, 1000);
  assert.deepEqual(referenceCounts, {
    exact: USES,
    likely: 0,
    ambiguous: 1,
    total: USES + 1,
    inTests: 0,
    symbols: 2,
  });
  const detail = await space.engine.symbol(space.root, symbols.find(({ path }) => path === 'src/money.ts')!.symbolId);
  assert.deepEqual([detail.callers.length, detail.totals.callers], [1000, USES + 1]);
  assert.equal(detail.totals.references, detail.totals.callers);
});

test('references of a qualified name leave out namesakes of other types', async () => {
  const own = workspace({
    'src/query.py': 'class Query:\n    def get(self):\n        return self.get()\n',
    'src/view.py': 'class View:\n    def get(self):\n        return self.get()\n',
    'tests/test_query.py': 'from src.query import Query\n\ndef test_get():\n    Query().get()\n    Query().get()\n',
  });
  try {
    await own.engine.index(own.root);
    const request = { name: 'Query.get', includeReferences: true };
    const { references, referenceCounts } = await own.engine.locate(own.root, request);
    assert.deepEqual(
      references.map(({ path, line }) => `${path}:${line}`),
      ['src/query.py:3', 'tests/test_query.py:4', 'tests/test_query.py:5'],
    );
    const { symbols, total, inTests } = referenceCounts;
    assert.deepEqual({ symbols, total, inTests }, { symbols: 1, total: 3, inTests: 2 });
  } finally {
    await own.close();
  }
});

test('tests in a module beside the code count as tests', async () => {
  await space.engine.index(space.root);
  const { symbols } = await space.engine.locate(space.root, { name: 'wind', language: 'rust' });
  const detail = await space.engine.symbol(space.root, symbols[0]!.symbolId);
  assert.deepEqual(
    detail.tests.map(({ name }) => name),
    ['winds'],
  );
});

test('locate() returns the references of the found name, not of similar names', async () => {
  await space.engine.index(space.root);
  const { symbols, references } = await space.engine.locate(space.root, { name: 'MAX_SIZE', includeReferences: true });
  assert.deepEqual(
    symbols.map(({ name }) => name),
    ['MAX_SIZE', 'maxSize'],
  );
  assert.deepEqual(
    references.map(({ line, column }) => `${line}:${column}`),
    ['3:20'],
  );
  const detail = await space.engine.symbol(space.root, symbols[0]!.symbolId);
  assert.equal(detail.totals.references, 1);
});

test('a namespace block is listed once', async () => {
  await space.engine.index(space.root);
  const { symbols } = await space.engine.locate(space.root, { name: 'Poke' });
  assert.equal(symbols[0]?.qualifiedName, 'Acme.Deep.Thing.Poke');
});
