/** An answer is turned into JSON as few times as possible: counted at JSON.stringify, by a word of the indexed code. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ProfileName } from '../../src/contracts/index.ts';
import { type Workspace, workspace } from '../workspace.ts';
import { type Message, rawClient } from './raw-client.ts';

const WORD = 'quartzLedger';

/** How often a value that holds the word is serialised while `run` goes on, whole answers only. */
async function countSerialisations(run: () => Promise<unknown>): Promise<{ answers: number; items: number }> {
  const stringify = JSON.stringify;
  const counts = { answers: 0, items: 0 };
  JSON.stringify = ((value: unknown, ...rest: never[]) => {
    const text = stringify(value, ...rest);
    // Requests and the keys of caches hold the query; an answer or an item of it holds the code.
    if (text?.includes(`function ${WORD}`)) {
      const isAnswer = /"(?:results|structuredContent|result)"\s*:/.test(text);
      counts[isAnswer ? 'answers' : 'items']++;
    }
    return text;
  }) as typeof JSON.stringify;
  try {
    await run();
  } finally {
    JSON.stringify = stringify;
  }
  return counts;
}

describe('one tools/call', () => {
  let at: Workspace;
  before(async () => {
    at = workspace({ 'src/ledger.ts': `/** Adds up. */\nexport function ${WORD}(a: number) {\n  return a;\n}\n` });
    await at.engine.index(at.root);
  });
  after(() => at.close());

  for (const profile of ['sextant', 'gocontext', 'codecompass', 'swiftindex'] satisfies ProfileName[])
    test(`${profile} serialises an answer twice at most, for its text and for the message, and an item once`, async () => {
      const client = rawClient({ profile, engine: at.engine, workspace: at.root });
      await client.initialize();
      let answer: Message = {};
      const counts = await countSerialisations(async () => {
        answer = await client.request('tools/call', {
          name: 'search_code',
          arguments: { query: WORD, ...(profile === 'gocontext' && { path: at.root }) },
        });
      });
      assert.ok(JSON.stringify(answer).includes(`function ${WORD}`), JSON.stringify(answer));
      assert.ok(counts.answers <= 2 && counts.items <= 1, JSON.stringify(counts));
      await client.close();
    });
});
