/** Filters, qualifiers and quoted text of a search. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../test/workspace.ts';
import type { SearchFilters } from '../model/records/query.ts';
import { paths, search, space } from './search.fixture.ts';

test('filters apply before the limit: a match is found though thirty better results do not pass', async () => {
  assert.deepEqual(await paths('invoice', { languages: ['python'] }, 1), ['jobs/billing/send_invoice.py']);
  assert.deepEqual(await paths('invoice', { paths: ['docs/**'] }, 2), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice', { kinds: ['interface'] }, 1), ['src/invoice.ts']);
  assert.deepEqual(await paths('invoice request', { kinds: ['class'], languages: ['java'] }, 1), [
    'java/com/shop/Invoice.java',
  ]);
});

test('each filter keeps exactly the files that it names', async () => {
  assert.deepEqual(await paths('invoice', { extensions: ['py', '.java'] }), [
    'java/com/shop/Invoice.java',
    'jobs/billing/send_invoice.py',
  ]);
  assert.deepEqual(await paths('invoice', { packages: ['com.shop.billing'] }), ['java/com/shop/Invoice.java']);
  assert.deepEqual(await paths('invoice', { packages: ['billing'] }), [
    'java/com/shop/Invoice.java',
    'jobs/billing/send_invoice.py',
  ]);
  assert.deepEqual(await paths('invoice', { dddRoles: ['repository'] }), ['src/invoice.ts']);
  assert.deepEqual(await paths('invoice', { chunkTypes: ['documentation'] }), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice', { tags: ['finance'] }), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice', { tags: ['finance', '#Guide'] }), ['docs/invoices.md']);
  assert.deepEqual(await paths('invoice', { tags: ['finance', 'routes'] }), []);
  assert.ok((await paths('invoice total', {})).includes('src/invoice.test.ts'));
  assert.ok(!(await paths('invoice total', { includeTests: false })).includes('src/invoice.test.ts'));
  const { hits } = await search('invoice', { filters: { kinds: ['class'] }, limit: 50, mode: 'keyword' });
  assert.ok(hits.length >= 3 && hits.every(({ content }) => /class /.test(content)));
});

test('code without a package declaration belongs to the package of its manifest', async () => {
  const small = workspace({
    'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
    'crates/glob/Cargo.toml': '[package]\nname = "glob-set"\n',
    'crates/glob/README.md': '# Invoice globs\n',
    'crates/glob/src/lib.rs': '/// An invoice of globs.\npub fn invoice() {}\n',
    'crates/glob/src/part/deep.rs': '/// A part of an invoice.\npub fn part() {}\n',
    'crates/walk/Cargo.toml': '[package]\nname = "tree-walk"\n',
    'crates/walk/src/lib.rs': '/// Walks an invoice.\npub fn walk_invoice() {}\n',
    'go/globset/one.go': 'package globset\n\n// Invoice is one.\nfunc Invoice() {}\n',
  });
  try {
    await small.engine.index(small.root);
    const within = async (name: string) =>
      (await small.engine.search(small.root, { query: 'invoice', filters: { packages: [name] } })).hits
        .map(({ path }) => path)
        .sort();
    assert.deepEqual(await within('glob-set'), ['crates/glob/src/lib.rs', 'crates/glob/src/part/deep.rs']);
    assert.deepEqual(await within('Tree-Walk'), ['crates/walk/src/lib.rs']);
    assert.deepEqual(await within('globset'), ['go/globset/one.go']);
  } finally {
    await small.close();
  }
});

test('a hit is named after a symbol that passes the filters', async () => {
  const named = async (filters: SearchFilters) =>
    (await search('user money', { filters, mode: 'keyword' })).hits.map(({ symbol }) => symbol?.name);
  space.write('src/user.ts', 'export interface User {}\nexport interface Money {}\nexport class PersonRepository {}\n');
  await space.engine.index(space.root);
  assert.deepEqual(await named({ dddRoles: ['repository'], paths: ['src/user.ts'] }), ['PersonRepository']);
  assert.deepEqual(await named({ exactKinds: ['class'], paths: ['src/user.ts'] }), ['PersonRepository']);
  space.remove('src/user.ts');
  await space.engine.index(space.root);
});

test('the total counts all results that pass the filters and is the same for every limit', async () => {
  const totals = async (query: string, filters: SearchFilters) => {
    const [few, all] = [await search(query, { filters, limit: 2 }), await search(query, { filters, limit: 100 })];
    assert.equal(all.totalCandidates, all.hits.length, 'with room for all, all are shown');
    assert.equal(few.totalCandidates, all.totalCandidates);
    return few.totalCandidates;
  };
  const every = await totals('invoice', {});
  const functions = await totals('invoice', { exactKinds: ['function'] });
  const relevant = await totals('invoice', { minRelevance: 0.3 });
  assert.ok(functions >= 30 && functions < every, `${functions} of ${every}`);
  assert.ok(relevant > 0 && relevant < every, `${relevant} of ${every}`);
  assert.equal(await totals('invoice', { dddRoles: ['repository'] }), 1);
  assert.equal(await totals('"is sent once a month"', {}), 1);
  assert.equal(await totals('invoice', { minRelevance: 1 }), 0);
});

test('a large limit is filled where most files match by meaning alone', async () => {
  const said = (i: number) => (i < 20 ? 'The parcel is delivered' : 'A truck carries heavy boxes');
  const file = (i: number) => [`src/part${i}.ts`, `// ${said(i)} from shelf${i}.\nexport const shelf${i} = ${i};\n`];
  const own = workspace(Object.fromEntries(Array.from({ length: 260 }, (_, i) => file(i))));
  try {
    await own.engine.index(own.root);
    for (const limit of [50, 100]) {
      const { hits, totalCandidates } = await own.engine.search(own.root, { query: 'parcel delivered', limit });
      assert.ok(totalCandidates > 200, `${totalCandidates} in all`);
      assert.equal(hits.length, limit);
    }
  } finally {
    await own.close();
  }
});

test('if few files pass the filters, all of their matching places are shown', async () => {
  const section = (name: string) => `## ${name}\n\n${`The parcel of ${name} is weighed.\n`.repeat(40)}\n`;
  const names = ['letters', 'boxes', 'pallets', 'tubes', 'barrels'];
  const own = workspace({
    'parcels.md': `# Shipping\n\n${names.map(section).join('')}## Holidays\n\n${'Nothing is sent.\n'.repeat(40)}`,
  });
  try {
    await own.engine.index(own.root);
    const ask = (limit: number) => own.engine.search(own.root, { query: 'parcel weighed', limit });
    const { hits, totalCandidates } = await ask(20);
    for (const name of names)
      assert.ok(
        hits.some(({ content }) => content.includes(`## ${name}`)),
        name,
      );
    assert.ok(hits.every(({ content }) => content.includes('weighed')));
    assert.ok(hits.every(({ score }, i) => i === 0 || score <= hits[i - 1]!.score));
    assert.equal(totalCandidates, hits.length);
    for (const limit of [1, 3]) {
      const few = await ask(limit);
      assert.deepEqual([few.hits.length, few.totalCandidates], [limit, totalCandidates]);
      assert.equal(few.hits[0]!.resultId, hits[0]!.resultId);
    }
  } finally {
    await own.close();
  }
});

test('qualifiers in the query filter like filters', async () => {
  assert.deepEqual(await paths('invoice lang:python', {}), ['jobs/billing/send_invoice.py']);
  assert.deepEqual(await paths('invoice path:docs', {}), ['docs/invoices.md', 'docs/notes.md']);
  assert.deepEqual(await paths('invoice kind:interface', {}), ['src/invoice.ts']);
});

test('an invalid filter is refused', async () => {
  await assert.rejects(search('x', { filters: { paths: ['a['] } }), { code: 'invalid_pattern' });
  await assert.rejects(search('x', { filters: { kinds: ['gizmo'] } }), { code: 'invalid_input' });
  await assert.rejects(search('x', { filters: { languages: ['klingon'] } }), { code: 'invalid_input' });
  await assert.rejects(search(' \n'), { code: 'empty_query' });
  await assert.rejects(search('x', { limit: 0 }), { code: 'invalid_input' });
  await assert.rejects(search('x', { semanticWeight: 2 }), { code: 'invalid_input' });
});

test('quoted text must occur, and negated words must not', async () => {
  const quoted = await search('"rounds half up"');
  assert.deepEqual(
    quoted.hits.map(({ path }) => path),
    ['src/money.ts'],
  );
  assert.deepEqual((await search('"rounds half down"')).hits, []);
  const { hits } = await search('invoice -retention', { filters: { paths: ['docs/**'] } });
  assert.ok(hits.length > 0 && hits.every(({ content }) => !/retention/i.test(content)));
});

test('quoted text is found inside words and without any word', async () => {
  const tall = await search('"kept for ten years"');
  assert.match(tall.hits[0]?.content ?? '', /kept for ten years/);
  const inside = await search('"nds half up, as the ta"');
  assert.deepEqual(
    inside.hits.map(({ path }) => path),
    ['src/money.ts'],
  );
  const signs = await search('"(sum, line) =>"');
  assert.equal(signs.hits[0]?.path, 'src/invoice.ts');
  const bare = await search('"): "', { limit: 50 });
  assert.deepEqual(
    bare.hits.map(({ path }) => path),
    ['src/invoice.ts'],
  );
});

test('negated qualifiers exclude the files that they name', async () => {
  const without = await paths('invoice -lang:typescript -path:docs', {});
  assert.deepEqual(without, ['java/com/shop/Invoice.java', 'jobs/billing/send_invoice.py']);
  const { hits } = await search('invoice -kind:class -kind:function', { limit: 50, mode: 'keyword' });
  assert.ok(hits.length > 0, 'something is left');
  for (const { symbol, path } of hits) assert.ok(!['class', 'function'].includes(symbol?.kind ?? ''), path);
  await assert.rejects(search('x -lang:klingon'), { code: 'invalid_input' });
});
