/** Questions about a small shop: every form, every focus, and what a sentence owes its reader. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspace } from '../../../test/workspace.ts';
import { ask, checkPlaces } from './research.fixture.ts';

test('suggested next questions follow the calls and have an answer', async () => {
  for (const [query, next] of [
    ['what calls Cart.total', 'how does page reach Cart.total'],
    ['what does page call', 'how does page reach Cart.total'],
  ] as const) {
    const answer = await ask(query, { depth: 3 });
    assert.ok(answer.nextQuestions.includes(next), `${query}: ${answer.nextQuestions.join(', ')}`);
    assert.match((await ask(next)).summary, /^1\. page → /);
  }
  const alone = await ask('what does Client.open call');
  assert.deepEqual(alone.nextQuestions, ['what calls Client.open', 'what depends on app/client.py']);
});

test('an answer shows each hop once, by its calls or by their number', async () => {
  const { summary } = await ask('what calls Cart.total', { depth: 3 });
  assert.equal(summary.match(/buy calls Cart\.checkout/g)?.length, 1, summary);
  assert.doesNotMatch(summary, /in step/);
  const likely = await ask('what calls Card.charge', { depth: 1 });
  assert.doesNotMatch(likely.summary, /in step/);
  const many = await ask('what calls busy', { depth: 1 });
  checkPlaces(many);
  assert.match(many.summary, /\n10 more in step 1, the first: use40 calls busy at app\/busy\.ts:43$/);
});

test('an answer shows an ambiguous call once, for its most confident target', async () => {
  const through = await ask('what calls charge', { depth: 1 });
  checkPlaces(through);
  assert.deepEqual(through.summary.split('\n').slice(1), [
    '- Cart.checkout calls Gateway.charge at packages/cart/src/cart.ts:6',
  ]);
  assert.equal(through.evidence.length, 1);
  const either = await ask('what calls spin', { depth: 1 });
  assert.match(either.summary, /\n- turn calls spin at app\/turn\.py:2 \(ambiguous\)\n/);
  assert.equal(either.summary.match(/turn\.py:2/g)?.length, 1, either.summary);
});

test('an unknown name is reported with similar names, and a wrong scope is not repeated', async () => {
  const typo = await ask('what calls Cart.checkuot');
  checkPlaces(typo);
  assert.match(typo.summary, /^No symbol Cart\.checkuot is in the index; similar names: Cart\.checkout \(/);
  const wrong = await ask('what calls Basket.checkout', { depth: 1 });
  checkPlaces(wrong);
  assert.match(wrong.summary, /^checkout is defined at packages\/cart/);
  const sign = await ask('what calls logged?', { depth: 1 });
  assert.match(sign.summary, /^logged is defined at/);
  const unlike = await ask('who calls checkoutOfWibble');
  assert.match(unlike.summary, /^No symbol checkoutOfWibble is in the index\b/);
  for (const query of ['what calls frobnicate', 'what does frobnicate call', 'all subclasses of frobnicate']) {
    const plain = await ask(query);
    assert.match(plain.summary, /^No symbol frobnicate is in the index\b/, query);
    assert.deepEqual(plain.evidence, [], query);
  }
});

test('research follows the first symbols of a common name and counts the others', async () => {
  const many = await ask('what calls spin', { depth: 1 });
  checkPlaces(many);
  assert.equal(many.truncated, true);
  assert.match(many.summary, /4 more symbols have this name, the next at app\/spin\.py:/);
});

test('the focus of an open question decides which relations are shown', async () => {
  const configured = await ask('where is the number of payment retries configured');
  assert.equal(configured.question, 'configuration');
  assert.match(configured.summary, /packages\/pay\/src\/settings\.ts:\d/);
  const flow = await ask('how is a cart checked out', { focus: 'flow' });
  checkPlaces(flow);
  const parts = await ask('how do the parts hang together', { focus: 'architecture' });
  assert.match(parts.summary, /module web imports module cart, 1 time, first at packages\/web\/src\/page\.ts:1/);
  assert.ok(
    parts.nodes.some(({ kind, label }) => kind === 'module' && label === 'pay'),
    'modules are nodes',
  );
  checkPlaces(parts);
  assert.match(parts.summary, /^\d modules, .*\n(?:- .*\n)*- pay: 2 files, packages\/pay\/src\/gateway\.ts:1\n/);
  const patterns = await ask('how do vouchers pay', { focus: 'patterns' });
  assert.match(patterns.summary, /follows Gateway \(packages\/pay\/src\/gateway\.ts:3\)/);
});

test('modules of a language without imports depend on each other by the names that they use', async () => {
  const swift = workspace({
    'Package.swift': 'let package = Package(name: "Net", targets: [.target(name: "Net")])\n',
    'Sources/Net/Core/Session.swift': 'public class Session {\n    func open() {}\n}\n',
    'Sources/Net/Core/Request.swift': 'public struct Request {}\n',
    'Sources/Net/Features/Retry.swift':
      'final class Retrier: Session {\n    func retry(_ request: Request, _ again: Request) {}\n}\n',
    'Sources/Net/Features/Log.swift': 'struct Log {}\n',
  });
  try {
    await swift.engine.index(swift.root);
    const asked = { query: 'zebra crossing', focus: 'architecture' } as const;
    const { summary, edges } = await swift.engine.research(swift.root, asked);
    assert.match(summary, /- Core: 2 files, Sources\/Net\/Core\/Request\.swift:1/);
    assert.match(
      summary,
      /- module Features uses module Core, 2 names, first at Sources\/Net\/Features\/Retry\.swift:1/,
    );
    assert.deepEqual(
      edges.map(({ from, to, kind }) => [from, to, kind]),
      [['module:Features', 'module:Core', 'uses']],
    );
    const plain = await swift.engine.research(swift.root, { query: 'what are the main modules' });
    assert.match(plain.summary, /- Features: 2 files/);
    const nothing = await swift.engine.research(swift.root, { query: 'zebra crossing' });
    assert.match(nothing.summary, /^Nothing in the index answers this/);
  } finally {
    await swift.close();
  }
});

test('research keeps the depth between one and five, reports hops, and ends when cancelled', async () => {
  const hops: number[] = [];
  const answer = await ask('what calls Cart.total', { depth: 99, onHop: (hop) => hops.push(hop) });
  assert.deepEqual(hops, [1, 2, 3, 4, 5].slice(0, hops.length));
  assert.ok(hops.length > 2, `${hops.length} hops`);
  assert.ok(answer.nextQuestions.length > 0, 'next questions');
  const abort = new AbortController();
  abort.abort();
  await assert.rejects(ask('what calls Cart.total', { signal: abort.signal }), { code: 'cancelled' });
});

test('the same question twice gives the same answer', async () => {
  const once = await ask('what calls Cart.total', { depth: 3 });
  const again = await ask('what calls Cart.total', { depth: 3 });
  assert.deepEqual(again, once);
});

test('a question about a package is not answered about a symbol of its name', async () => {
  const module = await ask('what does the cart module depend on');
  checkPlaces(module);
  assert.match(module.summary, /^cart \(packages\/cart\/package\.json:1 and 1 more\) calls/);
  assert.match((await ask('what does page depend on')).summary, /^page is defined at packages\/web\/src\/page\.ts:12/);
  assert.match((await ask('what does the file page depend on')).summary, /^page \(packages\/web\/src\/page\.ts:1\)/);
});
