import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedAfter, nearness, subjectOf } from './test-naming.ts';

test('a test is named after its subject in the ways of each language', () => {
  const pairs: readonly (readonly [test: string, source: string])[] = [
    ['tests/test_sessions.py', 'src/flask/sessions.py'],
    ['context_test.go', 'context.go'],
    ['src/test/java/org/jsoup/parser/HtmlParserTest.java', 'src/main/java/org/jsoup/parser/HtmlParser.java'],
    ['src/utils/cookie.test.ts', 'src/utils/cookie.ts'],
    ['spec/rubocop/cop/style/not_spec.rb', 'lib/rubocop/cop/style/not.rb'],
    ['src/router/smart-router/router.test.ts', 'src/router/smart-router/router.ts'],
    ['test/debug.test.js', 'lib/debug/index.js'],
    ['Tests/HTTPServerTests.swift', 'Sources/HTTPServer.swift'],
  ];
  for (const [path, source] of pairs)
    assert.equal(namedAfter(subjectOf(path), subjectOf(source)), 1, `${path} ${source}`);
});

test('a partial name match counts less, no match counts nothing', () => {
  const part = namedAfter(subjectOf('context_file_test.go'), subjectOf('context.go'));
  assert.ok(part > 0 && part < 1, String(part));
  assert.equal(namedAfter(subjectOf('router_test.go'), subjectOf('context.go')), 0);
});

test('folders that only separate tests from sources do not count as a difference', () => {
  assert.equal(nearness('tests/auth/test_token.py', 'src/auth/token.py'), 1);
  assert.equal(nearness('tests/mail/test_token.py', 'src/auth/token.py'), 0);
});
