import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { estimateTokens, firstLines, fitItems, fitText } from './token-budget.ts';

/** The same cases on every run. */
const SEED = { seed: 20260728, numRuns: 300 };
const shorten = (item: { content: string }, lines: number) => ({ content: firstLines(item.content, lines) });
const text = fc
  .array(
    fc.string({ maxLength: 40 }).map((line) => line.replaceAll('\n', ' ')),
    { maxLength: 120 },
  )
  .map((lines) => lines.join('\n'));

test('items that fit are kept as they are, in order', () => {
  const items = [{ content: 'a' }, { content: 'b' }];
  assert.deepEqual(fitItems(items, 1000, shorten), { items, omitted: 0, shortened: 0 });
});

test('nothing is lost without being told, and the order stays', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), fc.integer({ min: 100, max: 3000 }), (texts, budget) => {
      const items = texts.map((content) => ({ content }));
      const fitted = fitItems(items, budget, shorten);
      assert.equal(fitted.items.length + fitted.omitted, items.length);
      fitted.items.forEach(({ content }, i) => {
        assert.ok(content === texts[i] || content.split('\n')[0] === texts[i]!.split('\n')[0]);
      });
      // The first item is shown whatever it costs: an empty answer helps nobody.
      const rest = fitted.items.slice(1).reduce((sum, item) => sum + estimateTokens(item), 0);
      assert.ok(rest <= budget);
    }),
    SEED,
  );
});

test('a long first item does not push out the others', () => {
  const items = [{ content: 'x\n'.repeat(2000) }, { content: 'second' }, { content: 'third' }];
  const { items: kept, shortened, omitted } = fitItems(items, 600, shorten);
  assert.deepEqual([kept.length, shortened, omitted], [3, 1, 0]);
});

test('a text is cut at whole lines, and going on from there gives the rest', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 200 }), (whole, budget) => {
      const { text: shown, lines, complete } = fitText(whole, budget);
      assert.deepEqual(shown.split('\n'), whole.split('\n').slice(0, lines));
      assert.equal(complete, shown === whole);
    }),
    SEED,
  );
});
