/** The cortex contract: over chunk folders of others with a real embedding service beside, and over our own index. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { loadCortexConfig } from '../../src/cli/config/cortex-config.ts';
import { createProfile, writeCortexFiles } from '../../src/contracts/cortex/index.ts';
import type { Profile } from '../../src/contracts/index.ts';
import { createEmbedder } from '../../src/embed/index.ts';
import { EngineError } from '../../src/model/records/engine-errors.ts';
import { serveStdio } from '../../src/transports/index.ts';
import { type Message, type RawClient, rawClient } from './raw-client.ts';
import { command, connectProcess, processEnv, sandbox } from './real-engine.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const box = sandbox(/^(?:web|README|docs|internal\/auth\/service\.go)/);
const chunks = join(box.project, '.cortex/chunks');
const log: { level: string; message: string; fields: Message }[] = [];
const opened: { raw: RawClient; profile: Profile }[] = [];
const DIMS = 384;

/** The embedding service: words as dimensions, so that what shares words is near. */
function embedding(text: string, dims = DIMS): number[] {
  const vector = new Array<number>(dims).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let hash = 7;
    for (const char of word) hash = (hash * 31 + char.charCodeAt(0)) % dims;
    vector[hash]! += 1;
  }
  return vector;
}
let service: Server;
let endpoint = '';
let served: 'well' | 'silent' | 'broken' | 'short' = 'well';
const asked: Message[] = [];

before(async () => {
  service = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { texts, mode } = JSON.parse(body);
    asked.push({ path: request.url, texts, mode });
    if (served === 'silent') return;
    response.writeHead(served === 'broken' ? 500 : 200, { 'content-type': 'application/json' });
    const dims = served === 'short' ? 256 : DIMS;
    response.end(JSON.stringify({ embeddings: texts.map((text: string) => embedding(text, dims)) }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/embed`;
  await box.engine.index(box.project);
  writeFolder(chunks);
});
after(async () => {
  for (const { raw } of opened) await raw.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await box.close();
});

const CHUNKS: Readonly<Record<string, readonly Message[]>> = {
  'doc-chunks.json': [
    chunk('doc-auth', 'documentation', 'Why tokens expire: authentication design decisions', [
      'documentation',
      'architecture',
    ]),
    chunk('doc-setup', 'documentation', 'How to set up the project', ['documentation']),
  ],
  'code-symbols.json': [
    chunk('code-symbols-auth', 'symbols', 'Package: auth Types: AuthHandler struct', ['code', 'go', 'symbols']),
  ],
  'code-definitions.json': [
    chunk('def-login', 'definitions', 'func Login authentication handler implementation', [
      'code',
      'go',
      'definitions',
    ]),
    chunk('def-cart', 'definitions', 'function total of the cart', ['code', 'typescript', 'definitions']),
  ],
  'code-data.json': [chunk('data-db', 'data', 'database connection settings timeout', ['code', 'go', 'data'])],
};

function chunk(id: string, chunk_type: string, text: string, tags: string[]): Message {
  return {
    id,
    chunk_type,
    title: `${id} title`,
    text,
    tags,
    metadata: { source: 'code', file_path: 'internal/auth/handler.go', language: 'go', start_line: 3, end_line: 9 },
    created_at: '2025-10-16T12:35:00Z',
    updated_at: '2025-10-16T12:36:00Z',
  };
}

function fileText(list: readonly Message[], dims = DIMS): string {
  const _metadata = { model: 'test', dimensions: dims, generated: '2025-10-16T12:35:00Z', version: '2.0.0' };
  return JSON.stringify({ _metadata, chunks: list.map((one) => ({ ...one, embedding: embedding(one.text, dims) })) });
}
function writeFolder(folder: string, files = CHUNKS): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, list] of Object.entries(files)) writeFileSync(join(folder, name), fileText(list));
}

interface Places {
  readonly chunksDir?: string;
  readonly failFast?: boolean;
  readonly address?: string;
  readonly embedTimeoutMs?: number;
}

/** The profile as the composition root makes it, with the real client of the embedding service. */
function profileOf({ chunksDir, failFast = true, address = endpoint, embedTimeoutMs }: Places = {}): Profile {
  const environment = { CORTEX_EMBEDDING_ENDPOINT: address, ...(chunksDir && { CORTEX_CHUNKS_DIR: chunksDir }) };
  const loadPlaces = async () => {
    const { endpoint: baseUrl, ...places } = await loadCortexConfig(box.project, environment);
    const { embed } = createEmbedder({ provider: 'cortex', baseUrl, dims: places.dimensions, maxAttempts: 1 });
    const embedQuery = async (text: string, signal?: AbortSignal) => (await embed([text], 'query', signal))[0]!;
    return { ...places, embedQuery, ...(embedTimeoutMs && { embedTimeoutMs }) };
  };
  return createProfile({
    workspace: box.project,
    version: '1',
    log: (level, message, fields = {}) => log.push({ level, message, fields }),
    settings: { cortex: { failFast, loadPlaces } },
    engine: async () => box.engine,
  });
}

async function open(profile = profileOf(), workspace = box.project): Promise<RawClient> {
  const raw = rawClient({ profile, engine: box.engine, workspace });
  opened.push({ raw, profile });
  await raw.initialize();
  return raw;
}
async function search(raw: RawClient, query: string, more: Message = {}): Promise<Message> {
  const answer = await raw.request('tools/call', { name: 'cortex_search', arguments: { query, ...more } });
  assert.equal(answer.error, undefined, JSON.stringify(answer.error));
  assert.deepEqual(JSON.parse(answer.result.content[0].text), answer.result.structuredContent);
  return answer.result.structuredContent;
}
async function refused(raw: RawClient, args: Message, code: number): Promise<Message> {
  const { error } = await raw.request('tools/call', { name: 'cortex_search', arguments: args });
  assert.equal(error?.code, code, JSON.stringify(error));
  return error;
}
const ids = (answer: Message): string[] => answer.results.map(({ chunk: { id } }: Message) => id);

async function until(what: string, met: () => Promise<boolean> | boolean): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await met()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}

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

test('results are whole chunks without their embeddings, best first (CX-03, CX-04, CX-05, CX-08, CX-12, CX-21, CX-22)', async () => {
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
    served = 'broken';
    assert.match((await refused(raw, { query: 'x' }, -32603)).message, /HTTP 500/);
    served = 'silent';
    const late = await refused(raw, { query: 'x' }, -32603);
    assert.match(late.message, /took longer than 1500 ms/);
    assert.match(late.data.fix, /endpoint runs and answers/);
  } finally {
    served = 'well';
  }
  assert.ok((await search(raw, 'authentication')).total > 0);
});

test('malformed files are left out and named; what is missing in a chunk is not made up (CX-13)', async () => {
  const folder = join(box.folder, 'malformed');
  writeFolder(folder, { 'doc-chunks.json': CHUNKS['doc-chunks.json']! });
  writeFileSync(join(folder, 'code-symbols.json'), '{"chunks": [');
  writeFileSync(join(folder, 'code-data.json'), '"no chunks"');
  const [dated] = CHUNKS['code-definitions.json']!;
  const { created_at: _created, ...good } = { ...dated!, updated_at: 'yesterday' } as Message;
  writeFileSync(
    join(folder, 'code-definitions.json'),
    JSON.stringify([
      { ...good, embedding: embedding(good.text) },
      { id: 'without' },
      7,
      { ...good, id: 'bad', embedding: ['x'] },
    ]),
  );
  log.length = 0;
  const raw = await open(profileOf({ chunksDir: folder }));
  assert.deepEqual(ids(await search(raw, 'authentication')).sort(), ['def-login', 'doc-auth', 'doc-setup']);
  const [undated] = (await search(raw, 'login', { chunk_types: ['definitions'] })).results;
  const never = '0001-01-01T00:00:00Z';
  assert.deepEqual([undated.chunk.created_at, undated.chunk.updated_at], [never, never]);
  const skipped = log.filter(({ message }) => message === 'chunk file skipped').map(({ fields }) => fields.file);
  assert.deepEqual(skipped, ['code-data.json', 'code-symbols.json']);
  assert.ok(log.some(({ message, fields }) => message === 'malformed chunks skipped' && fields.chunks === 3));
});

const startFails = async (profile: Profile, words: RegExp) =>
  assert.rejects(profile.start!(), (error) => {
    assert.ok(error instanceof EngineError);
    assert.match(error.message, words);
    // The doctor looks at our own configuration, not at this one; and our own provider is not the one that is asked.
    if (error.code === 'invalid_config') assert.doesNotMatch(error.fix, /doctor/);
    else assert.match(error.fix, /\.cortex\/config\.yml/);
    return true;
  });

test('what cannot work fails at the start, in words (CX-14, CX-15, CX-16)', async () => {
  await startFails(profileOf({ chunksDir: join(box.folder, 'nowhere') }), /CORTEX_CHUNKS_DIR.*nowhere does not exist/);
  await startFails(profileOf({ address: 'http://127.0.0.1:9/embed' }), /127\.0\.0\.1:9.*did not answer/);
  served = 'short';
  try {
    await startFails(profileOf(), /256 dimensions, not 384/);
  } finally {
    served = 'well';
  }
  const folder = join(box.folder, 'short');
  mkdirSync(folder);
  writeFileSync(join(folder, 'code-data.json'), fileText(CHUNKS['code-data.json']!, 256));
  await startFails(profileOf({ chunksDir: folder }), /data-db in code-data\.json has 256 dimensions, 384 are expected/);
});

test('beside other profiles a failing start refuses calls until it can be made good (CX-15, CX-28)', async () => {
  served = 'broken';
  const raw = await open(profileOf({ failFast: false }));
  assert.match((await refused(raw, { query: 'x' }, -32603)).message, /HTTP 500/);
  served = 'well';
  assert.ok((await search(raw, 'authentication')).total > 0);
});

test('changed files are taken over when they have been quiet, whole; broken ones leave the old state (CX-17, CX-18, CX-25, CX-26)', async () => {
  const folder = join(box.folder, 'reloaded');
  writeFolder(folder);
  const raw = await open(profileOf({ chunksDir: folder }));
  assert.equal((await search(raw, 'authentication', { limit: 100 })).total, 6);
  log.length = 0;
  const more = [...CHUNKS['code-data.json']!, chunk('data-new', 'data', 'brand new constant', ['code'])];
  // Several files in quick succession, as an indexer writes them: one reload.
  writeFileSync(join(folder, 'code-data.json'), fileText(CHUNKS['code-data.json']!.slice(0, 0)));
  writeFileSync(join(folder, 'doc-chunks.json'), fileText(CHUNKS['doc-chunks.json']!.slice(0, 1)));
  writeFileSync(join(folder, 'code-data.json'), fileText(more));
  const all = async () => ids(await search(raw, 'brand new constant', { limit: 100 })).sort();
  const old = ['code-symbols-auth', 'data-db', 'def-cart', 'def-login', 'doc-auth', 'doc-setup'];
  const fresh = ['code-symbols-auth', 'data-db', 'data-new', 'def-cart', 'def-login', 'doc-auth'];
  await until('reloaded', async () => {
    const seen = await all();
    assert.ok([old.join(), fresh.join()].includes(seen.join()), seen.join());
    return seen.includes('data-new');
  });
  assert.equal(log.filter(({ message }) => message === 'chunks reloaded').length, 1);

  writeFileSync(join(folder, 'code-symbols.json'), '{"chunks": [{"id"');
  await until('refused', () =>
    log.some(({ level, fields }) => level === 'error' && /code-symbols\.json is malformed/.test(fields.reason)),
  );
  assert.equal((await search(raw, 'x', { limit: 100 })).total, 6, 'the old state answers');
  writeFileSync(join(folder, 'code-symbols.json'), fileText(CHUNKS['code-symbols.json']!));
  renameSync(join(folder, 'code-definitions.json'), join(folder, 'gone'));
  await until('missing', () => log.some(({ fields }) => /code-definitions\.json is missing/.test(fields.reason ?? '')));
  assert.equal((await search(raw, 'x', { limit: 100 })).total, 6);
  writeFileSync(join(folder, 'code-definitions.json'), fileText(CHUNKS['code-definitions.json']!.slice(0, 1)));
  await until('repaired', async () => (await search(raw, 'x', { limit: 100 })).total === 5);
  writeFileSync(join(folder, 'new.json'), '{"chunks": [');
  await until('named', () =>
    log.some(({ message, fields }) => message === 'chunk file skipped' && fields.file === 'new.json'),
  );

  await raw.close();
  log.length = 0;
  writeFolder(folder);
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert.deepEqual(log, [], 'nobody looks at it any more');
});

test('a folder that is put in the place of another is followed like the first (CX-17)', async (t) => {
  // Nobody looks now and then: what is taken over was told by events.
  t.mock.timers.enable({ apis: ['setInterval'] });
  const folder = join(box.folder, 'swapped');
  writeFolder(folder);
  const raw = await open(profileOf({ chunksDir: folder }));
  const data = (id: string) => ({ ...CHUNKS, 'code-data.json': [chunk(id, 'data', 'brand new constant', ['code'])] });
  const isFirst = async (id: string) => ids(await search(raw, 'brand new constant', { limit: 1 }))[0] === id;
  writeFolder(`${folder}-next`, data('data-second'));
  renameSync(folder, `${folder}-before`);
  renameSync(`${folder}-next`, folder);
  await until('swapped', () => isFirst('data-second'));
  writeFolder(folder, data('data-third'));
  await until('changed after that', () => isFirst('data-third'));
});

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

test('an overview says how much is in its file, a document what it is written in (CX-05)', async () => {
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
    settings.results.map(({ chunk: { metadata } }: Message) => metadata.file_path),
    ['pom.xml'],
  );
});

test('our index written as chunk files is read again, with the vectors it has (CX-12, CX-27)', async () => {
  const folder = join(box.folder, 'written');
  const written = await writeCortexFiles(box.engine, box.project, folder);
  assert.deepEqual(readdirSync(folder).sort(), Object.keys(CHUNKS).sort());
  for (const { name, chunks: count } of written.files) {
    const { _metadata, chunks: list } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    assert.equal(list.length, count);
    assert.deepEqual([_metadata.model, _metadata.dimensions], [written.modelId, written.dims]);
    for (const { id, chunk_type, title, text, tags, metadata, embedding: vector } of list) {
      assert.equal(chunk_type, _metadata.chunk_type);
      assert.ok(
        id && title && text && tags.length >= 2 && metadata.file_path,
        JSON.stringify({ id, title, text, tags }),
      );
      assert.equal(vector.length, written.dims);
      assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-3);
    }
  }
  const { chunks: symbols } = JSON.parse(readFileSync(join(folder, 'code-symbols.json'), 'utf8'));
  const service = symbols.find(({ id }: Message) => id === 'code-symbols-internal-auth-service-go');
  assert.deepEqual(
    [
      service.metadata.imports_count,
      service.metadata.types_count,
      service.metadata.functions_count,
      service.metadata.package,
    ],
    [1, 2, 4, 'auth'],
  );
  const all = Object.keys(CHUNKS).flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).chunks);
  assert.equal(new Set(all.map(({ id }: Message) => id)).size, all.length, 'ids are unique');
  // Each chunk is nearest to itself: read back by the profile with one of its own vectors as the question.
  const profile = createProfile({
    workspace: box.project,
    version: '1',
    log: () => {},
    settings: {
      cortex: {
        failFast: true,
        loadPlaces: async () => ({
          chunksDir: folder,
          within: null,
          namedBy: 'test',
          dimensions: written.dims,
          embedQuery: async () => service.embedding,
        }),
      },
    },
    engine: async () => box.engine,
  });
  assert.equal(ids(await search(await open(profile), 'anything'))[0], service.id);
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

test('what `sextant export --cortex` wrote is served with the model that made it (CX-12, CX-27)', async () => {
  box.write('exported/lamp.ts', '/** Turns the lamp on. */\nexport function light() {\n  return true;\n}\n');
  const exported = join(box.folder, 'exported');
  command(box, 'index', exported);
  command(box, 'export', exported, '--cortex', join(exported, '.cortex/chunks'));
  await findsLamp(exported);
});

test('`sextant export --cortex --dimensions 384` writes 384 numbers, and they are served (CX-29)', async () => {
  box.write('wide/lamp.ts', '/** Turns the lamp on. */\nexport function light() {\n  return true;\n}\n');
  const wide = join(box.folder, 'wide');
  command(box, 'index', wide);
  command(box, 'export', wide, '--cortex', join(wide, '.cortex/chunks'), '--dimensions', '384');
  const { _metadata, chunks } = JSON.parse(box.read('wide/.cortex/chunks/code-definitions.json'));
  assert.deepEqual([_metadata.dimensions, chunks[0].embedding.length], [384, 384]);
  await findsLamp(wide);
});

async function findsLamp(folder: string): Promise<void> {
  const client = await connectProcess(box, ['--profile', 'cortex', '--workspace', folder]);
  try {
    const { structuredContent } = (await client.callTool({
      name: 'cortex_search',
      arguments: { query: 'turn on the lamp', chunk_types: ['definitions'] },
    })) as Message;
    assert.deepEqual(ids(structuredContent), ['code-definitions-lamp-ts']);
  } finally {
    await client.close();
  }
}

test('a reload is reported on standard error, --verbose or not (CX-17)', async () => {
  const folder = join(box.folder, 'told');
  writeFolder(folder);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'dist/main.js'), 'serve-mcp', '--profile', 'cortex', '--workspace', box.project],
    cwd: root,
    env: { ...processEnv(box), CORTEX_CHUNKS_DIR: folder, CORTEX_EMBEDDING_ENDPOINT: endpoint },
    stderr: 'pipe',
  });
  let told = '';
  transport.stderr!.on('data', (text) => {
    told += text;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  try {
    writeFileSync(join(folder, 'code-data.json'), fileText([]));
    await until('told', () => /"chunks":5,"msg":"chunks reloaded"/.test(told));
  } finally {
    await client.close();
  }
});

test('the shipped command reads config.yml and the environment (CX-19, CX-20, CX-14)', async () => {
  const config = join(box.project, '.cortex/config.yml');
  writeFolder(join(box.project, 'made/here'), { 'code-data.json': CHUNKS['code-data.json']! });
  writeFileSync(
    config,
    `embedding:\n  endpoint: "${endpoint}"\n  dimensions: ${DIMS}\nserver:\n  chunks_dir: "made/here"\n`,
  );
  const args = [join(root, 'dist/main.js'), 'serve-mcp', '--profile', 'cortex', '--workspace', box.project];
  const env = { PATH: process.env.PATH ?? '', HOME: box.folder, SEXTANT_HOME: box.home };
  const found = async (more: Record<string, string>) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: root, env: { ...env, ...more } }),
    );
    const result = (await client.callTool({
      name: 'cortex_search',
      arguments: { query: 'database', limit: 100 },
    })) as Message;
    await client.close();
    return ids(result.structuredContent).sort();
  };
  try {
    assert.deepEqual(await found({}), ['data-db']);
    writeFileSync(config, 'embedding:\n  endpoint: "http://127.0.0.1:9/embed"\nserver:\n  chunks_dir: "made/here"\n');
    const both = { CORTEX_CHUNKS_DIR: chunks, CORTEX_EMBEDDING_ENDPOINT: endpoint };
    assert.equal((await found(both)).length, 6);
    const failed = spawnSync(process.execPath, args, {
      cwd: root,
      env: { ...env, CORTEX_CHUNKS_DIR: '/no/such/chunks' },
      encoding: 'utf8',
      input: '',
    });
    assert.notEqual(failed.status, 0);
    assert.match(failed.stderr, /\/no\/such\/chunks does not exist/);
    assert.equal(failed.stdout, '');
  } finally {
    rmSync(config);
  }
});
