import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProfile, SERVED_PROFILES } from './index.ts';

test('every tool of every profile only reads or is idempotent, because a relay repeats calls after a crash', async () => {
  const engine = () => Promise.reject(new Error('A list of tools needs no engine.'));
  for (const name of SERVED_PROFILES) {
    const { tools } = await loadProfile(name, { workspace: null, version: '1', log: () => undefined, engine });
    const listed = tools.list();
    assert.ok(listed.length > 0, name);
    for (const { name: tool, annotations } of listed)
      assert.ok(annotations.readOnlyHint || annotations.idempotentHint, `${name} ${tool}`);
  }
});
