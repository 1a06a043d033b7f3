import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSumKernel } from './sum-kernel.ts';

const DIMS = 32;
/** Numbers that look random and are the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

test('the SIMD and the plain kernel give the same bits', () => {
  const kernels = [makeSumKernel(100_000, true), makeSumKernel(100_000, false)];
  assert.notEqual(
    kernels[0]!.addFour.toString(),
    kernels[1]!.addFour.toString(),
    'this Node has no SIMD to compare with',
  );
  const next = numbers(7);
  for (let i = 0; i < 50_000; i++) {
    const value = Math.floor(next() * 256) - 128;
    for (const { buffer } of kernels) new Int8Array(buffer, i, 1)[0] = value;
  }
  for (let i = 0; i < 64; i++) {
    const value = next() * 2 - 1;
    for (const { buffer } of kernels) new Float32Array(buffer, 60_000 + i * 4, 1)[0] = value;
  }
  for (let round = 0; round < 200; round++) {
    const [a, b, c, d] = [0, 1, 2, 3].map(() => Math.floor(next() * 1000) * DIMS);
    const [fa, fb, fc, fd] = [0, 1, 2, 3].map(() => (next() - 0.3) * 3);
    for (const kernel of kernels) {
      kernel.addFour(60_000, a!, b!, c!, d!, fa!, fb!, fc!, fd!, DIMS);
      kernel.addRow(60_000, d!, fb!, DIMS);
      kernel.addFloats(60_000, 60_000 + DIMS * 4, fc!, DIMS);
    }
    const [simd, plain] = kernels.map(({ buffer }) => Buffer.from(buffer));
    assert.ok(simd!.equals(plain!), `round ${round}`);
  }
});

test('rows are added with their weights', () => {
  const kernel = makeSumKernel(4096, true);
  new Int8Array(kernel.buffer, 1024, 8).set([1, -2, 3, -4, 5, -6, 127, -128]);
  kernel.addRow(0, 1024, 0.5, 8);
  kernel.addFour(0, 1024, 1024, 1024, 1024, 1, 2, 3, 4, 8);
  const sum = new Float32Array(kernel.buffer, 0, 8);
  assert.deepEqual(
    [...sum],
    [1, -2, 3, -4, 5, -6, 127, -128].map((value) => value * 10.5),
  );
  kernel.addFloats(512, 0, 2, 8);
  assert.deepEqual(
    new Float32Array(kernel.buffer, 512, 8),
    sum.map((value) => value * 2),
  );
});
