/** Questions about a small shop: every form, every focus, and what a sentence owes its reader. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Workspace, workspace } from '../../../test/workspace.ts';
import type { ResearchAnswer, ResearchRequest } from '../../model/records/query.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "workspaces": ["packages/*"] }',
  'packages/pay/package.json': '{ "name": "pay" }',
  'packages/pay/src/gateway.ts':
    "import { retries } from './settings';\n\nexport interface Gateway {\n  charge(cents: number): boolean;\n" +
    '}\n\nexport class Card implements Gateway {\n  charge(cents: number) {\n' +
    '    return this.send(cents, retries);\n  }\n  send(cents: number, tries: number) {\n' +
    '    return cents > tries;\n  }\n}\n\nexport class Voucher implements Gateway {\n  charge(cents: number) {\n' +
    '    return cents > 0;\n  }\n}\n\nexport class GiftVoucher extends Voucher {}\n',
  'packages/pay/src/settings.ts': '/** How often a payment is retried. */\nexport const retries = 3;\n',
  'packages/cart/package.json': '{ "name": "cart" }',
  'packages/cart/src/cart.ts':
    "import { Card, type Gateway } from '../../pay/src/gateway';\n\nexport class Cart {\n" +
    '  constructor(private readonly gateway: Gateway) {}\n  checkout() {\n' +
    '    return this.gateway.charge(this.total());\n  }\n  total() {\n    return 100;\n  }\n}\n\n' +
    'export function makeCart() {\n  return new Cart(new Card());\n}\n',
  'packages/web/package.json': '{ "name": "web" }',
  'packages/web/src/page.ts':
    "import { makeCart } from '../../cart/src/cart';\n\nexport function buy() {\n  const cart = makeCart();\n" +
    '  return run(() => cart.checkout());\n}\n\nexport function run(step: () => boolean) {\n  return step();\n' +
    '}\n\nexport function page() {\n  return buy();\n}\n\nexport function site() {\n  return page();\n}\n',
  'app/errors.py':
    'class Failure(Exception):\n    def __init__(self, text):\n        self.text = text\n\n\n' +
    'class Closed(Failure):\n    def __init__(self):\n        super().__init__("closed")\n\n\n' +
    'class Consumed(Failure):\n    def __init__(self):\n        super(Consumed, self).__init__("consumed")\n',
  'app/Hello.cs':
    'namespace App;\n\npublic class Greeter {\n  public virtual string Greet() { return "hello"; }\n}\n\n' +
    'public class Loud : Greeter {\n  public override string Greet() { return base.Greet(); }\n}\n',
  'app/chain.py':
    `class Link0:\n    pass\n\n\n` +
    `${Array.from({ length: 4 }, (_, i) => `class Link${i + 1}(Link${i}):\n    pass\n\n\n`).join('')}`,
  'app/log.ts':
    'export function logged() {\n  return 1;\n}\n\nexport function start() {\n  setTimeout(logged);\n' +
    '  return logged();\n}\n',
  'app/spin.py': Array.from({ length: 12 }, (_, i) => `class Wheel${i}:\n    def spin(self):\n        pass\n\n\n`).join(
    '',
  ),
  'app/turn.py': 'def turn(wheel):\n    wheel.spin()\n',
  'app/base.py': 'BASE = 1\n',
  ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`app/user${i}.py`, 'from app.base import BASE\n'])),
  'app/engine.py':
    'class Engine:\n    def __init__(self):\n        warm()\n\n    def stop(self):\n        cool()\n\n\n' +
    'def warm(): pass\n\n\ndef cool(): pass\n\n\ndef begin(): Engine()\n',
  'app/tick.ts':
    'export const interval = 5;\n\nfunction onTick() {}\n\nexport function watch(clock: Clock) {\n' +
    '  clock.handler = onTick;\n  return interval * 2;\n}\n',
  'app/busy.ts':
    `export function busy() {}\n\n` +
    `${Array.from({ length: 50 }, (_, i) => `export function use${i}() { busy(); }\n`).join('')}`,
  'app/Shapes.swift': Array.from({ length: 150 }, (_, i) => `struct Shape${i}: Sendable {}\n`).join(''),
  'app/steps.ts':
    'export interface Step {\n  go(): void;\n}\n\nexport function finish() {}\n\n' +
    'export class Last implements Step {\n  go() {\n    finish();\n  }\n}\n\n' +
    'export function runAll(steps: Step[]) {\n  for (const step of steps) step.go();\n}\n',
  'app/a-steps.test.ts':
    `import type { Step } from './steps';\n\n` +
    `${Array.from({ length: 12 }, (_, i) => `class Fake${i} implements Step {\n  go() {}\n}\n`).join('')}`,
  'app/steps.test.ts':
    "import { finish, Last, runAll } from './steps';\n\nfunction testFinish() {\n  finish();\n  finish();\n}\n\n" +
    'function testLast() {\n  new Last().go();\n}\n\nfunction testAll() {\n  runAll([new Last()]);\n}\n',
  'lib/clock.rs':
    'pub struct Clock;\n\nimpl Clock {\n    pub fn wind(&self) {}\n}\n\nmod tests {\n    use super::*;\n\n' +
    '    fn winds() {\n        Clock.wind();\n    }\n}\n',
  'app/Kind.cs': 'namespace App;\n\npublic class Kind { }\n\npublic class Plain : Kind { }\n',
  'app/Kind.T.cs': 'namespace App;\n\npublic class Kind<T> { }\n\npublic class Rich : Kind<int> { }\n',
  'lib/loud.rb': 'module Loud\nend\n\nclass Dog\n  include Loud\nend\n',
  'lib/mail.rb':
    'class Mail\n  def push(item)\n    item\n  end\n\n  def self.push(item)\n    new.push(item)\n  end\nend\n\n' +
    'Mail.push(1)\n',
  'lib/bell.h': 'int bell_ring(void);\n',
  'lib/bell.c': '#include "bell.h"\n\nint bell_ring(void) { return 1; }\n',
  'app/client.py':
    'class Client:\n    def send(self):\n        return self.open()\n\n    def open(self):\n' +
    '        return 1\n\n\nclass AsyncClient:\n    def send(self):\n        return self.stream()\n\n' +
    '    def stream(self):\n        return 2\n',
  'app/Model.swift':
    'protocol Stored {\n    func save()\n}\n\nextension String: Stored {\n    func save() { write() }\n' +
    '    func write() {}\n}\n\nextension Array: Stored where Element: Stored {\n    func save() {}\n}\n',
};

let space: Workspace;
before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
});
after(() => space.close());
const ask = (query: string, more: Partial<ResearchRequest> = {}) =>
  space.engine.research(space.root, { query, ...more });

/** Every line of a summary that says something about the code ends in a place that is there. */
function checkPlaces({ summary, evidence, edges, nodes }: ResearchAnswer): void {
  for (const line of summary.split('\n')) {
    const places = [...line.matchAll(/([\w./-]+\.(?:ts|swift|json|py|cs|c|h|rb|rs)):(\d+)/g)];
    assert.ok(places.length > 0, `no place in: ${line}`);
    for (const [, path, number] of places)
      assert.ok((FILES[path!]?.split('\n').length ?? 0) >= Number(number), `${path}:${number} does not exist`);
  }
  for (const { path, snippet } of evidence)
    assert.ok(FILES[path]!.includes(snippet), `${path} does not hold its snippet`);
  const ids = new Set(nodes.map(({ id }) => id));
  for (const { from, to } of edges)
    assert.ok(ids.has(from) && ids.has(to), `${from} → ${to} has an end that is no node`);
}

test('callers: through an interface, level by level', async () => {
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

test('what is inherited is called by its overrides, and no override is', async () => {
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

test('a qualified name means the type of that very name; a part of one where there is no such type', async () => {
  const callees = async (name: string) =>
    (await ask(`what does ${name} call`, { depth: 1 })).edges.map(({ to }) => to.replace(/.*#|:\d+$/g, ''));
  assert.deepEqual(await callees('Client.send'), ['Client.open']);
  assert.deepEqual(await callees('AsyncClient.send'), ['AsyncClient.stream']);
  assert.deepEqual(await callees('Async.send'), ['AsyncClient.stream']);
  assert.deepEqual(await callees('client.send'), ['Client.open', 'AsyncClient.stream']);
});

test('callees, paths, dependants, implementations', async () => {
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

test('a way through an interface is found however many implement it, in tests before all', async () => {
  const { summary } = await ask('how does runAll reach finish');
  assert.equal(summary, '1. runAll → Last.go at app/steps.ts:14 (likely)\n2. Last.go → finish at app/steps.ts:9');
});

test('tests that call a symbol come first, then tests that reach it; without any, tests found by words', async () => {
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

test('implementations: of types that share a name, each is told, and whose they are is sure', async () => {
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

test('the next questions go the way of the calls, and have an answer', async () => {
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

test('a step is told once: by its calls, or by how many more there are', async () => {
  const { summary } = await ask('what calls Cart.total', { depth: 3 });
  assert.equal(summary.match(/buy calls Cart\.checkout/g)?.length, 1, summary);
  assert.doesNotMatch(summary, /in step/);
  const likely = await ask('what calls Card.charge', { depth: 1 });
  assert.doesNotMatch(likely.summary, /in step/);
  const many = await ask('what calls busy', { depth: 1 });
  checkPlaces(many);
  assert.match(many.summary, /\n10 more in step 1, the first: use40 calls busy at app\/busy\.ts:43$/);
});

test('a call that may mean several of a name is told once, for the one that it means most surely', async () => {
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

test('uses: whoever passes a function on, and whoever names a type', async () => {
  const uses = await ask('what uses logged', { depth: 1 });
  checkPlaces(uses);
  assert.match(uses.summary, /start passes logged at app\/log\.ts:6/);
  assert.match(uses.summary, /start calls logged at app\/log\.ts:7/);
  assert.doesNotMatch((await ask('what calls logged', { depth: 1 })).summary, /passes/);
  const broken = await ask('what breaks if Gateway changes', { depth: 1 });
  assert.equal(broken.question, 'callers');
  assert.match(broken.summary, /Card uses Gateway at packages\/pay\/src\/gateway\.ts:7/);
});

test('what is only handed on, and what is only read, is found in the lines that do so', async () => {
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

test('a name that is not there is said to be none, with similar ones; a wrong scope is not repeated', async () => {
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
});

test('of many namesakes the first are followed, and the others are told', async () => {
  const many = await ask('what calls spin', { depth: 1 });
  checkPlaces(many);
  assert.equal(many.truncated, true);
  assert.match(many.summary, /4 more symbols have this name, the next at app\/spin\.py:/);
});

test('constructing a type runs its constructor, and none of its methods', async () => {
  const to = async (goal: string) => (await ask(`how does begin reach ${goal}`)).summary;
  assert.match(await to('warm'), /1\. begin → Engine at app\/engine\.py:15\n2\. Engine → warm at app\/engine\.py:3/);
  assert.match(await to('cool'), /^No chain of calls from begin/);
  const callees = await ask('what does begin call', { depth: 2 });
  assert.doesNotMatch(callees.summary, /cool/);
});

test('all direct importers are counted, whatever is drawn', async () => {
  const answer = await ask('who imports app/base.py', { depth: 1 });
  checkPlaces(answer);
  assert.match(
    answer.summary,
    /^60 files depend on app\/base\.py \(app\/base\.py:1\) within 1 step, 60 of them directly:/,
  );
  assert.match(answer.summary, /20 more import it directly, the first: app\/user\d+\.py:1$/);
});

test('files are imported and symbols are used, whichever of the two is asked for', async () => {
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

test('extensions conform for types that are defined elsewhere', async () => {
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

test('open questions and their focus', async () => {
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

test('modules without imports are tied by the names that they use', async () => {
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

test('depth is kept between one and five; hops are told; a cancelled walk ends', async () => {
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

test('a part of the repository is not the symbol of its name', async () => {
  const module = await ask('what does the cart module depend on');
  checkPlaces(module);
  assert.match(module.summary, /^cart \(packages\/cart\/package\.json:1 and 1 more\) calls/);
  assert.match((await ask('what does page depend on')).summary, /^page is defined at packages\/web\/src\/page\.ts:12/);
  assert.match((await ask('what does the file page depend on')).summary, /^page \(packages\/web\/src\/page\.ts:1\)/);
});
