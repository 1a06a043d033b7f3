import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { EngineError } from '../model/records/engine-errors.ts';
import { createLanguageModel } from './llm.ts';
import { startServer } from './providers/test-server.ts';

const server = await startServer(() => ({}));
after(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
});

const QUESTION = { system: 'be brief', prompt: 'is it?', maxTokens: 12 };

test('each provider gets its own form of request, and its text is trimmed', async () => {
  const cases = [
    {
      provider: 'openai',
      path: '/chat/completions',
      header: ['authorization', 'Bearer k3y'],
      answer: { choices: [{ message: { content: ' yes\n' } }] },
    },
    {
      provider: 'anthropic',
      path: '/messages',
      header: ['x-api-key', 'k3y'],
      answer: { content: [{ type: 'thinking' }, { type: 'text', text: ' ye' }, { type: 'text', text: 's ' }] },
    },
    {
      provider: 'ollama',
      path: '/api/chat',
      header: ['authorization', 'Bearer k3y'],
      answer: { message: { content: 'yes' } },
    },
  ] as const;
  for (const { provider, path, header, answer } of cases) {
    server.asked.length = 0;
    server.reply = () => ({ body: answer });
    const model = createLanguageModel({ provider, model: 'm', baseUrl: server.url, apiKey: 'k3y' });
    assert.equal(model.id, `${provider}/m`);
    assert.equal(await model.complete(QUESTION), 'yes');
    const [asked] = server.asked;
    assert.equal(asked!.path, path);
    assert.equal(asked!.headers[header[0]], header[1]);
    const { body } = asked!;
    assert.equal(body.model, 'm');
    assert.notEqual(body.stream, true);
    const said = [body.system, ...(body.messages as { role: string; content: string }[]).map((turn) => turn.content)];
    assert.deepEqual(said.filter(Boolean), ['be brief', 'is it?'], `${provider} gets its role apart from the question`);
    assert.match(JSON.stringify(body), /"(?:max_tokens|num_predict)":12/);
  }
});

test("OpenAI's reasoning models get the limit by its new name, with room to think, and no temperature", async () => {
  server.reply = () => ({ body: { choices: [{ message: { content: 'yes' } }] } });
  const model = createLanguageModel({ provider: 'openai', model: 'gpt-5-mini', baseUrl: server.url });
  await model.complete(QUESTION);
  const { body } = server.asked[0]!;
  assert.deepEqual([body.max_completion_tokens, 'max_tokens' in body, 'temperature' in body], [2012, false, false]);
});

test('Anthropic gets no temperature, because newer models refuse one', async () => {
  server.reply = () => ({ body: { content: [{ type: 'text', text: 'yes' }] } });
  await createLanguageModel({ provider: 'anthropic', model: 'm', baseUrl: server.url }).complete(QUESTION);
  assert.equal('temperature' in server.asked[0]!.body, false);
});

test('reasoning of a model is removed from its answer', async () => {
  const model = createLanguageModel({ provider: 'ollama', model: 'm', baseUrl: server.url });
  for (const [said, meant] of [
    ['<think>\nFirst, retries.\n</think>\n\nbackoff', 'backoff'],
    ['<think>\nFirst, retries, and the', ''],
    ['The tag <think> is read here.', 'The tag <think> is read here.'],
  ]) {
    server.reply = () => ({ body: { message: { content: said } } });
    assert.equal(await model.complete(QUESTION), meant);
  }
});

test('a request to a language model is not repeated after a timeout or a long pause', async () => {
  const model = (more: object = {}) =>
    createLanguageModel({ provider: 'ollama', model: 'm', baseUrl: server.url, backoffMs: 1, ...more });
  const unavailable = (reason: RegExp) => (error: unknown) =>
    error instanceof EngineError && error.code === 'provider_unavailable' && reason.test(error.message);
  server.reply = () => ({ status: 429, headers: { 'retry-after': '3' } });
  await assert.rejects(model().complete(QUESTION), unavailable(/HTTP 429/));
  assert.equal(server.asked.length, 1);
  server.asked.length = 0;
  server.reply = () => ({ silent: true });
  await assert.rejects(model({ timeoutMs: 30 }).complete(QUESTION), unavailable(/within 30 ms/));
  assert.ok(server.asked.length <= 1);
});

test('a missing model, an unknown provider, an answer without text and a server that is down are reported', async () => {
  const code = (expected: string) => (error: unknown) => error instanceof EngineError && error.code === expected;
  assert.throws(() => createLanguageModel({ provider: 'openai' }), code('provider_misconfigured'));
  assert.throws(
    () => createLanguageModel({ provider: 'other' as 'openai', model: 'm' }),
    code('provider_misconfigured'),
  );
  const model = createLanguageModel({
    provider: 'ollama',
    model: 'm',
    baseUrl: server.url,
    maxAttempts: 2,
    backoffMs: 1,
  });
  server.reply = () => ({ body: { unexpected: true } });
  await assert.rejects(model.complete(QUESTION), code('provider_misconfigured'));
  server.asked.length = 0;
  server.reply = () => ({ status: 502 });
  await assert.rejects(model.complete(QUESTION), code('provider_unavailable'));
  assert.equal(server.asked.length, 2);
  await assert.rejects(model.complete(QUESTION, AbortSignal.abort()), code('cancelled'));
});
