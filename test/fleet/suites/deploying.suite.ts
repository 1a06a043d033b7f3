/** What an operator starts from: the compose file of deploy/. test/deploy.test.ts has its command lines and the units. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintCompose } from '../cluster/distribution.ts';
import { fleetFor } from '../fleet-under-test.ts';

test('a linter of the compose specification accepts the compose file, and would refuse a wrong word in it', async (t) => {
  const { folder } = await fleetFor(t, { setUp: false });
  const file = join(import.meta.dirname, '../../../deploy/compose.yml');
  assert.equal(lintCompose(file), null);
  const wrong = join(folder, 'compose.yml');
  writeFileSync(wrong, readFileSync(file, 'utf8').replace('healthcheck:', 'healthchek:'));
  assert.match(lintCompose(wrong) ?? '', /healthchek/);
});
