import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactDeep } from './redact-deep.ts';
import { TOKENS } from './token.fixture.ts';

const token = Object.values(TOKENS)[0]!;

test('a token is marked in every text of an answer, and the rest of the answer is the same object', () => {
  const clean = { text: 'nothing to hide here', lines: [1, 2] };
  const answer = { hits: [{ symbolId: token, text: `key = ${token}` }, clean] };
  const redacted = redactDeep(answer);
  assert.doesNotMatch(JSON.stringify(redacted), new RegExp(token.slice(0, 12)));
  assert.equal(redacted.hits[1], clean);
  assert.equal(redactDeep(clean), clean);
});

test('an id that is computed when it is read is not computed to look for tokens', () => {
  let computed = 0;
  const symbol = {
    get symbolId() {
      computed++;
      return 'a1b2';
    },
    signature: 'func open(path string) error',
  };
  assert.equal(redactDeep(symbol), symbol);
  assert.equal(computed, 0);
});
