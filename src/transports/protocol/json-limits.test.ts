import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonExcess } from './json-limits.ts';

const excess = (text: string) => jsonExcess(Buffer.from(text));
const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;

test('jsonExcess() reports too many keys, too many elements and deep nesting, but no long string', () => {
  assert.match(excess(keys(300_000))!, /20000 keys and values/);
  assert.match(excess(`[${'1,'.repeat(300_000)}1]`)!, /20000 keys and values/);
  assert.match(excess('['.repeat(201))!, /200 levels/);
  assert.equal(excess(keys(9_000)), null);
  assert.equal(excess(JSON.stringify({ text: '{"a":[1,2],\\"\\\\'.repeat(200_000) })), null);
});

test('jsonExcess() stops at the limit, whatever the length of the rest', () => {
  let read = 0;
  const text = Buffer.from(`[${'1,'.repeat(1_000_000)}1]`);
  const counted = new Proxy(text, {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) read = Math.max(read, Number(name));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  assert.notEqual(jsonExcess(counted), null);
  assert.ok(read < 50_000, `${read} bytes were looked at`);
});

test('jsonExcess() ignores the content of strings, however it is escaped', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 40 }), (words) => {
      const noisy = JSON.stringify(words.map((word) => `${word}\\",:[{`.repeat(300)));
      assert.equal(excess(noisy), null);
    }),
    { seed: 21 },
  );
});

test('jsonExcess() leaves an unclosed string to the parser', () => {
  assert.equal(excess('{"a":"\\'), null);
  assert.equal(excess('"'), null);
});
