/** Which arguments of Go's `new` are values, as Go 1.26 takes them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskNewValues } from './new-values.ts';

const VALUES = [
  'int64(5)',
  'f()',
  '"x"',
  'x + 1',
  '[]int{1}',
  'T{a: 1}',
  '&T{a: 1}',
  'func() int { return 1 }',
  'func(a int) int { return a }(1)',
  '-1',
  'map[string]int{"a": 1}',
  '!ok',
  '<-ch',
  'i.(T)',
  's[1:2]',
  's[0]',
  '1 << 3',
  'nil == p',
  'G[int]{k: 1}',
  'time.Now()',
  'x == 1 && ok',
  "'a'",
  '`raw`',
  '[...]int{1, 2}',
  'struct{ b int }{b: 1}',
  '[]T{{a: 1}}',
  'new(5)',
  '^x',
  'x*2 - 1',
  '\n\t\tf(),\n\t',
  'interface{ M() }(nil)',
  '(*T)(nil)',
  '[]byte("x")',
  'x &^ 2',
];
const TYPES = [
  'T',
  '*T',
  'pkg.T',
  '[]int',
  '[3]int',
  '[]*pkg.T',
  'map[string]int',
  'chan int',
  '<-chan int',
  'chan<- int',
  'func(a int) error',
  'struct{ a int }',
  'struct{}',
  'interface{ M() }',
  'G[int]',
  'G[K, V]',
  '[N]T',
  '(T)',
];

test('new with a value is masked as a call, new with a type is not', () => {
  for (const value of VALUES) assert.match(maskNewValues(`_ = new(${value})`), /neW\(/, value);
  for (const type of TYPES) assert.equal(maskNewValues(`_ = new(${type})`), `_ = new(${type})`);
});
