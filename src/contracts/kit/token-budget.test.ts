import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstCharacters, firstLines, fitItems, fitParts, namedList, namedText, textPart } from './token-budget.ts';

/** The same cases on every run. */
const SEED = { seed: 20260728, numRuns: 300 };
const shorten = (item: { content: string }, lines: number) => ({ content: firstLines(item.content, lines) });
const text = fc
  .array(
    fc.string({ maxLength: 40 }).map((line) => line.replaceAll('\n', ' ')),
    { maxLength: 120 },
  )
  .map((lines) => lines.join('\n'));
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test('items that fit are unchanged and in order', () => {
  const items = [{ content: 'a' }, { content: 'b\n'.repeat(90) }];
  const bytes = items.reduce((sum, item) => sum + bytesOf(item) + 1, 0);
  assert.deepEqual(fitItems(items, bytes, shorten), { items, omitted: 0, shortened: 0, bytes });
});

test('every omission is counted, the order stays, and the budget holds', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), fc.integer({ min: 10, max: 10_000 }), (texts, budget) => {
      const items = texts.map((content) => ({ content }));
      const fitted = fitItems(items, budget, shorten);
      assert.equal(fitted.items.length + fitted.omitted, items.length);
      fitted.items.forEach(({ content }, i) => {
        assert.ok(content === texts[i] || content.split('\n')[0] === texts[i]!.split('\n')[0]);
      });
      assert.ok(fitted.items.reduce((sum, item) => sum + bytesOf(item) + 1, 0) <= budget);
    }),
    SEED,
  );
});

test('a long first item does not displace the others', () => {
  const items = [{ content: 'x\n'.repeat(2000) }, { content: 'second' }, { content: 'third' }];
  const { items: kept, shortened, omitted } = fitItems(items, 2000, shorten);
  assert.deepEqual([kept.length, shortened, omitted], [3, 1, 0]);
});

test('a text is cut at line ends, and reading on from there gives the rest', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 250, max: 1000 }), (whole, budget) => {
      const { fields } = textPart(whole, (shown, lines, missing) => ({ shown, lines, missing })).fit(budget);
      const { shown, lines, missing } = fields as { shown: string; lines: number; missing: number };
      assert.deepEqual(shown.split('\n'), whole.split('\n').slice(0, lines));
      assert.equal(missing, whole.split('\n').length - lines);
    }),
    SEED,
  );
});

test('an overlong line is cut and marked as cut', () => {
  const { fields } = textPart('x'.repeat(100_000), (shown, lines, missing) => ({ shown, lines, missing })).fit(6000);
  assert.deepEqual(fields, { shown: `${'x'.repeat(1000)}… 99000 more characters`, lines: 1, missing: 0 });
  assert.equal(firstCharacters('a😀b', 2), 'a… 3 more characters');
  assert.equal(firstLines('x'.repeat(300), 5), `${'x'.repeat(200)}… 100 more characters`);
});

test('an answer of several parts stays within its budget, counts omissions, and begins with the first part', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ maxLength: 60 }), { maxLength: 60 }), { minLength: 1, maxLength: 6 }),
      text,
      fc.integer({ min: 300, max: 3000 }),
      (lists, words, maxTokens) => {
        const parts = [
          ...lists.map((items, i) => namedList(`list_${i}`, { items, more: i })),
          { ...namedText('words', words), under: 'detail' },
        ];
        const answer = fitParts(maxTokens, { question: 'x' }, parts) as Record<string, string[] & number>;
        assert.ok(bytesOf(answer) <= maxTokens * 3.5);
        lists.forEach((items, i) => {
          const shown = answer[`list_${i}`] ?? [];
          assert.deepEqual(shown, items.slice(0, shown.length));
          assert.equal(answer[`more_list_${i}`] ?? 0, items.length - shown.length + i);
        });
        if (lists[0]!.length > 0) assert.ok(answer.list_0!.length > 0);
      },
    ),
    SEED,
  );
});

test('a small part gets all it needs, and the others share the rest', () => {
  const long = Array.from({ length: 400 }, (_, i) => `place ${i}`);
  const answer = fitParts(1000, {}, [
    namedList('first', { items: long }),
    namedList('few', { items: ['one', 'two'] }),
    namedList('second', { items: long }),
  ]) as Record<string, string[]>;
  assert.deepEqual(answer.few, ['one', 'two']);
  assert.ok(Math.abs(answer.first!.length - answer.second!.length) < 5);
  assert.ok(bytesOf(answer) > 3300);
});
