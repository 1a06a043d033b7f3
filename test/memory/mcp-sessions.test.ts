/** A session is a connection: two agents one after the other over the shipped server, each contract's tools. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import type { Message } from '../contracts/raw-client.ts';
import { connectProcess, sandbox } from '../contracts/real-engine.ts';

const box = sandbox(/^(?:web|README)/);
before(async () => {
  await box.engine.index(box.project);
});
after(() => box.close());

const ask = async (client: Client, name: string, args: Record<string, unknown>): Promise<Message> => {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  return result.structuredContent as Message;
};

test('what one connection asked, read and recorded, the next one finds', async (t) => {
  const first = await connectProcess(box, ['--profile', 'context-tool', '--workspace', box.project]);
  // Also where something is not as it should be: an open connection would keep the run waiting.
  t.after(() => first.close());
  await ask(first, 'read_file', { path: 'web/price.ts' });
  await ask(first, 'context_search', { query: 'discount of the basket' });
  const told = await ask(first, 'remember', {
    type: 'issue',
    content: 'A discount on an empty basket divides by zero.',
    files: ['web/price.ts'],
  });
  assert.equal(told.outcome, 'created');
  assert.equal(told.module, 'web');
  const own = await ask(first, 'context_search', { query: 'discount of the basket', limit: 20 });
  assert.ok(!own.results.some(({ source }: Message) => source === 'session'), 'not its own session');
  const sessions = [told.session];
  await first.close();

  const second = await connectProcess(box, ['--workspace', box.project]);
  t.after(() => second.close());
  const { results, search_ms } = await ask(second, 'context_search', { query: 'discount of the basket', limit: 20 });
  assert.ok(Number.isInteger(search_ms), 'with its time');
  const [best] = results;
  assert.deepEqual([best.id, best.type, best.source, best.session], [told.id, 'issue', 'discovery', told.session]);
  const session = results.find(({ source }: Message) => source === 'session');
  assert.equal(session?.id, told.session);
  assert.match(session.content, /Asked: discount of the basket\. Read: web\/price\.ts\. Recorded: A discount/);
  const scores = results.map(({ score }: Message) => score);
  assert.deepEqual(
    scores,
    [...scores].sort((a: number, b: number) => b - a),
  );
  const again = await ask(second, 'remember', {
    type: 'issue',
    content: 'a discount on an empty basket divides by zero',
  });
  assert.deepEqual([again.outcome, again.id], ['updated', told.id]);
  await ask(second, 'search_code', { query: 'price of an item' });
  await second.close();

  const known = await box.engine.sessions(box.project);
  assert.equal(known.length, 2);
  const [latest, before] = known;
  assert.ok(!sessions.includes(latest!.id), 'another session');
  assert.deepEqual(latest!.queries, ['discount of the basket', 'price of an item']);
  assert.deepEqual(before!.reads, { 'web/price.ts': 1 });
  const accesses = await box.engine.accesses(box.project);
  assert.equal(accesses.find(({ path, symbol }) => path === 'web/price.ts' && symbol === undefined)?.count, 1);
  assert.ok(
    accesses.some(({ hits }) => hits > 0),
    'what a search found is counted',
  );
});
