import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from './read-report.ts';
import { reportEvidence } from './report-evidence.ts';

const evidenceOf = (text: string) => reportEvidence(readReport(text));

test('frames of a Python trace are read innermost first, with their functions', () => {
  const { frames } = evidenceOf(
    'Run stops\nTraceback (most recent call last):\n' +
      '  File "/usr/lib/python3/site-packages/shop/run.py", line 8, in main\n' +
      '  File "/usr/lib/python3/site-packages/shop/cart.py", line 12, in total\nKeyError: 4\n',
  );
  assert.deepEqual(
    frames.map(({ parts, firstLine, inside }) => [parts.at(-1), firstLine, inside]),
    [
      ['cart.py', 12, 'total'],
      ['run.py', 8, 'main'],
    ],
  );
});

test('a link names a file with its lines, and a file in a sentence is not a trace frame', () => {
  const { files, frames } = evidenceOf(
    'Slow sum\nSee https://example.org/shop/blob/4f2a/src/shop/cart.py#L20-L31 and `shop/run.py`.\n',
  );
  assert.deepEqual(frames, []);
  assert.deepEqual(
    files.map(({ parts, firstLine, lastLine }) => [parts.slice(-2).join('/'), firstLine, lastLine]),
    [
      ['shop/run.py', 0, 0],
      ['shop/cart.py', 20, 31],
    ],
  );
});

test('a name in the title weighs more than one in quoted code, and a word in backticks is a name', () => {
  const { names, modules } = evidenceOf(
    'CartTotal is wrong\nCalling `refund` of shop.orders.history does it.\n```\nmake_order(1)\n```\n',
  );
  assert.ok(names.get('CartTotal')! > names.get('make_order')!);
  assert.ok(names.has('refund'));
  assert.ok(!names.has('Calling'));
  assert.deepEqual(modules, [['shop', 'orders', 'history']]);
});

test('the text of an exception is read as a message', () => {
  const { messages } = evidenceOf('Run stops\nValueError: order 12 has no customer\n');
  assert.deepEqual(messages, ['order 12 has no customer']);
});

test('the section about the machine is dropped, except for a trace in it', () => {
  const parts = readReport(
    'Run stops\n### Your environment\n```\nGPU models: fancy_card\n  File "shop/run.py", line 8, in main\n```\n' +
      '### What happens\nThe cart is empty.\n',
  );
  const all = parts.map(({ text }) => text).join('\n');
  assert.ok(!all.includes('fancy_card'));
  assert.ok(all.includes('shop/run.py'));
  assert.ok(all.includes('The cart is empty'));
});
