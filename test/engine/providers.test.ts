/** Embedding providers behind a real index: which texts are sent, which vectors are kept, and failures. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createEmbedder, type EmbedderConfig } from '../../src/embed/index.ts';
import { type Asked, startServer } from '../../src/embed/providers/test-server.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { workspace } from '../workspace.ts';

const DIMS = 8;
const server = await startServer(() => ({}));
const space = workspace({
  'src/cart.ts':
    '/** Adds an article to the cart. */\nexport function addToCart(cart: string[], article: string) {\n  return [...cart, article];\n}\n',
  'src/retry.ts':
    '/** Doubles the pause after each attempt. */\nexport function nextDelay(attempt: number) {\n  return 100 << attempt;\n}\n',
  'src/token.ts':
    '/** Is the signature right? */\nexport function verifyToken(token: string) {\n  return token.length > 3;\n}\n',
});
after(async () => {
  await space.close();
  await server.close();
});

/** One dimension per subject, so that the similarity of texts is known. */
function vectorOf(text: string): number[] {
  const axes = ['cart', 'delay', 'token'].map((word) => (text.toLowerCase().includes(word) ? 1 : 0));
  return [...axes, 0.1, 0, 0, 0, 0];
}
const textsOf = ({ body }: Asked) => (body.input ?? body.texts) as string[];
const sent = () => server.asked.flatMap(textsOf);
const answers: Record<string, (asked: Asked) => { body: unknown }> = {
  openai: (asked) => ({ body: { data: textsOf(asked).map((text) => ({ embedding: vectorOf(text) })) } }),
  ollama: (asked) => ({ body: { embeddings: textsOf(asked).map(vectorOf) } }),
  cortex: (asked) => ({ body: { embeddings: textsOf(asked).map(vectorOf) } }),
};
const provider = (change: Partial<EmbedderConfig> = {}) =>
  createEmbedder({
    provider: 'cortex',
    baseUrl: server.url,
    dims: DIMS,
    backoffMs: 1,
    maxAttempts: 2,
    ...change,
  } as EmbedderConfig);
const engineWith = (change: Partial<EmbedderConfig> = {}) => space.anotherEngine({ provider: provider(change) });
const ask = { query: 'tell me about the delay', mode: 'vector' } as const;

test('every HTTP provider embeds each content once per model', async () => {
  for (const [name, reply] of Object.entries(answers)) {
    server.reply = reply;
    server.asked.length = 0;
    const engine = engineWith({ provider: name, model: `model-${name}` } as Partial<EmbedderConfig>);
    const report = await engine.index(space.root);
    assert.equal(report.vectorCount, report.chunkCount, `${name} gave a vector to every chunk`);
    assert.equal(report.vectorError, null);
    assert.equal(sent().length, report.chunkCount);
    const { hits, mode, notices } = await engine.search(space.root, ask);
    assert.equal(hits[0]?.path, 'src/retry.ts');
    assert.deepEqual([mode, notices], ['vector', []]);
    server.asked.length = 0;
    await engine.index(space.root);
    await engineWith({ provider: name, model: `model-${name}` } as Partial<EmbedderConfig>).index(space.root);
    assert.equal(server.asked.length, 0, `${name} is asked nothing about what it has embedded`);
  }
});

test('an update sends only changed texts, and none for a copied file', async () => {
  server.reply = answers.cortex!;
  const engine = engineWith();
  await engine.index(space.root);
  server.asked.length = 0;
  space.write(
    'src/copy.ts',
    '/** Is the signature right? */\nexport function verifyToken(token: string) {\n  return token.length > 3;\n}\n',
  );
  await engine.index(space.root);
  assert.deepEqual(sent(), []);
  space.write('src/late.ts', '/** Tells how late it is. */\nexport function howLate() {\n  return 1;\n}\n');
  await engine.index(space.root);
  assert.ok(sent().length > 0 && sent().every((text) => text.includes('late')), sent().join('|'));
  space.remove('src/copy.ts');
  space.remove('src/late.ts');
  await engine.index(space.root);
});

test('while the provider is down, indexing completes, search uses keywords, and the next run embeds the rest', async () => {
  const model = { model: 'breaks' };
  let left = 1;
  server.reply = (asked) => (left-- > 0 ? answers.cortex!(asked) : { status: 503 });
  // Contents that do not fit into one call: some get their vectors before the failure.
  for (let i = 0; i < 3; i++) {
    const step = (n: number) => `  steps.push('the ${n}th step of many that are taken one after the other');\n`;
    const body = Array.from({ length: 60 }, (_, n) => {
      const steps = Array.from({ length: 25 }, (_, line) => step(line)).join('');
      return `/** Part ${n}. */\nexport function part${i}x${n}(steps: string[]) {\n${steps}}\n`;
    });
    space.write(`src/wide${i}.ts`, body.join('\n'));
  }
  const broken = engineWith({ ...model, batchSize: 1000, concurrency: 1 });
  const report = await broken.index(space.root);
  assert.equal(report.vectorError?.code, 'provider_unavailable');
  assert.match(report.vectorError?.message ?? '', /HTTP 503/);
  assert.ok(report.vectorCount > 0 && report.vectorCount < report.chunkCount, `${report.vectorCount} vectors`);

  server.asked.length = 0;
  const answer = await broken.search(space.root, { query: 'verifyToken' });
  assert.equal(answer.hits[0]?.path, 'src/token.ts');
  assert.equal(answer.mode, 'keyword');
  assert.match(answer.notices.join(), /HTTP 503.*Keyword answer/s);
  const before = server.asked.length;
  await broken.search(space.root, { query: 'addToCart' });
  assert.equal(server.asked.length, before, 'no request is sent for a while after a failure');

  server.reply = answers.cortex!;
  const well = engineWith(model);
  const partly = await well.search(space.root, { query: 'verifyToken' });
  assert.match(partly.notices.join(), /have no vector yet/);
  assert.equal(
    (await well.search(space.root, { query: 'verifyToken' })).cacheHit,
    false,
    'less than a whole answer is not kept',
  );
  server.asked.length = 0;
  const resumed = await well.index(space.root);
  assert.equal(resumed.vectorCount, resumed.chunkCount);
  assert.equal(sent().length, report.chunkCount - report.vectorCount, 'only the rest is sent');
  assert.deepEqual((await well.search(space.root, { query: 'verifyToken' })).notices, []);
});

test('after a change of model, search uses keywords until the new vectors exist, and the old vectors stay', async () => {
  server.reply = answers.cortex!;
  const first = engineWith({ model: 'one' });
  await first.index(space.root);
  const second = engineWith({ model: 'two', dims: 16 });
  const { mode, notices } = await second.search(space.root, ask);
  assert.equal(mode, 'keyword');
  assert.match(notices.join(), /No vectors of cortex\/two/);
  const wrong = await second.index(space.root);
  assert.equal(wrong.vectorError?.code, 'provider_misconfigured');
  assert.match(wrong.vectorError?.message ?? '', /8 dimensions, not 16/);
  server.asked.length = 0;
  await first.index(space.root);
  assert.equal(server.asked.length, 0);
  assert.equal((await first.search(space.root, ask)).mode, 'vector');
});

test('doctor calls the provider and reports its error', async () => {
  const checkOf = async (change: Partial<EmbedderConfig>) =>
    (await engineWith(change).doctor(null)).find(({ name }) => name === 'embedding provider');
  server.reply = answers.cortex!;
  assert.equal((await checkOf({}))?.status, 'ok');
  server.reply = () => ({ status: 401 });
  const refused = await checkOf({ apiKey: 'wrong' });
  assert.equal(refused?.status, 'fail');
  assert.match(refused?.detail ?? '', /the key was refused/);
  const plain = await space.engine.doctor(null);
  assert.ok(!plain.some(({ name }) => name === 'embedding provider'), 'there is none to check');

  const vectorsOf = async (engine: Engine) =>
    (await engine.doctor(space.root)).find(({ name }) => name === 'vectors')?.detail;
  server.reply = answers.cortex!;
  const one = engineWith({ model: 'one' });
  await one.index(space.root);
  assert.equal(await vectorsOf(one), undefined);
  assert.match(
    (await vectorsOf(engineWith({ model: 'three' }))) ?? '',
    /made with cortex\/one.*cortex\/three.*is configured/,
  );
  space.write('src/new.ts', '/** Waits. */\nexport function waitForIt() {}\n');
  server.reply = () => ({ status: 503 });
  await one.index(space.root);
  assert.match((await vectorsOf(one)) ?? '', /^\d of \d+ chunks have no vectors yet/);
  space.remove('src/new.ts');
});

test('the engine sends nothing unless a provider is configured', async () => {
  server.asked.length = 0;
  await space.engine.index(space.root);
  await space.engine.search(space.root, { query: 'delay', expandQuery: true, synthesize: true });
  assert.equal(server.asked.length, 0);
});

test('search uses keywords while a first index waits for vectors, and after that run was cancelled', async () => {
  const fresh = workspace({ 'src/lamp.ts': '/** Turns the lamp on. */\nexport function lightLamp() {}\n' });
  try {
    const stop = new AbortController();
    const asked = new Promise<void>((resolve) => {
      server.reply = () => {
        resolve();
        return { silent: true };
      };
    });
    const engine = fresh.anotherEngine({ provider: provider({ model: 'slow' }) });
    const running = engine.index(fresh.root, { signal: stop.signal });
    await asked;
    const search = () =>
      fresh.anotherEngine({ provider: provider({ model: 'slow' }) }).search(fresh.root, { query: 'lightLamp' });
    const { hits, mode, notices } = await search();
    assert.deepEqual([hits[0]?.path, mode], ['src/lamp.ts', 'keyword']);
    assert.match(notices.join(), /No vectors of cortex\/slow/);
    stop.abort();
    await assert.rejects(running, { code: 'cancelled' });
    server.reply = answers.cortex!;
    await engine.index(fresh.root);
    assert.deepEqual((await search()).notices, []);
  } finally {
    await fresh.close();
  }
});

test('a run uses vectors that another tree has already stored', async () => {
  const fresh = workspace({ 'src/lamp.ts': '/** Turns the lamp on. */\nexport function lightLamp() {}\n' });
  try {
    fresh.git('init', '-q');
    fresh.git('add', '-A');
    fresh.git('commit', '-qm', 'lamp');
    fresh.git('branch', 'other');
    const engine = fresh.anotherEngine({ provider: provider() });
    server.reply = () => ({ status: 503 });
    assert.equal((await engine.index(fresh.root)).vectorCount, 0);
    server.reply = answers.cortex!;
    const { vectorCount } = await engine.index(fresh.root, { ref: 'other' });
    assert.ok(vectorCount > 0);
    assert.equal((await engine.index(fresh.root)).vectorCount, vectorCount);
  } finally {
    await fresh.close();
  }
});
