import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { EngineError } from '../../model/records/engine-errors.ts';
import { createEmbedder } from '../create-embedder.ts';
import { type Asked, startServer } from './test-server.ts';

const KEY = 'sk-very-secret-1234';
const server = await startServer(() => ({}));
after(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
});

/** A vector that says which text it is for: its length on the first axis, 1 on the second. */
const vectorOf = (text: string) => [text.length, 1, 0];
const embeddings = (asked: Asked) => ((asked.body.input ?? asked.body.texts) as string[]).map(vectorOf);
const fast = { backoffMs: 1, dims: 3 };

function assertVector(actual: Float32Array | undefined, text: string): void {
  const expected = vectorOf(text);
  const length = Math.hypot(...expected);
  assert.ok(actual);
  expected.forEach((value, d) => {
    assert.ok(Math.abs(actual[d]! - value / length) < 1e-6, `${[...actual]} for ${text}`);
  });
}

function failsWith(code: string, reason: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, reason);
    assert.ok(
      !JSON.stringify([error.message, error.data, error.fix, String(error.cause)]).includes(KEY),
      'the key shows',
    );
    return true;
  };
}

test('OpenAI-compatible: path, key, batches, answers out of order', async () => {
  server.reply = (asked) => ({
    body: {
      data: embeddings(asked)
        .map((embedding, index) => ({ index, embedding }))
        .reverse(),
    },
  });
  const embedder = createEmbedder({
    provider: 'openai',
    baseUrl: `${server.url}/v1/`,
    model: 'some-model',
    apiKey: KEY,
    batchSize: 2,
    ...fast,
  });
  const texts = ['a', 'bb', '  ', 'cccc', 'ddddd', 'eeeeee'];
  const vectors = await embedder.embed(texts, 'passage');
  assert.equal(vectors.length, texts.length);
  texts.forEach((text, i) => {
    if (text.trim()) assertVector(vectors[i], text);
  });
  assert.deepEqual(vectors[2], new Float32Array(3), 'a blank text is not sent');
  assert.deepEqual(server.asked.map((a) => (a.body.input as string[]).length).sort(), [1, 2, 2]);
  for (const asked of server.asked) {
    assert.equal(asked.path, '/v1/embeddings');
    assert.equal(asked.headers.authorization, `Bearer ${KEY}`);
    assert.equal(asked.body.model, 'some-model');
    assert.equal('dimensions' in asked.body, false);
  }
  await embedder.close();
});

test("models of OpenAI's third generation are asked for shortened vectors", async () => {
  server.reply = (asked) => ({ body: { data: embeddings(asked).map((embedding) => ({ embedding })) } });
  const embedder = createEmbedder({
    provider: 'openai',
    baseUrl: server.url,
    model: 'text-embedding-3-small',
    ...fast,
  });
  await embedder.embed(['x'], 'query');
  assert.equal(server.asked[0]!.body.dimensions, 3);
  assert.equal(createEmbedder({ provider: 'openai' }).dims, 1536);
});

test('Ollama gets the prefixes of its model, which are part of the embedder id', async () => {
  server.reply = (asked) => ({ body: { embeddings: embeddings(asked) } });
  const embedder = createEmbedder({ provider: 'ollama', baseUrl: server.url, ...fast });
  await embedder.embed(['find me'], 'query');
  await embedder.embed(['found'], 'passage');
  assert.equal(server.asked[0]!.path, '/api/embed');
  assert.deepEqual(server.asked[0]!.body.input, ['search_query: find me']);
  assert.deepEqual(server.asked[1]!.body.input, ['search_document: found']);
  assert.ok(embedder.id.endsWith('/search_query: /search_document: '), embedder.id);
});

test('cortex-embed: texts and mode, address with or without the path', async () => {
  server.reply = (asked) => ({ body: { embeddings: embeddings(asked) } });
  for (const baseUrl of [server.url, `${server.url}/embed`]) {
    const embedder = createEmbedder({ provider: 'cortex', baseUrl, ...fast });
    assertVector((await embedder.embed(['how'], 'query'))[0], 'how');
  }
  assert.deepEqual(
    server.asked.map(({ path, body }) => ({ path, body })),
    Array(2).fill({ path: '/embed', body: { texts: ['how'], mode: 'query' } }),
  );
  const versioned = createEmbedder({ provider: 'cortex', baseUrl: `${server.url}/v1/?version=2`, ...fast });
  await versioned.embed(['how'], 'query');
  assert.equal(server.asked[2]!.path, '/v1/embed?version=2');
  // A project's own file may name such an address: it is the path that counts.
  for (const tail of ['?x=/embed', '#/embed', '#']) {
    await createEmbedder({ provider: 'cortex', baseUrl: `${server.url}/shutdown${tail}`, ...fast }).embed(
      ['x'],
      'query',
    );
    assert.match(server.asked.at(-1)!.path, /^\/shutdown\/embed/);
  }
  assert.equal(createEmbedder({ provider: 'cortex' }).dims, 384);
});

test('temporary failures are retried, others are not', async () => {
  const embedder = createEmbedder({ provider: 'cortex', baseUrl: server.url, apiKey: KEY, maxAttempts: 3, ...fast });
  server.reply = (asked, number) =>
    number < 3 ? { status: number === 1 ? 503 : 429 } : { body: { embeddings: embeddings(asked) } };
  assertVector((await embedder.embed(['again'], 'query'))[0], 'again');
  assert.equal(server.asked.length, 3);

  server.asked.length = 0;
  server.reply = () => ({ status: 500, body: { error: `broken near ${KEY}` } });
  await assert.rejects(embedder.embed(['x'], 'query'), failsWith('provider_unavailable', /HTTP 500: broken near …/));
  assert.equal(server.asked.length, 3);

  server.asked.length = 0;
  server.reply = () => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } });
  await assert.rejects(embedder.embed(['x'], 'query'), failsWith('provider_misconfigured', /the key was refused/));
  server.reply = () => ({ status: 404, body: { error: 'model "m" not found, try pulling it first' } });
  await assert.rejects(embedder.embed(['x'], 'query'), failsWith('provider_misconfigured', /try pulling it/));
  assert.equal(server.asked.length, 2);
});

test('a server that refuses a batch gets it in halves, and the beginning of a too long text', async () => {
  const texts = ['a', 'bb', 'ccc', 'd'.repeat(4000), 'e'];
  server.reply = (asked) => {
    const sent = asked.body.texts as string[];
    if (sent.length > 2) return { status: 422, body: { error: 'batch size 5 > maximum allowed batch size 2' } };
    if (sent.some((text) => text.length > 1000)) return { status: 413, body: { error: 'too many tokens' } };
    return { body: { embeddings: embeddings(asked) } };
  };
  const embedder = createEmbedder({ provider: 'cortex', baseUrl: server.url, ...fast });
  const vectors = await embedder.embed(texts, 'passage');
  texts.forEach((text, i) => {
    assertVector(vectors[i], text.slice(0, 1000));
  });
  server.asked.length = 0;
  server.reply = () => ({ status: 400, body: { error: 'no such model' } });
  await assert.rejects(embedder.embed(['x'], 'query'), failsWith('provider_misconfigured', /no such model/));
  assert.equal(server.asked.length, 1);
});

test('a wrong shape, number or size of vectors is reported as such', async () => {
  const embedder = createEmbedder({ provider: 'cortex', baseUrl: server.url, ...fast });
  const cases: [unknown, RegExp][] = [
    [{ embeddings: [[1, 2]] }, /2 dimensions, not 3/],
    [{ embeddings: [] }, /1 texts were sent, 0 vectors/],
    [{ embeddings: [[1, null, 2]] }, /no number/],
    [{ result: 'ok' }, /no embeddings/],
    ['<html>', /not JSON/],
  ];
  for (const [body, reason] of cases) {
    server.reply = () => ({ body });
    await assert.rejects(embedder.embed(['x'], 'query'), failsWith('provider_misconfigured', reason));
  }
});

test('a provider that is down or does not answer in time is reported', async () => {
  const gone = await startServer(() => ({}));
  await gone.close();
  const absent = createEmbedder({ provider: 'ollama', baseUrl: gone.url, maxAttempts: 2, ...fast });
  await assert.rejects(absent.embed(['x'], 'query'), failsWith('provider_unavailable', /ECONNREFUSED/));
  server.reply = () => ({ silent: true });
  const slow = createEmbedder({ provider: 'ollama', baseUrl: server.url, maxAttempts: 2, timeoutMs: 30, ...fast });
  await assert.rejects(slow.embed(['x'], 'passage'), failsWith('provider_unavailable', /within 30 ms/));
  assert.equal(server.asked.length, 2);
});

test('a question is not retried after a timeout or a long pause', async () => {
  const make = (more: object = {}) => createEmbedder({ provider: 'cortex', baseUrl: server.url, ...fast, ...more });
  server.reply = () => ({ status: 429, headers: { 'retry-after': '3' }, body: { error: 'slow down' } });
  await assert.rejects(make().embed(['x'], 'query'), failsWith('provider_unavailable', /HTTP 429: slow down\.$/));
  assert.equal(server.asked.length, 1);
  server.asked.length = 0;
  server.reply = () => ({ silent: true });
  const late = failsWith('provider_unavailable', /within 30 ms/);
  await assert.rejects(make({ timeoutMs: 30 }).embed(['x'], 'query'), late);
  assert.ok(server.asked.length <= 1);
});

test('an error shows the answer without the key and control characters, and only its beginning', async () => {
  const embedder = createEmbedder({ provider: 'cortex', baseUrl: server.url, apiKey: KEY, ...fast });
  const told = async (status: number, body: unknown) => {
    server.reply = () => ({ status, body });
    const error: unknown = await embedder.embed(['x'], 'query').catch((thrown: unknown) => thrown);
    return (error as EngineError).message;
  };
  const cut = await told(400, { error: { message: `${'x'.repeat(280)} ${KEY}` } });
  assert.ok(!cut.includes(KEY.slice(0, 4)), `half a key is a secret, too: ${cut}`);
  assert.match(await told(400, { error: { message: { code: 'bad' } } }), /HTTP 400: \{"code":"bad"\}/);
  assert.match(await told(400, { error: 'a\u001b[31mred\nline' }), /HTTP 400: a \[31mred line\./);
  assert.match(await told(200, ' '.repeat((64 << 20) + 1)), /larger than 64 MB/);
});

test('an error about a missing key names the setting for it', async () => {
  server.reply = () => ({ status: 401 });
  const embedder = createEmbedder({ provider: 'cortex', baseUrl: server.url, ...fast });
  await assert.rejects(embedder.embed(['x'], 'query'), failsWith('provider_misconfigured', /embedding\.api_key_env/));
});

test('an abort ends a running request and a pause between attempts', async () => {
  const cancelled = (error: unknown) => error instanceof EngineError && error.code === 'cancelled';
  const waiting = new AbortController();
  server.reply = () => {
    setImmediate(() => waiting.abort());
    return { silent: true };
  };
  const embedder = createEmbedder({ provider: 'cortex', baseUrl: server.url, dims: 3, backoffMs: 60_000 });
  await assert.rejects(embedder.embed(['x'], 'query', waiting.signal), cancelled);
  const pausing = new AbortController();
  server.reply = () => {
    setTimeout(() => pausing.abort(), 20);
    return { status: 503 };
  };
  await assert.rejects(embedder.embed(['x'], 'query', pausing.signal), cancelled);
  await assert.rejects(embedder.embed(['x'], 'query', AbortSignal.abort()), cancelled);
});

test('a redirect is not followed, so that the key goes to no other host', async () => {
  const elsewhere = await startServer(() => ({ body: { embeddings: [[1, 0, 0]] } }));
  server.reply = () => ({ status: 307, headers: { location: `${elsewhere.url}/embed` } });
  const embedder = createEmbedder({ provider: 'cortex', baseUrl: server.url, apiKey: KEY, maxAttempts: 1, ...fast });
  await assert.rejects(
    embedder.embed(['x'], 'query'),
    failsWith('provider_misconfigured', /HTTP 307: a redirect to 127/),
  );
  assert.equal(elsewhere.asked.length, 0);
  await elsewhere.close();
});

test('invalid configurations are refused at once', () => {
  const make = (config: object) => () => createEmbedder(config as Parameters<typeof createEmbedder>[0]);
  assert.throws(make({ provider: 'ollama', model: 'unheard-of' }), failsWith('provider_misconfigured', /dimensions/));
  assert.throws(make({ provider: 'ollama', dims: 1.5 }), failsWith('provider_misconfigured', /1\.5/));
  const cortex = (baseUrl: string) => make({ provider: 'cortex', baseUrl });
  assert.throws(cortex('localhost:8121'), failsWith('provider_misconfigured', /http:\/\/ or https:/));
  assert.throws(cortex('file:///etc'), failsWith('provider_misconfigured', /http:\/\/ or https:/));
  const password = failsWith('provider_misconfigured', /\/\/127\.0\.0\.1\/embed.*password/);
  assert.throws(cortex('http://me:s3cr@t@127.0.0.1/'), password);
  assert.throws(make({ provider: 'magic' }), failsWith('provider_misconfigured', /no such provider.*static/));
});
