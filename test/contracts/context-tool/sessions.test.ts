/** context-tool: what earlier sessions asked and read, and code, beside what is remembered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { connectHttp } from '../real-engine.ts';
import { call, http } from './setup.ts';

test('an earlier session and code are results beside discoveries (CT-03, CT-51)', async () => {
  await call('remember', { type: 'rule', content: 'The total of the cart is in cents', module: 'web' });
  await call('read_file', { path: 'web/cart.ts' });
  await call('context_search', { query: 'what adds up the cart' });
  const later = await connectHttp(`${http.url}/mcp`);
  const { results } = await call('context_search', { query: 'what adds up the total of the cart', limit: 20 }, later);
  await later.close();
  const sources = new Set(results.map(({ source }: Message) => source));
  assert.deepEqual([...sources].sort(), ['code', 'discovery', 'session']);
  const session = results.find(({ source }: Message) => source === 'session');
  assert.equal(session.type, 'session');
  assert.match(session.content, /Asked: what adds up the cart\. Read: web\/cart\.ts\./);
});
