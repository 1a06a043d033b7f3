/** Callers, callees, paths, implementers, importers and uses of a symbol. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, checkPlaces } from './research.fixture.ts';

test('callers are found through an interface, hop by hop', async () => {
  const answer = await ask('what calls Card.charge', { depth: 5 });
  checkPlaces(answer);
  const byLabel = new Map(answer.nodes.map(({ label, hop }) => [label, hop]));
  assert.equal(byLabel.get('Cart.checkout'), 1);
  assert.equal(byLabel.get('site'), 4);
  const [first] = answer.edges;
  assert.equal(first?.confidence, 'likely');
  assert.match(
    answer.summary,
    /Cart\.checkout calls Card\.charge through Gateway\.charge at packages\/cart\/src\/cart\.ts:6 \(likely\)/,
  );
});

test('a super call reaches the inherited method and no override', async () => {
  for (const [base, below, line] of [
    ['Failure.__init__', 'Closed.__init__', 'app/errors.py:8'],
    ['Greeter.Greet', 'Loud.Greet', 'app/Hello.cs:8'],
  ] as const) {
    const above = await ask(`what calls ${base}`, { depth: 1 });
    assert.ok(above.summary.includes(`${below} calls ${base} at ${line}`), above.summary);
    const callers = await ask(`what calls ${below}`, { depth: 1 });
    assert.deepEqual(callers.edges, [], callers.summary);
    const callees = await ask(`what does ${below} call`, { depth: 1 });
    assert.deepEqual(
      callees.nodes.map(({ label }) => label),
      [below, base],
    );
  }
});

test('a qualified name means the type of exactly that name, else types that have it as a part', async () => {
  const callees = async (name: string) =>
    (await ask(`what does ${name} call`, { depth: 1 })).edges.map(({ to }) => to.replace(/.*#|:\d+$/g, ''));
  assert.deepEqual(await callees('Client.send'), ['Client.open']);
  assert.deepEqual(await callees('AsyncClient.send'), ['AsyncClient.stream']);
  assert.deepEqual(await callees('Async.send'), ['AsyncClient.stream']);
  assert.deepEqual(await callees('client.send'), ['Client.open', 'AsyncClient.stream']);
});

test('callees, paths, dependants and implementations are answered with their lines', async () => {
  const callees = await ask('what does Cart.checkout call', { depth: 2 });
  checkPlaces(callees);
  assert.ok(
    callees.nodes.some(({ label }) => label === 'Gateway.charge'),
    'the interface',
  );
  assert.ok(
    callees.nodes.some(({ label }) => label === 'Card.charge'),
    'what may run behind it',
  );
  const path = await ask('how does site reach Card.send');
  checkPlaces(path);
  assert.deepEqual(
    path.edges.map(({ line, path: file }) => `${file}:${line}`),
    [
      'packages/web/src/page.ts:17',
      'packages/web/src/page.ts:13',
      'packages/web/src/page.ts:5',
      'packages/cart/src/cart.ts:6',
      'packages/pay/src/gateway.ts:9',
    ],
  );
  const dependants = await ask('what depends on packages/pay/src/gateway.ts', { depth: 2 });
  checkPlaces(dependants);
  assert.match(dependants.summary, /^2 files depend on .*, 1 of them directly/);
  const deep = await ask('all implementations of Gateway', { depth: 2 });
  checkPlaces(deep);
  assert.deepEqual(
    deep.nodes.map(({ label, hop }) => [label, hop]),
    [
      ['Gateway', 0],
      ['Card', 1],
      ['Voucher', 1],
      ['GiftVoucher', 2],
    ],
  );
});

test('a path through an interface is found, however many types implement it', async () => {
  const { summary } = await ask('how does runAll reach finish');
  assert.equal(summary, '1. runAll → Last.go at app/steps.ts:14 (likely)\n2. Last.go → finish at app/steps.ts:9');
});

test('direct tests come first, then indirect tests; without any, tests are found by words', async () => {
  const covered = await ask('which tests cover finish');
  assert.equal(covered.question, 'callers');
  assert.deepEqual(covered.summary.split('\n'), [
    '2 places in tests lead to finish (app/steps.ts:5):',
    '- testFinish calls finish at app/steps.test.ts:4',
    '- testLast calls Last.go at app/steps.test.ts:9, which leads to finish',
  ]);
  checkPlaces(covered);
  assert.match((await ask('where is Last tested')).summary, /^- testAll calls Last at app\/steps\.test\.ts:13$/m);
  assert.match(
    (await ask('How is Clock.wind tested?')).summary,
    /^- tests::winds calls Clock::wind at lib\/clock\.rs:11$/m,
  );
  const none = await ask('which tests cover Cart.checkout');
  assert.match(
    none.summary,
    /^No test that the index knows calls or uses Cart\.checkout \(.*cart\.ts:5\), directly or within 2 steps\.\n/,
  );
});

test('implementations: of types that share a name, the answer lists each with its own implementers', async () => {
  assert.deepEqual((await ask('what inherits Kind')).summary.split('\n'), [
    '2 places implement or inherit Kind, defined at app/Kind.T.cs:3, app/Kind.cs:3:',
    '- Rich inherits Kind (app/Kind.T.cs:5)',
    '- Plain inherits Kind (app/Kind.cs:5)',
  ]);
});

test('Ruby: a method of the class is not one of its instances', async () => {
  assert.match(
    (await ask('what calls Mail.push')).summary,
    /^Mail\.push is defined at lib\/mail\.rb:6\.\n- lib\/mail\.rb calls Mail\.push at lib\/mail\.rb:11/,
  );
  assert.match((await ask('what calls Mail#push')).summary, /^Mail#push is defined at lib\/mail\.rb:2\.\n/);
});

test('includes: a module is included by classes, a header by files', async () => {
  assert.match((await ask('who includes Loud')).summary, /^- Dog conforms to Loud \(lib\/loud\.rb:\d\)$/m);
  assert.match((await ask('what includes bell.h')).summary, /^- lib\/bell\.c:1 imports lib\/bell\.h$/m);
});

test('uses include places that pass a function as a value and places that name a type', async () => {
  const uses = await ask('what uses logged', { depth: 1 });
  checkPlaces(uses);
  assert.match(uses.summary, /start passes logged at app\/log\.ts:6/);
  assert.match(uses.summary, /start calls logged at app\/log\.ts:7/);
  assert.doesNotMatch((await ask('what calls logged', { depth: 1 })).summary, /passes/);
  const broken = await ask('what breaks if Gateway changes', { depth: 1 });
  assert.equal(broken.question, 'callers');
  assert.match(broken.summary, /Card uses Gateway at packages\/pay\/src\/gateway\.ts:7/);
});

test('functions that are only passed as values, and values that are only read, are found', async () => {
  const handed = await ask('what calls onTick', { depth: 1 });
  checkPlaces(handed);
  assert.match(handed.summary, /watch passes onTick at app\/tick\.ts:6/);
  assert.match((await ask('what calls logged', { depth: 1 })).summary, /handed on by its name at app\/log\.ts:6/);
  const read = await ask('what uses interval', { depth: 1 });
  checkPlaces(read);
  assert.match(read.summary, /watch uses interval at app\/tick\.ts:7/);
  const made = await ask('what calls Cart.constructor', { depth: 1 });
  checkPlaces(made);
  assert.match(made.summary, /makeCart calls Cart\.constructor at packages\/cart\/src\/cart\.ts:/);
});

test('the callees of a construction are those of the constructor, not of other methods', async () => {
  const to = async (goal: string) => (await ask(`how does begin reach ${goal}`)).summary;
  assert.match(await to('warm'), /1\. begin → Engine at app\/engine\.py:15\n2\. Engine → warm at app\/engine\.py:3/);
  assert.match(await to('cool'), /^No chain of calls from begin/);
  const callees = await ask('what does begin call', { depth: 2 });
  assert.doesNotMatch(callees.summary, /cool/);
});

test('all direct importers are counted, also beyond the limits of the graph', async () => {
  const answer = await ask('who imports app/base.py', { depth: 1 });
  checkPlaces(answer);
  assert.match(
    answer.summary,
    /^60 files depend on app\/base\.py \(app\/base\.py:1\) within 1 step, 60 of them directly:/,
  );
  assert.match(answer.summary, /20 more import it directly, the first: app\/user\d+\.py:1$/);
});

test('a question about uses of a file lists importers, one about imports of a symbol lists uses', async () => {
  const file = await ask('what would break if I change packages/pay/src/gateway.ts', { depth: 1 });
  assert.equal(file.question, 'dependants');
  assert.match(file.summary, /packages\/cart\/src\/cart\.ts:1 imports packages\/pay\/src\/gateway\.ts/);
  assert.equal((await ask('what uses gateway.ts')).question, 'dependants');
  const symbol = await ask('what depends on Cart.total', { depth: 1 });
  assert.equal(symbol.question, 'callers');
  assert.match(symbol.summary, /Cart\.checkout calls Cart\.total/);
  const folder = await ask('what does packages/web call');
  checkPlaces(folder);
  assert.equal(folder.question, 'callees');
  assert.match(folder.summary, /calls 2 symbols outside of itself:/);
  assert.match(folder.summary, /buy calls makeCart at packages\/web\/src\/page\.ts:4/);
});

test('an extension of an external type counts as an implementation', async () => {
  const answer = await ask('all implementations of Stored');
  checkPlaces(answer);
  assert.deepEqual(
    answer.evidence.map(({ why }) => why),
    ['the extension of String conforms to Stored', 'the extension of Array conforms to Stored'],
  );
});

test('all implementations are all of them, however many there are', async () => {
  const answer = await ask('all implementations of Sendable');
  checkPlaces(answer);
  assert.match(answer.summary, /^150 places implement or inherit Sendable/);
  for (let i = 0; i < 150; i++)
    assert.ok(answer.summary.includes(`- Shape${i} conforms to Sendable (app/Shapes.swift:${i + 1})`), `Shape${i}`);
  assert.ok(!answer.truncated && answer.evidence.length < 150, 'whole without a snippet for each');
});

test('all implementations are all of them, and a depth that leaves some out says so', async () => {
  const all = await ask('all implementations of Link0');
  checkPlaces(all);
  assert.equal(all.summary.split('\n').length, 5);
  assert.equal(all.truncated, false);
  const some = await ask('all implementations of Link0', { depth: 2 });
  checkPlaces(some);
  assert.match(some.summary, /More do so through these, the first at app\/chain\.py:13: a greater depth lists them\.$/);
  assert.equal(some.truncated, true);
});
