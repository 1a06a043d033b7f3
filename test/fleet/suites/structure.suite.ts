/** Who uses a package or a symbol in other repositories: edges that cross from an importer to the source. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSubject } from '../../../src/fleet/serving/subjects.ts';
import { type FleetUnderTest, until } from '../fleet-under-test.ts';
import { openSharedNode } from '../fleet-workspace.ts';

const REPOSITORIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'shop/api': {
    'package.json': '{ "name": "@shop/api", "main": "src/index.ts" }\n',
    'src/index.ts': "export { placeOrder } from './orders.ts';\n",
    'src/orders.ts': 'export function placeOrder(card: string): string {\n  return card;\n}\n',
  },
  'shop/web': {
    'package.json': '{ "name": "@shop/web", "dependencies": { "@shop/api": "1.0.0" } }\n',
    'src/checkout.ts':
      "import { placeOrder } from '@shop/api';\n\nexport function checkout(card: string) {\n  return placeOrder(card);\n}\n",
  },
  'shop/infra': { 'deploy.py': 'def deploy(region):\n    return region\n' },
};
/** More repositories than one question about structure looks into. */
const OTHERS = 8;
const ANN = { name: 'ann', groups: new Set(['a']) };
const BOB = { name: 'bob', groups: new Set(['b']) };

async function add(under: FleetUnderTest, name: string, files: Readonly<Record<string, string>>, groups = ['a']) {
  const url = under.repository(name.replace('/', '-'), files);
  await under.fleet.add({ name, url, ref: null, groups });
}

test('callers, references, dependants, symbols and maps cross from one repository to another', async (t) => {
  const { under, node } = await openSharedNode(t);
  for (const [name, files] of Object.entries(REPOSITORIES)) await add(under, name, files);
  // The same importer in a repository that ann may not see.
  await add(under, 'secret/web', { 'src/hidden.ts': REPOSITORIES['shop/web']!['src/checkout.ts']! }, ['b']);
  await under.work();
  const { engine, folder } = node;
  const asAnn = <T>(work: () => Promise<T>) => asSubject(ANN, work);
  const check = async () => {
    const research = await asAnn(() => engine.research(folder, { query: 'who calls placeOrder' }));
    assert.ok(
      research.edges.some(({ path }) => path === 'shop/web/src/checkout.ts'),
      research.summary,
    );
    assert.doesNotMatch(JSON.stringify(research), /secret|hidden/);
    assert.match(research.freshness.snapshot ?? '', /shop\/api main/);
    const located = await asAnn(() => engine.locate(folder, { name: 'placeOrder', includeReferences: true }));
    assert.equal(located.symbols[0]?.path, 'shop/api/src/orders.ts');
    const users = located.references.filter(({ kind }) => kind === 'call');
    assert.deepEqual(
      users.map(({ path, confidence }) => [path, confidence]),
      [['shop/web/src/checkout.ts', 'exact']],
    );
    const dependants = { path: 'shop/api/src/index.ts', includeDependants: true };
    assert.deepEqual((await asAnn(() => engine.readFile(folder, dependants))).dependants, ['shop/web/src/checkout.ts']);
    return located.symbols[0]!.symbolId;
  };
  const handle = await check();
  const detail = await asAnn(() => engine.symbol(folder, handle));
  assert.deepEqual(
    detail.callers.map(({ path }) => path),
    ['shop/web/src/checkout.ts'],
  );
  const map = await asAnn(() => engine.map(folder));
  for (const path of ['shop/api/src/orders.ts', 'shop/infra/deploy.py']) assert.ok(map.includes(path), map);
  assert.doesNotMatch(map, /secret/);

  for (let i = 0; i < OTHERS; i++) await add(under, `other/${i}`, { 'a.ts': `export const other${i} = ${i};\n` });
  await under.work();
  const seen = Object.keys(REPOSITORIES).length + OTHERS;
  await until(async () => (await asAnn(() => engine.registeredRoots())).length === seen);
  await check();
  const packages = await asAnn(() => engine.research(folder, { query: 'what depends on @shop/api' }));
  assert.match(packages.summary, /shop\/web\/src\/checkout\.ts/);
  assert.match(packages.summary, /Of 11 repositories \d were looked into: .*shop\/api/);
  await assert.rejects(
    asAnn(() => engine.symbol(folder, handle)),
    /pass the name of its repository/,
  );
  const hidden = await asSubject(BOB, () => engine.research(folder, { query: 'who calls placeOrder' }));
  assert.doesNotMatch(JSON.stringify(hidden), /shop\//);
});
