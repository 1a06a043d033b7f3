import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staleNotices } from './stale-notices.ts';

test('a notice names a few of the changed files, and a fresh index gives none', () => {
  const base = { ref: 'main', pending: [] };
  assert.deepEqual(staleNotices({ ...base, status: 'fresh' }), []);
  const many = Array.from({ length: 8 }, (_, i) => `src/${i}.go`);
  assert.deepEqual(staleNotices({ ...base, status: 'stale', pending: many, failure: 'The disk is full.' }), [
    'Changed since the index was made: src/0.go, src/1.go, src/2.go, src/3.go, src/4.go and 3 more. Call ' +
      'index_codebase to follow.',
    'The last update failed: The disk is full.',
  ]);
  assert.deepEqual(staleNotices({ ...base, status: 'syncing' }), [
    'Files have changed since the index was made. It is being brought up to date: call again in a moment.',
  ]);
});

test('a notice about a ref does not name the ref as a file', () => {
  assert.deepEqual(staleNotices({ ref: 'main', status: 'stale', pending: ['main'], moved: true }), [
    'main has moved since it was indexed. Call index_codebase to follow.',
  ]);
});
