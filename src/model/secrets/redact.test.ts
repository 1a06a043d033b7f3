import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findSecrets } from './find-secrets.ts';
import { redactText } from './redact.ts';
import { noise, TOKENS } from './token.fixture.ts';

test('tokens are found by their form, wherever they stand, and named by their rule', () => {
  for (const [rule, token] of Object.entries(TOKENS))
    for (const [before, after] of [
      ['const token = "', '";\n'],
      ['', ''],
      ['TOKEN=', '\n'],
      ['// use `', '` here'],
      ["{'Authorization': '", "'}"],
    ] as const) {
      const text = before + token + after;
      assert.deepEqual(findSecrets(text), [{ start: before.length, end: before.length + token.length, rule }], text);
    }
});

test('what only a name beside it makes a secret is found with that name', () => {
  const value = noise(32, '0123456789abcdef');
  for (const line of [`DATADOG_API_KEY = "${noise(40, '0123456789abcdef')}"`, `mailchimpKey: "${value}-us12"`])
    assert.equal(findSecrets(line).length, 1, line);
  assert.deepEqual(findSecrets(`const hash = "${value}";`), []);
});

test('placeholders, examples, hashes and ordinary code are none', () => {
  for (const text of [
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${'x'.repeat(36)}`,
    'sk_live_your_api_key_goes_here',
    'glpat-abcdefghij1234567890',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'function describe_ghp_tokens() { return s.validateBase64Encoded2; }',
    `task_${noise(32, '0123456789abcdef')}`,
  ])
    assert.deepEqual(findSecrets(text), [], text);
});

test('a mark is as long as its token, keeps its lines, names its rule and is not marked again', () => {
  const text = Object.values(TOKENS)
    .map((token, i) => `line ${i}: "${token}" // ä`)
    .join('\r\n');
  const redacted = redactText(text);
  assert.equal(redacted.length, text.length);
  assert.equal(Buffer.byteLength(redacted), Buffer.byteLength(text));
  assert.match(redacted, /line 0: "REDACTED_github_pat_x+" \/\/ ä\r\nline 1: /);
  for (const token of Object.values(TOKENS)) assert.ok(!redacted.includes(token.slice(-8)), token);
  assert.equal(redactText(redacted), redacted);
});

test('tokens side by side and inside of one another are covered whole', () => {
  const [one, other] = [TOKENS['github-pat'], TOKENS['aws-access-token']];
  for (const text of [`${one} ${other}`, `${one},${other},${one}`, `eyJ${noise(20)}.eyJ${one}.${noise(20)}`]) {
    const redacted = redactText(text);
    for (const token of [one, other]) assert.ok(!redacted.includes(token.slice(6)), text);
  }
});

test('any text stays as long as it was, and text without a keyword is the same string', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(...Object.values(TOKENS), '"', '\n', '=', ' '),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const redacted = redactText(text);
      assert.equal(redacted.length, text.length);
      assert.equal(redacted.split('\n').length, text.split('\n').length);
    }),
  );
  const plain = 'export const answer = 42;\n';
  assert.equal(redactText(plain), plain);
});
