import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isIdentifierLike } from './query-terms.ts';
import { understand } from './understand-query.ts';

test('the intent follows from how the query is written', () => {
  for (const [query, intent] of [
    ['parseFile', 'symbol'],
    ['Router.handle', 'symbol'],
    ['std::vec::Vec', 'symbol'],
    ['open()', 'symbol'],
    ['save!', 'symbol'],
    ['src/auth/login.ts', 'path'],
    ['login.ts', 'path'],
    ['*.yml', 'path'],
    ['login_*.ts', 'path'],
    ['auth/login', 'path'],
    ['TypeError: cannot read property of undefined', 'error'],
    ['"connection refused by peer"', 'error'],
    ['error[E0382]: borrow of moved value', 'error'],
    ['at handler (src/app.js:12)', 'error'],
    ['"x"', 'error'],
    ['"src/auth/login.ts"', 'error'],
    ['panic: runtime error', 'error'],
    ["thread 'main' panicked at src/main.rs:4", 'error'],
    ['E0308', 'error'],
    ['TS2304', 'error'],
    ['0x80070005', 'error'],
    ['ECONNREFUSED', 'error'],
    ['E2E', 'symbol'],
    ['X509', 'symbol'],
    ['SHA256', 'symbol'],
    ['MAX_SIZE', 'symbol'],
    ['EVENTS', 'symbol'],
    ['TypeError', 'symbol'],
    ['console.log', 'symbol'],
    ['struct window_pane', 'symbol'],
    ['class Cart:', 'symbol'],
    ['interface HttpClient {', 'symbol'],
    ['def retry', 'symbol'],
    ['fn open()', 'symbol'],
    ['#define MAX_SIZE', 'symbol'],
    ['class loader', 'natural_language'],
    ['interface segregation', 'natural_language'],
    ['function that parses', 'natural_language'],
    ['class Cart and its items', 'natural_language'],
    ['process.env', 'symbol'],
    ['foo.py:12', 'path'],
    ['foo.py:12:3', 'path'],
    ['src/TypeError.ts', 'path'],
    ['README.md', 'path'],
    ['URLRequest+Alamofire.swift', 'path'],
    ['[id].tsx', 'path'],
    ['how are tokens refreshed', 'natural_language'],
    ['retry with backoff', 'natural_language'],
    ['how does `parseFile` read its input', 'natural_language'],
    ["why does it say 'file not found'", 'error'],
    ['2024/01/02 03:04:05 [error] upstream timed out', 'error'],
    ['WARN  found no layout file', 'error'],
    ['shop.errors.CartEmpty: nothing to pay for', 'error'],
    ['error handling in the parser', 'natural_language'],
  ] as const)
    assert.equal(understand(query).intent, intent, query);
});

test('qualifiers become filters and leave the text', () => {
  const { text, filters } = understand('lang:go kind:function refresh token path:src/auth pkg:jwt tag:security ext:go');
  assert.equal(text, 'refresh token');
  assert.deepEqual(filters.languages, ['go']);
  assert.deepEqual(filters.kinds, ['function']);
  assert.deepEqual(filters.packages, ['jwt']);
  assert.deepEqual(filters.tags, ['security']);
  assert.deepEqual(filters.extensions, ['go']);
  assert.equal(filters.paths?.length, 1);
  assert.deepEqual(understand('x path:src/*.ts path:"a b/**"').filters.paths, ['src/*.ts', 'a b/**']);
  assert.deepEqual(understand('LANG:go lang:rust x').filters.languages, ['go', 'rust']);
});

test('a minus before a qualifier excludes the files that it names', () => {
  const { text, filters, excluded } = understand('token -lang:go -path:vendor kind:function -refresh');
  assert.equal(text, 'token');
  assert.deepEqual(filters.kinds, ['function']);
  assert.deepEqual(filters.without?.languages, ['go']);
  assert.equal(filters.without?.paths?.length, 1);
  assert.deepEqual(excluded, ['refresh']);
});

test('a colon in the middle of a word does not make a qualifier', () => {
  assert.deepEqual(understand('http://lang:80 std::path::Path').filters, {});
  assert.deepEqual(understand('content-type: json').filters, {});
});

test('quoted text must match, and its words are searched for too', () => {
  const { phrases, terms, text } = understand('log "cannot open file" now');
  assert.deepEqual(phrases, ['cannot open file']);
  assert.equal(text, 'log cannot open file now');
  assert.ok(terms.some(({ term }) => term === 'open'));
});

test('a name that a message quotes need not occur', () => {
  for (const message of [
    'ERROR: relation "users" does not exist',
    'password authentication failed for user "bob"',
    'File "/usr/lib/shop/cart.py", line 12, in total',
    'unknown directive "foo" in nginx.conf:12',
    'Steps to reproduce:\nsay "hello to all"\nand see nothing',
  ])
    assert.deepEqual([understand(message).phrases, understand(message).intent], [[], 'error'], message);
  for (const question of ['token "expired"', 'where is "unknown" told from an error', 'it failed with "no such file"'])
    assert.equal(understand(question).phrases.length, 1, question);
});

test('times and sizes in a message weigh little, unless the message is about the number', () => {
  const weight = (query: string, term: string) => understand(query).terms.find((entry) => entry.term === term)!.weight;
  assert.ok(weight('[error] 4711: upstream closed the keepalive connection early', '4711') < 0.5);
  assert.equal(weight('[error] code 4711', '4711'), 1);
  assert.equal(weight('how are 404 pages written for missing entries', '404'), 1);
});

test('values that a program fills into a message weigh little, but not in a trace or a question', () => {
  const weight = (query: string, term: string) => understand(query).terms.find((entry) => entry.term === term)!.weight;
  assert.ok(weight('No provider available of org.acme.Cart at 10.0.0.1:2181', 'acm') < 0.5);
  assert.equal(weight('No provider available of org.acme.Cart at 10.0.0.1:2181', 'provider'), 1);
  assert.ok(weight('unused configuration key: window.opacity', 'window') < 0.5);
  assert.equal(weight('unused configuration key: window', 'window'), 1);
  assert.equal(weight('where is it told: window.opacity', 'window'), 1);
  assert.equal(weight('at org.acme.Cart.total(Cart.java:12)', 'acm'), 1);
  assert.equal(weight('where is org.acme.Cart made ready for use', 'acm'), 1);
  assert.equal(weight('org.acme.Cart', 'acm'), 1);
});

test('a negated word is excluded and is not a search term', () => {
  const { excluded, terms, text } = understand('token -refresh');
  assert.equal(text, 'token');
  assert.deepEqual(excluded, ['refresh']);
  assert.ok(!terms.some(({ term }) => term === 'refresh'));
});

test('a negated identifier excludes itself, not everything that shares its first word', () => {
  assert.deepEqual(understand('tokens -parseFile').excluded, ['parsefile']);
  assert.deepEqual(understand('use utf-8 well-known --flag').excluded, []);
  assert.deepEqual([understand('-uuu').excluded, understand('-uuu').terms[0]?.term], [[], 'uuu']);
});

test('neighbouring words form compounds, but not across stop words', () => {
  const { compounds } = understand('flat hash map of rate limits');
  assert.ok(compounds.includes('flathashmap') && compounds.includes('hashmap'));
  assert.ok(compounds.includes('ratelimits') && compounds.includes('ratelimit'));
  assert.ok(!compounds.some((name) => name.includes('maprate')));
  assert.ok(compounds.indexOf('flathashmap') < compounds.indexOf('hashmap'));
});

test('stop words weigh little, but fully in a query of stop words only', () => {
  const weight = (query: string, term: string) => understand(query).terms.find((entry) => entry.term === term)?.weight;
  assert.ok(weight('how is the cache filled', 'how')! < weight('how is the cache filled', 'cach')!);
  assert.equal(weight('how to', 'how'), 1);
});

test('identifiers inside sentences are recognised', () => {
  assert.deepEqual(understand('where does parseFile call MAX_SIZE').identifiers, ['parseFile', 'MAX_SIZE']);
  assert.deepEqual(understand('what does the Router do').identifiers, ['Router']);
  assert.ok(!isIdentifierLike('word') && !isIdentifierLike('Word') && isIdentifierLike('_private'));
});

test('understanding never throws, lengthens the text or repeats a term, and every phrase is part of the query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (query) => {
      const { text, phrases, terms } = understand(query);
      assert.ok(text.length <= query.length);
      for (const phrase of phrases) assert.ok(query.includes(phrase));
      assert.equal(new Set(terms.map(({ term }) => term)).size, terms.length);
    }),
  );
});
