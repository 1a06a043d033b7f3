import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantise } from './quantise.ts';

test('the largest component takes the whole range, and the scale restores the vector', () => {
  const vector = Float32Array.of(0.6, -0.8, 0, 0.004);
  const out = new Int8Array(6).fill(9);
  const scale = quantise(vector, out, 1);
  assert.deepEqual([...out], [9, 95, -127, 0, 1, 9]);
  for (let d = 0; d < vector.length; d++) assert.ok(Math.abs(out[d + 1]! * scale - vector[d]!) <= scale / 2 + 1e-6);
});

test('a zero vector stays zero', () => {
  const out = new Int8Array(2).fill(5);
  assert.equal(quantise(new Float32Array(2), out, 0), 0);
  assert.deepEqual([...out], [0, 0]);
});
