/** The memory of a team: recorded through one node, found through another, by the subjects that may see the repository. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askTool, FREELY, indexByBinary, serveFleet } from '../fleet-node.ts';
import { fleetFor, until } from '../fleet-under-test.ts';

const RULE = 'Refunds are posted through the outbox, never from the request handler.';

test('what a subject records on one node is found on another, with its author, by those who may see the repository', async (t) => {
  const under = await fleetFor(t);
  for (const [name, group] of [
    ['alpha', 'a'],
    ['beta', 'b'],
  ] as const) {
    const remote = under.repository(name, { 'src/outbox.ts': 'export function postRefund() {}\n' });
    await under.fleet.add({ name: `acme/${name}`, url: remote, ref: null, groups: [group] });
  }
  await indexByBinary(under);
  const subjects = { ann: ['a'], dora: ['a'], bob: ['b'] };
  const first = await serveFleet(under, subjects, FREELY);
  const second = await serveFleet(under, subjects, FREELY);
  const ann = await first.client('ann');
  const [dora, bob] = [await second.client('dora'), await second.client('bob')];
  const question = { query: 'how are refunds posted', type: 'rule' };
  // The second node has a copy already that must take notice.
  await askTool(dora, 'context_search', { ...question, path: 'acme/alpha' });

  const recorded = await askTool(ann, 'remember', {
    path: 'acme/alpha',
    type: 'rule',
    content: RULE,
    evidence: ['src/outbox.ts:1'],
  });
  assert.equal(recorded.isError, false, recorded.text);
  let told = '';
  await until(async () => {
    told = (await askTool(dora, 'context_search', { ...question, path: 'acme/alpha' })).text;
    return told.includes('outbox, never');
  });
  assert.match(told, /outbox, never/);
  assert.match(told, /\\?"author\\?": ?\\?"ann/);
  const across = (await askTool(dora, 'context_search', question)).text;
  assert.match(across, /outbox, never/);
  assert.match(across, /acme\/alpha\/src\/outbox\.ts/);
  assert.doesNotMatch(across, /keyword answer/, 'what is remembered is compared by meaning, too');
  const resource = await dora.readResource({ uri: 'sextant://memory' });
  assert.match(JSON.stringify(resource), /outbox, never/);

  for (const path of [undefined, '.', 'acme', 'acme/alpha', 'acme/beta'])
    assert.doesNotMatch((await askTool(bob, 'context_search', { ...question, path })).text, /outbox, never|ann/);
  assert.doesNotMatch(JSON.stringify(await bob.readResource({ uri: 'sextant://memory' })), /outbox, never/);

  const again = await askTool(dora, 'remember', { path: 'acme/alpha', type: 'rule', content: RULE });
  assert.match(again.text, /updated/, 'the same thought is one discovery, whichever node records it');
  const refused = await askTool(bob, 'remember', { path: 'acme/alpha', type: 'rule', content: 'Bob was here, too.' });
  assert.equal(refused.isError, true);
  const { body } = await under.connection.ask<{ hits: { hits: { _source: Record<string, unknown> }[] } }>({
    method: 'POST',
    path: `/${under.prefix}-memory/_search`,
    body: { query: { match_all: {} } },
  });
  assert.equal(body.hits.hits.length, 1);
  const { repository, author } = body.hits.hits[0]!._source;
  assert.deepEqual({ repository, author }, { repository: 'acme/alpha', author: 'dora' });
});

test('a discovery is removed by its author alone, and other nodes no longer show it', async (t) => {
  const under = await fleetFor(t);
  const remote = under.repository('alpha', { 'src/outbox.ts': 'export function postRefund() {}\n' });
  await under.fleet.add({ name: 'acme/alpha', url: remote, ref: null, groups: [] });
  await indexByBinary(under);
  const subjects = { ann: [], bob: [] };
  const first = await serveFleet(under, subjects, FREELY);
  const second = await serveFleet(under, subjects, FREELY);
  const ann = await first.client('ann');
  const bob = await second.client('bob');
  const { text } = await askTool(ann, 'remember', { path: 'acme/alpha', type: 'rule', content: RULE });
  const id = /rule-[0-9a-f]{16}/.exec(text)![0];
  const isShown = async () =>
    /never from/.test((await askTool(bob, 'context_search', { query: id, path: 'acme/alpha' })).text);
  await until(isShown);
  assert.equal(await isShown(), true);
  const forget = (subject: string, url: string) =>
    fetch(`${url}/api/forget?project=acme/alpha`, {
      method: 'POST',
      headers: { Authorization: `Bearer token-of-${subject}-for-tests`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ id }),
    });
  const byOther = await forget('bob', second.url);
  assert.notEqual(byOther.status, 200);
  assert.match(await byOther.text(), /ann recorded it/);
  assert.deepEqual(await (await forget('ann', first.url)).json(), { forgotten: true });
  await until(async () => !(await isShown()));
  assert.equal(await isShown(), false);
});
