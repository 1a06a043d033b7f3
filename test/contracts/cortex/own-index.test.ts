/** cortex: our own index answers where there are no chunk files. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { createProfile } from '../../../src/contracts/cortex/index.ts';
import type { Profile } from '../../../src/contracts/index.ts';
import { serveStdio } from '../../../src/transports/index.ts';
import type { Message } from '../raw-client.ts';
import { box, open, profileOf, refused, search } from './setup.ts';

test('without a chunk folder our own index answers in the same form (CX-23, CX-03, CX-04, CX-05, CX-06, CX-07)', async () => {
  const plain = createProfile({ workspace: null, version: '1', log: () => {}, engine: async () => box.engine });
  const raw = await open(plain);
  const answer = await search(raw, 'adds up what is in the cart');
  const [{ chunk: best, combined_score: score }] = answer.results;
  assert.ok(score > 0 && score <= 1 && answer.total === answer.results.length);
  assert.deepEqual(Object.keys(best), [
    'id',
    'chunk_type',
    'title',
    'text',
    'tags',
    'metadata',
    'created_at',
    'updated_at',
  ]);
  assert.deepEqual(
    [best.metadata.file_path, best.metadata.source, best.metadata.language],
    ['web/cart.ts', 'code', 'typescript'],
  );
  assert.ok(
    ['code', 'typescript', 'web'].every((tag) => best.tags.includes(tag)),
    best.tags.join(),
  );
  assert.equal(new Date(best.updated_at).toISOString(), best.updated_at);
  const docs = await search(raw, 'installation', { chunk_types: ['documentation'] });
  assert.ok(
    docs.total > 0 && docs.results.every(({ chunk: { chunk_type } }: Message) => chunk_type === 'documentation'),
  );
  const go = await search(raw, 'user', { tags: ['go', 'code'] });
  assert.ok(go.total > 0 && go.results.every(({ chunk: { metadata } }: Message) => metadata.language === 'go'));
  assert.deepEqual((await search(raw, 'user', { tags: ['go', 'typescript'] })).results, []);
  assert.equal((await search(raw, 'user', { chunk_types: ['poetry'] })).total, 0);
  assert.match((await refused(await open(plain, box.bare), { query: 'main' }, -32603)).message, /No index for/);
  await refused(raw, { query: ' ' }, -32602);
});

const ownIndex = () => createProfile({ workspace: null, version: '1', log: () => {}, engine: async () => box.engine });

test('what was asked and read before changes no answer, and a query leaves nothing behind (CX-22)', async () => {
  const raw = await open(ownIndex());
  const ask = () => search(raw, 'what is the price of the cart', { limit: 5 });
  const before = await ask();
  assert.ok(before.total > 1);
  const seen = () => new Promise((resolve) => setImmediate(resolve));
  await seen();
  assert.deepEqual(await box.engine.accesses(box.project), []);
  assert.deepEqual(await box.engine.sessions(box.project), []);
  const last = before.results.at(-1).chunk.metadata.file_path;
  for (let i = 0; i < 20; i++) {
    await box.engine.readFile(box.project, { path: last, session: 'another' });
    await seen();
  }
  assert.equal((await box.engine.accesses(box.project))[0]!.path, last);
  assert.deepEqual(await ask(), before);
});

test('a chunk has the dates of its file, whatever else is changed (CX-22)', async () => {
  const raw = await open(ownIndex());
  const best = async () => (await search(raw, 'adds up what is in the cart')).results[0].chunk;
  const before = await best();
  const modified = new Date(statSync(join(box.project, 'web/cart.ts')).mtimeMs).toISOString();
  assert.deepEqual([before.metadata.file_path, before.updated_at], ['web/cart.ts', modified]);
  box.write('shop/docs/later.md', '# Later\n\nWritten when everything else was there.\n');
  await box.engine.index(box.project);
  assert.deepEqual(await best(), before);
});

test('an id means one chunk, whatever was asked', async () => {
  const steps = Array.from({ length: 12 }, (_, i) => `    const step${i} = amount + ${i};\n`).join('');
  const methods = Array.from({ length: 12 }, (_, i) => `\n  book${i}(amount: number) {\n${steps}  }\n`).join('');
  box.write(
    'books/ledger.ts',
    `/** What was booked. */\nexport class Ledger {\n  readonly booked = [];\n${methods}}\n`,
  );
  const books = join(box.folder, 'books');
  await box.engine.index(books);
  // The head of a long class: other profiles join it with the first of its members, unless a filter leaves that out.
  const joined = (await box.engine.search(books, { query: 'Ledger' })).hits[0]!;
  assert.deepEqual([joined.startLine, joined.endLine], [1, 3]);
  const raw = await open(ownIndex(), books);
  const [whole] = (await search(raw, 'Ledger')).results;
  const [narrow] = (await search(raw, 'Ledger', { chunk_types: ['definitions'] })).results;
  assert.deepEqual([whole.chunk.metadata.start_line, whole.chunk.metadata.end_line], [1, 2]);
  assert.deepEqual(narrow.chunk, whole.chunk);
});

test('an overview says how much is in its file, a document what it is written in (CX-05, CX-34)', async () => {
  const raw = await open(ownIndex());
  const [overview] = (await search(raw, 'auth service', { chunk_types: ['symbols'], tags: ['go'] })).results;
  const { file_path, imports_count, types_count, functions_count } = overview.chunk.metadata;
  assert.deepEqual(
    [file_path, imports_count, types_count, functions_count],
    ['internal/auth/service.go', 1, 2, 4],
    'as an export has them',
  );
  for (const [name, language] of [
    ['guide.md', 'markdown'],
    ['guide.rst', 'rst'],
    ['guide.txt', 'text'],
  ])
    box.write(`manual/${name}`, 'Guide\n=====\n\nHow the lamp is changed.\n'.replace('lamp', `${language} lamp`));
  box.write('manual/pom.xml', '<project>\n  <build>\n    <lamp>changed</lamp>\n  </build>\n</project>\n');
  const manual = join(box.folder, 'manual');
  await box.engine.index(manual);
  const asked = await open(ownIndex(), manual);
  const { results } = await search(asked, 'how is the lamp changed', { chunk_types: ['documentation'] });
  assert.deepEqual(results.map(({ chunk: { metadata } }: Message) => metadata.source).sort(), [
    'markdown',
    'rst',
    'text',
  ]);
  const settings = await search(asked, 'how is the lamp changed', { chunk_types: ['data'] });
  assert.deepEqual(
    [...new Set(settings.results.map(({ chunk: { metadata } }: Message) => metadata.file_path))],
    ['pom.xml'],
  );
});

test('where chunk files answer, no index of our own is made or followed (CX-12)', async () => {
  const asked: boolean[] = [];
  const ask = async (profile: Profile) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const call = { name: 'cortex_search', arguments: { query: 'authentication' } };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
    ];
    const output = new PassThrough();
    await serveStdio({
      engine: async (usesIndex) => {
        asked.push(usesIndex);
        return box.engine;
      },
      profile,
      workspace: box.project,
      version: '1',
      log: () => {},
      input: Readable.from(messages.map((message) => Buffer.from(`${JSON.stringify(message)}\n`))),
      output,
    });
    assert.match(String(output.read()), /"id":2.*auth|auth.*"id":2/s);
  };
  await ask(profileOf());
  await ask(createProfile({ workspace: box.project, version: '1', log: () => {}, engine: async () => box.engine }));
  assert.deepEqual(asked, [false, true]);
});
