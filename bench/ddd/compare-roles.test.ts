import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRoles, scoresOf } from './compare-roles.ts';

test('precision counts wrong and superfluous roles, recall those that were not found', () => {
  const found = new Map([
    ['a.go#Order', 'entity'],
    ['a.go#Money', null],
    ['a.go#Config', 'entity'],
    ['a.go#Plain', null],
  ]);
  const outcomes = compareRoles(found, { 'a.go#Order': ['aggregate', 'entity'], 'a.go#Money': 'value_object' });
  assert.deepEqual(scoresOf(outcomes), { right: 1, found: 2, labelled: 2, precision: '0.50', recall: '0.50' });
});

test('labels of another commit are an error', () => {
  assert.throws(() => compareRoles(new Map(), { 'a.go#Order': 'entity' }), /a\.go#Order/);
});
