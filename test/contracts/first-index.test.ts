/**
 * Questions that come before a server's own first index is there: they wait for it a little, and say so where that is
 * not enough.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ProfileName } from '../../src/contracts/index.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { EngineError } from '../../src/model/records/engine-errors.ts';
import { type Message, rawClient } from './raw-client.ts';
import { connectProcess, sandbox } from './real-engine.ts';

const box = sandbox(/^(?:web|README)/);
before(() => box.engine.register(box.project));
after(() => box.close());

const QUESTIONS: Readonly<Record<string, { readonly name: string; readonly arguments: Message }>> = {
  sextant: { name: 'search_code', arguments: { query: 'main' } },
  cortex: { name: 'cortex_search', arguments: { query: 'main' } },
  'context-tool': { name: 'context_search', arguments: { query: 'main' } },
};

for (const [profile, question] of Object.entries(QUESTIONS))
  test(`${profile}: the first call of a server waits for the index that the server makes`, async () => {
    const folder = `${profile}-first`;
    box.write(join(folder, 'main.go'), 'package main\n\n// The main thing.\nfunc main() {}\n');
    const client = await connectProcess(box, ['--profile', profile, '--workspace', join(box.folder, folder)]);
    try {
      // On a machine that is slow beyond all measure: the call is repeated, as it says.
      let answer: Message;
      do answer = await client.callTool(question).catch((error: Message) => error);
      while (/is still being made|will be generated in background/.test(JSON.stringify(answer) + answer.message));
      assert.match(JSON.stringify(answer.structuredContent), /main\.go|func main/);
    } finally {
      await client.close();
    }
  });

test('sextant: the status says that the index is being made before its run has begun', async () => {
  box.write('held/main.go', 'package main\n\nfunc main() {}\n');
  const held = join(box.folder, 'held');
  mkdirSync(join(held, '.git/refs'), { recursive: true });
  mkdirSync(join(held, '.git/objects'));
  writeFileSync(join(held, '.git/HEAD'), 'ref: refs/heads/main\n');
  // Somebody is at work in the folder: the run stays due until they have done.
  writeFileSync(join(held, '.git/index.lock'), '');
  const stop = await box.engine.watch(held);
  const raw = rawClient({ profile: 'sextant', engine: box.engine, workspace: held });
  await raw.initialize();
  try {
    const { result } = await raw.request('tools/call', { name: 'get_status', arguments: {} });
    const { state, hint } = result.structuredContent;
    assert.deepEqual([state, hint], ['indexing', undefined]);
  } finally {
    rmSync(join(held, '.git/index.lock'));
    await raw.close();
    await stop();
  }
});

/** An engine whose first index takes longer than anybody waits. */
const slow = new Proxy(box.engine, {
  get(target, name: keyof Engine) {
    if (name === 'firstIndex') return () => Promise.reject(new EngineError('index_not_ready', { path: 'shop' }));
    const value: unknown = target[name];
    return typeof value === 'function' ? value.bind(target) : value;
  },
});

async function refusal(profile: ProfileName, name: string, args: Message): Promise<Message> {
  const raw = rawClient({ profile, engine: slow, workspace: box.project });
  await raw.initialize();
  const { result, error } = await raw.request('tools/call', { name, arguments: args });
  await raw.close();
  return error ?? result.structuredContent ?? result;
}

test('what is not there after all is said to be on its way, in the words of each contract', async () => {
  const { error: own } = await refusal('sextant', 'search_code', { query: 'cart' });
  assert.deepEqual(
    [own.code, own.message, own.fix],
    ['index_not_ready', 'The first index of shop is still being made.', 'Repeat the call in a few seconds.'],
  );
  const cortex = await refusal('cortex', 'cortex_search', { query: 'cart' });
  assert.equal(cortex.code, -32603);
  assert.match(cortex.message, /still being made/);
  assert.match(cortex.data.fix, /Repeat the call/);
  const context = await refusal('context-tool', 'context_search', { query: 'cart' });
  assert.deepEqual(
    [context.error, context.action],
    ['No embeddings available', 'Embeddings will be generated in background'],
  );
  const go = await refusal('gocontext', 'search_code', { path: box.project, query: 'cart' });
  assert.equal(go.code, -32003);
  assert.match(go.data.reason, /still being made/);
  const compass = await refusal('codecompass', 'search_code', { query: 'cart' });
  assert.deepEqual([compass.results, compass.metadata.result_completeness], [[], 'partial']);
  const swift = await refusal('swiftindex', 'search_code', { path: box.project, query: 'cart' });
  assert.match(swift.content[0].text, /still being made\. Repeat the call/);
});

test('cortex: where nobody makes an index, the fix is one that its client has', async () => {
  const raw = rawClient({ profile: 'cortex', engine: box.engine, workspace: box.project });
  await raw.initialize();
  const { error } = await raw.request('tools/call', { name: 'cortex_search', arguments: { query: 'cart' } });
  await raw.close();
  assert.deepEqual([error.code, error.data.fix], [-32603, 'Run `sextant index` in the project folder once.']);
});
