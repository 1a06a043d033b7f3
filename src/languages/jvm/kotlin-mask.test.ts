import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskKotlin } from './kotlin-mask.ts';

const MASKED: readonly (readonly [text: string, expected: string])[] = [
  ['val p = publish<String>(ctx) {}', 'val p = publish        (ctx) {}'],
  ['f<Map<A, B?>, C>(x)', 'f               (x)'],
  ['assertFailsWith<E> { x() }', 'assertFailsWith    { x() }'],
  ['annotation class A\n\n@B(\n 1)\n@C class D', 'annotation class A\n\n@B \n   \n@C class D'],
  ['val b = suspend { 1 }', 'val b =         { 1 }'],
  ['run(suspend = true)', 'run(          true)'],
  ['zip(f, String?::plus)', 'zip(f, String ::plus)'],
  ['x = $$"a$b"', 'x =   "a$b"'],
  ['class A\n  @B(1)\n  @C\n  internal constructor() {', 'class A\n  @B(1)\n    \n           constructor() {'],
  ['class A\n  private constructor() {', 'class A\n  @rivate constructor() {'],
  ['if (!open) a { open(b) }', 'if (!_pen) a { _pen(b) }'],
  ['in1.close()', '_n1.close()'],
  ['@S("x") // why\n  private set(v) {', '        // why\n  private set(v) {'],
];
for (const [text, expected] of MASKED)
  test(`blanked in ${text.split('\n')[0]}`, () => {
    assert.equal(maskKotlin(text), expected);
  });

for (const text of [
  'class Box<T>(val x: T)',
  'fun <T> f(x: T) {}',
  'if (a < B && c > (d)) {}',
  'suspend fun f() {}',
  'x?.y()',
  'class A\n  @B\n  constructor(val x: Int)',
  'open fun open(x: Int) = y.open(x)',
  'for (x in 1..2) {}',
])
  test(`left as it is: ${text}`, () => {
    assert.equal(maskKotlin(text), text);
  });

test('masking unclosed type arguments takes linear time', () => {
  for (const piece of ['A', 'A<', 'A, ', 'public ', '@A ', '$$']) {
    const text = `f<${piece.repeat(50_000)}`;
    assert.equal(maskKotlin(text).length, text.length);
  }
});
