/** Discoveries that are edited, forgotten, imported, or contradict each other. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { search, space } from './context-search-setup.ts';

test('edit, forget and import: recorded and mined ones', async () => {
  const { discovery } = await space.engine.remember(space.root, { type: 'rule', content: 'Prices are kept in cents.' });
  const changed = await space.engine.editDiscovery(space.root, discovery.id, {
    content: 'Prices are kept in cents, as integers.',
    module: 'billing',
  });
  assert.deepEqual([changed.id, changed.module], [discovery.id, 'billing']);
  await assert.rejects(space.engine.editDiscovery(space.root, discovery.id, { content: 'Ask jane@corp.org' }), {
    code: 'secret_refused',
  });
  await assert.rejects(space.engine.editDiscovery(space.root, 'rule-none', { content: 'Something.' }), {
    code: 'discovery_not_found',
  });
  const [rule] = (await search('log the address of a customer', { type: 'rule' })).results;
  const edited = await space.engine.editDiscovery(space.root, rule!.id, {
    content: 'Never log an address of a customer; log the id.',
  });
  assert.deepEqual([edited.id, edited.origin, edited.confidence], [rule!.id, 'person', 1]);
  assert.equal((await space.engine.discovery(space.root, rule!.id)).discovery.content, edited.content);
  const exported = await space.engine.discoveries(space.root, { recorded: true });
  assert.equal(await space.engine.forget(space.root, discovery.id), true);
  assert.equal(await space.engine.forget(space.root, discovery.id), false);
  const taken = await space.engine.importDiscoveries(space.root, [
    ...exported,
    { ...exported[0]!, id: 'rule-secret', content: `The key is AKIA${'Q7'.repeat(8)}` },
  ]);
  assert.deepEqual([taken.created, taken.updated, taken.unchanged], [1, 0, exported.length - 1]);
  assert.deepEqual(
    taken.refused.map(({ id }) => id),
    ['rule-secret'],
  );
  const [issue] = (await search('two requests refresh the same token at once', { type: 'issue' })).results;
  assert.equal((await space.engine.discovery(space.root, issue!.id)).file, null);
  assert.equal(await space.engine.forget(space.root, issue!.id), true);
  assert.ok(
    !(await search('two requests refresh the same token at once', { type: 'issue' })).results.some(
      ({ id }) => id === issue!.id,
    ),
    'a mined one stays away',
  );
  assert.ok(
    !(await space.anotherEngine().discoveries(space.root)).some(({ id }) => id === issue!.id),
    'for others too',
  );
});

test('what contradicts a rule of a guide is linked to it', async () => {
  // By a process that has not mined anything yet.
  const { outcome, discovery } = await space.anotherEngine().remember(space.root, {
    type: 'rule',
    content: 'Logging: log a customer address with the customer id.',
  });
  assert.equal(outcome, 'linked');
  const known = await space.engine.discoveries(space.root);
  assert.ok(
    discovery.contradicts.every((id) => known.some((each) => each.id === id)),
    JSON.stringify(discovery.contradicts),
  );
});

test('a broken file of memory is skipped and named', async () => {
  const { storeFolder } = await space.engine.project(space.root);
  const folder = join(storeFolder, 'memory');
  writeFileSync(join(folder, 'broken.md'), 'type: rule\n\nWithout an id.\n');
  assert.deepEqual(await space.engine.brokenMemories(space.root), [
    { file: join(folder, 'broken.md'), reason: 'it cannot be read as a discovery' },
  ]);
  assert.ok((await space.engine.discoveries(space.root, { recorded: true })).length > 0, 'the others are read');
  assert.match(readFileSync(join(folder, 'broken.md'), 'utf8'), /Without an id/);
  assert.ok(
    readdirSync(folder).every((name) => name.endsWith('.md') || name === 'forgotten'),
    readdirSync(folder).join(),
  );
});

test('a contradiction is shown at both ends, and at none once one of them is forgotten', async () => {
  const record = async (content: string) =>
    (await space.engine.remember(space.root, { type: 'rule', content })).discovery.id;
  const older = await record('Receipts are archived in Glacier');
  const newer = await record('Receipts are archived in Tarsnap');
  const linked = async (id: string) => (await space.engine.discovery(space.root, id)).discovery.contradicts;
  assert.deepEqual([await linked(older), await linked(newer)], [[newer], [older]]);
  const { results } = await search('where are receipts archived', { limit: 20 });
  assert.deepEqual(results.find(({ id }) => id === older)?.contradicts, [newer]);
  await space.engine.forget(space.root, newer);
  assert.deepEqual(await linked(older), []);
});

test('a rule that several packages repeat word for word is one answer, and each module has it', async () => {
  const guide = '# Contributing\n\nNever open a pull request against a mirrored package.\n';
  for (const name of ['one', 'two', 'three'])
    for (const [file, text] of [
      ['package.json', `{"name": "${name}"}\n`],
      ['CONTRIBUTING.md', guide],
    ] as const)
      space.write(`packages/${name}/${file}`, text);
  await space.engine.index(space.root);
  const found = async (rest = {}) =>
    (await search('may I open a pull request against a mirrored package', { limit: 20, ...rest })).results.filter(
      ({ content }) => content.includes('mirrored package'),
    );
  assert.equal((await found()).length, 1);
  assert.deepEqual(
    (await found({ module: 'two' })).map(({ module }) => module),
    ['two'],
  );
});

test('what replaces an entry must be there, and is not itself; a module is called by its name', async () => {
  const { id } = (await space.engine.remember(space.root, { type: 'rule', content: 'Vouchers run out after a year' }))
    .discovery;
  const edit = (changes: object) => space.engine.editDiscovery(space.root, id, changes);
  await assert.rejects(edit({ supersededBy: 'rule-that-is-none' }), { code: 'discovery_not_found' });
  await assert.rejects(edit({ supersededBy: id }), { code: 'invalid_input' });
  assert.equal((await edit({ module: 'BILLING' })).module, 'billing');
});
