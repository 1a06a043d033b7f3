import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractIntent } from './contract-intent.ts';

test('a question is classified by the trigger patterns of the contract', () => {
  for (const [query, expected] of [
    ["where is 'no such table' raised", 'error'],
    ['who logs "connection reset"', 'error'],
    ['why do I get HTTP 500', 'error'],
    ['exit code 137', 'error'],
    ['process exited with status 2', 'error'],
    ['what does src/auth/jwt.rs do', 'path'],
    ['explain jwt.rs please', 'path'],
    ['*.rs', 'path'],
    ['all tests in pkg/server/*_test.go', 'path'],
    ["what's the user's session", 'natural_language'],
    ['read and/or write access', 'natural_language'],
    ['where is rate limiting implemented', 'natural_language'],
    ['how does version 2.0 differ', 'natural_language'],
  ] as const)
    assert.equal(contractIntent(query, 'natural_language'), expected, query);
  assert.equal(contractIntent('validate_token', 'symbol'), 'symbol');
});
