import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteSink } from '../text/byte-sink.ts';
import { BlockWriter } from './posting-block.ts';
import { TermFilter, termHash } from './term-filter.ts';

function filterOf(terms: readonly string[]): TermFilter {
  const blocks: Uint8Array[] = [];
  const writer = new BlockWriter((block) => blocks.push(block));
  const list = new ByteSink();
  list.varint(0);
  for (const term of [...new Set(terms)].sort()) writer.add(term, list);
  writer.end();
  return new TermFilter(blocks);
}

test('a filter accepts every term of its blocks, with units of one byte or two', () => {
  const term = fc.oneof(fc.stringMatching(/^[a-d]{1,6}$/), fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }));
  fc.assert(
    fc.property(fc.array(term, { maxLength: 400 }), (terms) => {
      const filter = filterOf(terms);
      for (const each of terms) assert.ok(filter.mayHave(termHash(each)), each);
    }),
  );
});

test('a filter rules out 98 of 100 terms that its blocks do not have', () => {
  const filter = filterOf(Array.from({ length: 20_000 }, (_, i) => `known${i}`));
  let wrong = 0;
  for (let i = 0; i < 20_000; i++) if (filter.mayHave(termHash(`unknown${i}`))) wrong++;
  assert.ok(wrong < 400, `${wrong} of 20000 were not ruled out`);
});
