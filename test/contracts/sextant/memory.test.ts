/** The default profile: remember and context_search. */
import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { box, call, client, indexProject, refused } from './setup.ts';

before(indexProject);

test('a remembered decision is found by context_search (SX-17)', async () => {
  const kept = await call('remember', {
    type: 'decision',
    content: 'Tokens last one hour because the mobile app cannot refresh them in the background',
    module: 'auth',
    evidence: ['internal/auth/service.go:29-31'],
  });
  assert.equal(kept.outcome, 'created');
  const recalled = (await client.callTool({
    name: 'context_search',
    arguments: { query: 'why do tokens last one hour', type: 'decision' },
  })) as Message;
  const { results } = recalled.structuredContent;
  assert.match(recalled.content[1].uri, /\/internal\/auth\/service\.go$/);
  assert.equal(recalled.content[1].mimeType, 'text/x-go');
  assert.equal(results[0].id, kept.id);
  assert.deepEqual(results[0].evidence, ['internal/auth/service.go:29-31']);
});

test('the id of a discovery leads back to it, and locate_symbol says where (SX-17, SX-10)', async () => {
  const content = 'Refunds are paid out at night, when the bank answers';
  const { id } = await call('remember', { type: 'rule', content });
  const { results, total } = await call('context_search', { query: id });
  assert.deepEqual([total, results[0].id, results[0].content, results[0].score], [1, id, content, 1]);
  assert.deepEqual((await call('context_search', { query: id, type: 'issue' })).results, []);
  assert.match((await call('locate_symbol', { name: id })).message, new RegExp(`context_search with query: "${id}"`));
});

test('evidence stays inside the project, and only files that are there are linked (SX-17, SX-19)', async () => {
  for (const place of ['../bare/main.go:3', 'web/../../bare/main.go', '/etc/passwd'])
    await refused(
      'remember',
      { type: 'issue', content: 'Somebody else keeps this', evidence: [place] },
      'path_forbidden',
    );
  await call('remember', { type: 'issue', content: 'Basements flood in autumn', evidence: ['web/gone.ts:3'] });
  // A cloned repository brings files of memory that nobody has checked.
  box.write(
    'shop/.sextant/memory/issue-0123456789abcdef0123456789abcdef.md',
    'id: issue-0123456789abcdef0123456789abcdef\ntype: issue\ndate: 2026-01-15T10:00:00.000Z\nevidence: ../bare/main.go:1-3\n\nCellars flood in autumn too\n',
  );
  const found = (await client.callTool({
    name: 'context_search',
    arguments: { query: 'what floods in autumn', type: 'issue' },
  })) as Message;
  const { results } = found.structuredContent;
  const places = new Map(results.map(({ content, evidence }: Message) => [content, evidence ?? []]));
  assert.deepEqual(places.get('Basements flood in autumn'), ['web/gone.ts:3']);
  assert.deepEqual(places.get('Cellars flood in autumn too'), [], 'what lies outside is no evidence');
  assert.deepEqual(
    found.content.slice(1).filter(({ name }: Message) => /gone|bare/.test(name)),
    [],
  );
});

test('code has the date of its file, and no session (SX-17)', async () => {
  utimesSync(join(box.project, 'web/price.ts'), 1_700_000_000, 1_700_000_000);
  await call('index_codebase');
  const { results } = await call('context_search', { query: 'price of an item in cents' });
  const code = results.find(({ source, evidence }: Message) => source === 'code' && /price/.test(evidence[0]));
  assert.deepEqual([code.date, 'session' in code], ['2023-11-14T22:13:20.000Z', false]);
});
