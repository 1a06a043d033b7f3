import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markTerms, termsOf } from './page/terms.ts';

const marked = (text: string, query: string) =>
  markTerms(text, termsOf(query)).map((part) => (part.marked ? `[${part.text}]` : part.text));

test('words and parts of names are marked, common words are not', () => {
  assert.deepEqual(termsOf('where is the RateLimiter?'), ['ratelimiter', 'limiter', 'rate']);
  assert.equal(
    marked('class RateLimiter { rate() }', 'where is the RateLimiter').join(''),
    'class [RateLimiter] { [rate]() }',
  );
  assert.equal(marked('check_rate(x)', 'check_rate').join(''), '[check_rate](x)');
  assert.deepEqual(termsOf('is it the'), []);
  assert.equal(marked('nothing here', '').join(''), 'nothing here');
});

test('the parts together are the text, whatever it is', () => {
  for (const query of ['a.*b', '$price (x', '[[', 'größe', '\\', '🙂 smile'])
    for (const text of ['$price(x) a.*b [[ \\ größe Größe 🙂smile', '', '<b>price</b>\n\t'])
      assert.equal(
        markTerms(text, termsOf(query))
          .map((part) => part.text)
          .join(''),
        text,
      );
  assert.equal(marked('Größe', 'größe').join(''), '[Größe]');
});
