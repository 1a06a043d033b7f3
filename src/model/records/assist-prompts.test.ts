import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSummary, summaryPrompt } from './assist-prompts.ts';
import type { Hit } from './query.ts';

test('the prompt for a summary and the accepted answer are bounded for lines of any length', () => {
  const hit = { path: 'data.json', startLine: 1, content: 'x'.repeat(100_000) } as Hit;
  assert.ok(summaryPrompt('what is in there', Array(10).fill(hit)).prompt.length < 6 * 4_200);
  const hidden = { ...hit, content: 'x\u200b'.repeat(50_000) };
  assert.ok(summaryPrompt('what is in there', [hidden]).prompt.length < 4_300);
  const read = readSummary(`${'word '.repeat(100_000)}\n- ${'why '.repeat(1_000)}?`);
  assert.equal(read?.summary.length, 4_000);
  assert.equal(read?.followUps[0]?.length, 300);
  assert.deepEqual(readSummary('Short.\n- Why?'), { summary: 'Short.', followUps: ['Why?'] });
  assert.deepEqual(readSummary('Short.\n1. Why?\n2) How so?'), { summary: 'Short.', followUps: ['Why?', 'How so?'] });
  assert.deepEqual(readSummary('Two steps:\n1. It parses.\n\nWho calls it?'), {
    summary: 'Two steps:\n1. It parses.',
    followUps: ['Who calls it?'],
  });
  assert.deepEqual(readSummary('Is it used? Yes, why not?'), { summary: 'Is it used? Yes, why not?', followUps: [] });
});
