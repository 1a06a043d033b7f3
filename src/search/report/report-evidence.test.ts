import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from './read-report.ts';
import { reportEvidence } from './report-evidence.ts';

const evidenceOf = (text: string) => reportEvidence(readReport(text));

test('frames of a Python trace are read with the place where it stopped first, and the functions they are in', () => {
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

test('a link to lines of a file names the file and the lines, and a file in a sentence is no frame', () => {
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

test('a name of the title counts more than one of quoted code, and a marked word is a name', () => {
  const { names, modules } = evidenceOf(
    'CartTotal is wrong\nCalling `refund` of shop.orders.history does it.\n```\nmake_order(1)\n```\n',
  );
  assert.ok(names.get('CartTotal')! > names.get('make_order')!);
  assert.ok(names.has('refund'));
  assert.ok(!names.has('Calling'));
  assert.deepEqual(modules, [['shop', 'orders', 'history']]);
});

test('what a program said is a message, in words', () => {
  const { messages } = evidenceOf('Run stops\nValueError: order 12 has no customer\n');
  assert.deepEqual(messages, ['order 12 has no customer']);
});

test('what describes the machine is left out, a trace below the same heading is not', () => {
  const parts = readReport(
    'Run stops\n### Your environment\n```\nGPU models: fancy_card\n  File "shop/run.py", line 8, in main\n```\n' +
      '### What happens\nThe cart is empty.\n',
  );
  const all = parts.map(({ text }) => text).join('\n');
  assert.ok(!all.includes('fancy_card'));
  assert.ok(all.includes('shop/run.py'));
  assert.ok(all.includes('The cart is empty'));
});
