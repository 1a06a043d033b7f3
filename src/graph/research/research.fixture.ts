/** A made-up project for the tests of research. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
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

export let space: Workspace;

before(async () => {
  space = workspace(FILES);
  await space.engine.index(space.root);
});

after(() => space.close());

export const ask = (query: string, more: Partial<ResearchRequest> = {}) =>
  space.engine.research(space.root, { query, ...more });

/** Every line of a summary that says something about the code ends in a place that is there. */
export function checkPlaces({ summary, evidence, edges, nodes }: ResearchAnswer): void {
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
