/** Which language model a search uses: the engine's own before the client's, and none without need. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { CallContext } from '../contract.ts';
import { assistedSearch } from './assist-client.ts';

const space = workspace({
  'src/gate.ts':
    '/** Lets a visitor in who has a ticket. */\nexport function openGate(ticket: string) {\n  return ticket;\n}\n',
});
before(() => space.engine.index(space.root));
after(() => space.close());

function context(engine: Engine, answers: readonly (string | null)[]) {
  const asked: string[] = [];
  const ctx = {
    engine,
    canAsk: () => true,
    ask: async (key: string) => {
      asked.push(key);
      const text = answers[asked.length - 1] ?? null;
      return text === null ? null : { kind: 'sampling', text };
    },
  } as unknown as CallContext;
  return { ctx, asked };
}
const request = { query: 'who lets a visitor in', expandQuery: true, synthesize: true } as const;

test("the client's model helps if the engine has none", async () => {
  const { ctx, asked } = context(space.engine, ['openGate', 'It is the gate.\n- Who opens it?']);
  const answer = await assistedSearch(ctx, space.root, request);
  assert.deepEqual(asked, ['sextant.expand', 'sextant.synthesize']);
  assert.deepEqual(answer.expansion, { source: 'client', terms: ['openGate'] });
  assert.deepEqual(answer.synthesis, { source: 'client', summary: 'It is the gate.', followUps: ['Who opens it?'] });
});

test('after a client declines, the engine uses its built-in methods', async () => {
  for (const [answers, questions] of [
    [['', ''], 2],
    // A client that declined the first question does not get the second.
    [[null, 'It is the gate.'], 1],
  ] as const) {
    const { ctx, asked } = context(space.engine, answers);
    const answer = await assistedSearch(ctx, space.root, request);
    assert.deepEqual([answer.expansion?.source, answer.synthesis?.source], ['builtin', 'builtin']);
    assert.match(answer.notices.join(' '), /no expansion.*no summary/);
    assert.equal(asked.length, questions);
  }
});

test("the engine's configured model is used instead of the client's", async () => {
  const complete = async ({ system = '' }) => (/search terms/.test(system) ? 'ticket' : 'A gate.');
  const engine = space.anotherEngine({ languageModel: { id: 'own/model', complete } });
  const { ctx, asked } = context(engine, []);
  const answer = await assistedSearch(ctx, space.root, request);
  assert.deepEqual(asked, []);
  assert.equal(answer.expansion?.model, 'own/model');
  const { source, model, summary } = answer.synthesis!;
  assert.deepEqual({ source, model, summary }, { source: 'llm', model: 'own/model', summary: 'A gate.' });
});

test('a summary without follow-up questions gets the built-in ones, whichever model wrote it (SI-41)', async () => {
  const builtIn = await space.engine.search(space.root, { ...request, expandQuery: false });
  const questions = builtIn.synthesis!.followUps;
  assert.ok(questions.length > 0);
  const { ctx } = context(space.engine, ['It is the gate.']);
  const byClient = await assistedSearch(ctx, space.root, { ...request, expandQuery: false });
  assert.deepEqual(byClient.synthesis, { source: 'client', summary: 'It is the gate.', followUps: questions });
  const engine = space.anotherEngine({ languageModel: { id: 'own/model', complete: async () => 'A gate.' } });
  const byModel = await engine.search(space.root, { ...request, expandQuery: false });
  assert.deepEqual(byModel.synthesis!.followUps, questions);
});

test('a plain search uses no language model, nor does a summary of no results', async () => {
  const { ctx, asked } = context(space.engine, []);
  await assistedSearch(ctx, space.root, { query: 'openGate' });
  assert.deepEqual(asked, []);
  const nothing = await assistedSearch(ctx, space.root, { query: 'zxqv wvutsr', synthesize: true });
  assert.deepEqual([asked, nothing.synthesis], [[], undefined]);
});
