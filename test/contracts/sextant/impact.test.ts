/** The tool `impact` over a real client: what a change touches, what depends on it, which tests to run. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Message } from '../raw-client.ts';
import { call, indexProject, refused } from './setup.ts';

before(indexProject);

test('impact tells what lines touch, what depends on it and which tests to run', async () => {
  const { change, symbols, dependants, modules, tests, run } = await call('impact', {
    target: 'internal/auth/service.go:10',
  });
  assert.equal(change, 'a change of internal/auth/service.go:10');
  assert.deepEqual(
    symbols.map(({ name, at }: Message) => `${name} ${at}`),
    ['User internal/auth/service.go:11'],
  );
  assert.deepEqual(dependants, { exact: 4, likely: 0, ambiguous: 0, unresolved: 0 });
  assert.equal(modules[0].places[0], 'internal/auth/service.go:7 UserRepository.Find uses User');
  assert.equal(tests[0].path, 'internal/auth/service_test.go');
  assert.deepEqual(run, ["go test ./internal/auth -run '^(TestAuthenticateUser)$'"]);
});

test('impact of a symbol, and of a name that the index does not have', async () => {
  const { symbols } = await call('impact', { target: 'ValidateToken' });
  assert.equal(symbols[0].at, 'internal/auth/service.go:29');
  await refused('impact', { target: 'ValidateTokenTwice' }, 'symbol_not_found');
});
