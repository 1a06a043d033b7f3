import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listErrors } from './error-list.ts';

test('a list of errors that is cut has their total', () => {
  const errors = Array.from({ length: 130 }, (_, i) => ({ file: `f${i}` }));
  assert.deepEqual(listErrors(errors.slice(0, 100)), { errors: errors.slice(0, 100) });
  const cut = listErrors(errors);
  assert.deepEqual([cut.errors.length, cut.errors_total, cut.errors_omitted], [100, 130, 30]);
});
