/** cortex: the tool and what it answers over chunk files. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Message, rawClient } from '../raw-client.ts';
import {
  asked,
  box,
  CHUNKS,
  chunk,
  embedding,
  ids,
  open,
  profileOf,
  refused,
  search,
  setService,
  writeFolder,
} from './setup.ts';

test('the server and its one tool (CX-01, CX-02)', async () => {
  const raw = rawClient({ profile: profileOf(), engine: box.engine, workspace: box.project });
  const { result } = await raw.initialize('2024-11-05');
  assert.deepEqual(result.serverInfo, { name: 'cortex-mcp', version: '1.0.0' });
  await raw.close();
  const modern = await open();
  const { tools } = (await modern.request('tools/list')).result;
  assert.equal(tools.length, 1);
  const [{ name, description, annotations, inputSchema, outputSchema, title, icons }] = tools;
  assert.deepEqual(
    [name, description],
    ['cortex_search', 'Search for relevant context in the project codebase and documentation'],
  );
  assert.deepEqual([annotations.readOnlyHint, annotations.destructiveHint], [true, false]);
  assert.ok(title && icons.length > 0 && outputSchema.required.includes('total'));
  const { query, limit, tags, chunk_types } = inputSchema.properties;
  assert.equal(query.type, 'string');
  assert.deepEqual([limit.type, limit.minimum, limit.maximum, limit.default], ['integer', 1, 100, 15]);
  assert.deepEqual(
    [tags.type, tags.items.type, chunk_types.type, chunk_types.items.type],
    ['array', 'string', 'array', 'string'],
  );
  assert.deepEqual(inputSchema.required, ['query']);
});

test('results are whole chunks without their embeddings, best first (CX-03, CX-04, CX-05, CX-08, CX-12, CX-21, CX-22, CX-37, CX-38)', async () => {
  const raw = await open();
  const answer = await search(raw, 'authentication handler implementation');
  assert.deepEqual(Object.keys(answer), ['results', 'total']);
  assert.equal(answer.total, answer.results.length);
  assert.equal(answer.total, 6, 'all four files');
  const [best] = answer.results;
  assert.deepEqual(best.chunk, CHUNKS['code-definitions.json']![0]);
  assert.deepEqual(Object.keys(best), ['chunk', 'combined_score']);
  const [question, text] = [embedding('authentication handler implementation'), embedding(best.chunk.text)];
  const dot = question.reduce((sum, value, d) => sum + value * text[d]!, 0);
  assert.ok(Math.abs(best.combined_score - dot / (Math.hypot(...question) * Math.hypot(...text))) < 1e-6);
  answer.results.forEach(({ combined_score: score }: Message, i: number) => {
    assert.ok(i === 0 || score <= answer.results[i - 1].combined_score);
  });
  assert.equal(JSON.stringify(answer).includes('embedding'), false);
  assert.deepEqual(asked.at(-1), { path: '/embed', texts: ['authentication handler implementation'], mode: 'query' });
  assert.deepEqual(await search(raw, 'authentication handler implementation'), answer);
});

test('a chunk that points away from the question is no result (CX-37)', async () => {
  const folder = join(box.folder, 'away');
  writeFolder(folder, {});
  const of = (id: string, factor: number) => ({
    ...chunk(id, 'data', id, []),
    embedding: embedding('retry limit').map((value) => value * factor),
  });
  writeFileSync(join(folder, 'code-data.json'), JSON.stringify([of('away', -1), of('near', 0.5), of('zero', 0)]));
  const { results } = await search(await open(profileOf({ chunksDir: folder })), 'retry limit');
  assert.deepEqual(
    results.map(({ chunk: { id }, combined_score: score }: Message) => [id, Math.round(score * 1e4) / 1e4]),
    [
      ['near', 1],
      ['zero', 0],
    ],
  );
});

test('chunk types and tags narrow, all tags must be there, before the limit (CX-06, CX-07, CX-24)', async () => {
  const raw = await open();
  const of = async (more: Message) => ids(await search(raw, 'authentication design decisions', more)).sort();
  assert.deepEqual(await of({ chunk_types: ['documentation'] }), ['doc-auth', 'doc-setup']);
  assert.deepEqual(await of({ chunk_types: ['documentation'], tags: ['architecture'] }), ['doc-auth']);
  assert.deepEqual(await of({ chunk_types: ['symbols', 'data'] }), ['code-symbols-auth', 'data-db']);
  assert.deepEqual(await of({ tags: ['typescript', 'code'] }), ['def-cart']);
  assert.deepEqual(await of({ tags: ['typescript', 'go'] }), []);
  assert.deepEqual(await of({ chunk_types: ['poetry'] }), []);
  assert.deepEqual(await of({ chunk_types: [], tags: [], limit: 100 }), [
    'code-symbols-auth',
    'data-db',
    'def-cart',
    'def-login',
    'doc-auth',
    'doc-setup',
  ]);
  // The one that fits is the last of all by score.
  const narrowed = await search(raw, 'func Login authentication handler implementation', {
    tags: ['typescript'],
    limit: 1,
  });
  assert.deepEqual(ids(narrowed), ['def-cart']);
});

test('an empty query and wrong types: -32602; a limit out of range is clamped (CX-09, CX-10)', async () => {
  const raw = await open();
  for (const args of [
    {},
    { query: '' },
    { query: '  \n' },
    { query: 5 },
    { query: 'x', tags: 'go' },
    { query: 'x', limit: 'ten' },
  ])
    await refused(raw, args, -32602);
  assert.equal((await search(raw, 'authentication', { limit: 0 })).total, 1);
  assert.equal((await search(raw, 'authentication', { limit: -7 })).total, 1);
  assert.equal((await search(raw, 'authentication', { limit: 2.9 })).total, 2);
  assert.equal((await search(raw, 'authentication', { limit: 100_000 })).total, 6);
});

test('a limit of 100 is the most, 15 the usual (CX-02, CX-10)', async () => {
  const folder = join(box.folder, 'many');
  const many = Array.from({ length: 120 }, (_, i) =>
    chunk(`n${String(i).padStart(3, '0')}`, 'data', 'same words', ['code']),
  );
  writeFolder(folder, { 'code-data.json': many });
  const raw = await open(profileOf({ chunksDir: folder }));
  assert.equal((await search(raw, 'same words')).total, 15);
  assert.equal((await search(raw, 'same words', { limit: 500 })).total, 100);
  assert.deepEqual(ids(await search(raw, 'same words', { limit: 3 })), ['n000', 'n001', 'n002'], 'ties by id (CX-22)');
});

test('an embedding that fails or takes too long: -32603 (CX-11)', async () => {
  const raw = await open(profileOf({ embedTimeoutMs: 1500 }));
  try {
    setService('broken');
    assert.match((await refused(raw, { query: 'x' }, -32603)).message, /HTTP 500/);
    setService('silent');
    const late = await refused(raw, { query: 'x' }, -32603);
    assert.match(late.message, /took longer than 1500 ms/);
    assert.match(late.data.fix, /endpoint runs and answers/);
  } finally {
    setService('well');
  }
  assert.ok((await search(raw, 'authentication')).total > 0);
});
