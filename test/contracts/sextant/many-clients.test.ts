/** The default profile under the load of a whole team. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { connectHttp } from '../real-engine.ts';
import { call, http, indexProject } from './setup.ts';

before(indexProject);

test('200 clients search at once without an error', async () => {
  const found = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const one = await connectHttp(`${http.url}/mcp`);
      const { results } = await call('search_code', { query: i % 2 ? 'cart total' : 'validate token' }, one);
      await one.close();
      return results[0].path as string;
    }),
  );
  assert.deepEqual([...new Set(found)].sort(), ['internal/auth/service.go', 'web/cart.ts']);
});
