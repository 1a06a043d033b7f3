/** What contracts answer while the embedding provider fails. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createEmbedder } from '../../../src/embed/index.ts';
import { type Asked, startServer } from '../../../src/embed/providers/test-server.ts';
import { workspace } from '../../workspace.ts';
import { rawClient } from '../raw-client.ts';

const embeds = ({ body }: Asked) => ({ body: { embeddings: (body.texts as string[]).map(() => [1, 0, 0, 0]) } });
const server = await startServer(embeds);
const space = workspace({ 'src/cart.ts': '/** Adds to the cart. */\nexport function addToCart() {}\n' });
after(async () => {
  await space.close();
  await server.close();
});

const provider = () =>
  createEmbedder({ provider: 'cortex', baseUrl: server.url, dims: 4, backoffMs: 1, maxAttempts: 1 });

test('a question that cannot be embedded is refused, elsewhere words answer and say so (CT-09, CT-38)', async () => {
  const engine = space.anotherEngine({ provider: provider() });
  const raw = rawClient({ profile: 'context-tool', engine, workspace: space.root });
  await raw.initialize();
  const ask = async (query: string) =>
    (await raw.request('tools/call', { name: 'context_search', arguments: { query } })).result;
  server.reply = () => ({ status: 503 });
  await engine.index(space.root);
  const { structuredContent: without } = await ask('what is in the cart');
  assert.equal(without.error, 'No embeddings found. Run initial session to generate context.');
  server.reply = embeds;
  await engine.index(space.root);
  assert.equal((await ask('what is in the cart')).isError, undefined);
  server.reply = () => ({ status: 429 });
  // The second one is refused without asking the provider again.
  for (const query of ['what is in a cart', 'what is added']) {
    const refusal = await ask(query);
    assert.equal(refusal.isError, true);
    const { error, details, fallback } = refusal.structuredContent;
    assert.equal(error, 'Failed to generate query embedding');
    assert.match(details, /429/);
    assert.match(fallback, /grep_codebase/);
  }
  await raw.close();
  const { notices } = await engine.contextSearch(space.root, { query: 'what is added' });
  assert.match(notices.join(), /429.*Keyword answer/s);
});

test('cortex has no place for a notice: over our own index, too, a question that cannot be embedded is an error (CX-11)', async () => {
  const engine = space.anotherEngine({ provider: provider() });
  server.reply = embeds;
  await engine.index(space.root);
  const raw = rawClient({ profile: 'cortex', engine, workspace: space.root });
  await raw.initialize();
  const ask = (query: string) => raw.request('tools/call', { name: 'cortex_search', arguments: { query } });
  assert.ok((await ask('what is in the cart')).result.structuredContent.total > 0);
  server.reply = () => ({ status: 503 });
  const { error } = await ask('what is added to the cart');
  assert.equal(error.code, -32603);
  assert.match(error.message, /HTTP 503/);
  await raw.close();
});

test('an investigation that had to do with words says so', async () => {
  const engine = space.anotherEngine({ provider: provider() });
  server.reply = embeds;
  await engine.index(space.root);
  server.reply = () => ({ status: 503 });
  const { summary } = await engine.research(space.root, { query: 'what happens to the cart', depth: 1 });
  assert.match(summary, /HTTP 503\. Keyword answer\.$/);
});
