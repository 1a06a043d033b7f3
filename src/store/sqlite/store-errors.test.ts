import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DamagedDataError, decodeStored, storeError } from './store-errors.ts';

const store = { path: '/data/index.sqlite' };
const decodes = (error: unknown) => () =>
  decodeStored(store, () => {
    throw error;
  });

test('a failure to decode is store_corrupt, a failure to allocate memory is not', () => {
  assert.throws(decodes(new RangeError('Invalid typed array length: 5000000000')), { code: 'store_corrupt' });
  assert.throws(decodes(new DamagedDataError('the sum is wrong')), { code: 'store_corrupt' });
  assert.throws(decodes(new RangeError('Array buffer allocation failed')), { code: 'out_of_memory' });
  assert.throws(decodes(Object.assign(new Error('memory'), { code: 'Z_MEM_ERROR' })), { code: 'out_of_memory' });
});

test('a read that SQLite could not make for lack of memory is not store_corrupt', () => {
  const read = (message: string, errcode: number) =>
    storeError(Object.assign(new Error(message), { errcode }), store.path, 'read') as { code: string };
  assert.equal(read('disk I/O error', 522).code, 'store_corrupt', 'a file that ends too soon');
  assert.equal(read('disk I/O error', 3082).code, 'out_of_memory');
  assert.equal(read('out of memory', 7).code, 'out_of_memory');
});
