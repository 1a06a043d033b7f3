import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentHeadings, markdownBlocks, summaryOf } from './markdown-blocks.ts';

test('Markdown blocks are headings, paragraphs, lists, code and tables; HTML is dropped, code stays unchanged', () => {
  const source = [
    'Shop',
    '====',
    '<p align="center"><img src="x"></p>',
    '[![build](b.svg)](https://ci)',
    '',
    'We are glad to announce version two of it!',
    '',
    'Shop is a place that sells **things**',
    'for cents. <!-- not said -->',
    '',
    '- one',
    '  goes on',
    '  - two',
    '1. three',
    '',
    '| a | b |',
    '|---|---|',
    '| 1 | `2` |',
    '```sh',
    'echo "<b>"',
    '```',
  ].join('\n');
  const blocks = markdownBlocks(source);
  assert.deepEqual(
    blocks.map(({ kind }) => kind),
    ['heading', 'paragraph', 'paragraph', 'paragraph', 'list', 'table', 'code'],
  );
  assert.deepEqual(blocks[4], {
    kind: 'list',
    items: [
      { depth: 0, mark: '', text: 'one goes on' },
      { depth: 1, mark: '', text: 'two' },
      { depth: 0, mark: '1.', text: 'three' },
    ],
  });
  assert.deepEqual(blocks[5], {
    kind: 'table',
    rows: [
      ['a', 'b'],
      ['1', '`2`'],
    ],
  });
  assert.deepEqual(blocks[6], { kind: 'code', language: 'sh', text: 'echo "<b>"' });
  assert.equal(summaryOf(source, 'shop'), 'Shop is a place that sells things for cents.');
  assert.match(summaryOf(source, 'other'), /^We are glad/);
  assert.equal(summaryOf('# Title only', 'x'), '');
});

test('the headings of a document keep their lines, whatever is left out before them', () => {
  const source =
    '# A\n\n<!-- one\ntwo\n# no heading -->\n\n```sh\n# a remark\n```\n\nB `b`\n---\n\ntext\n\n### C\n\n## D\n';
  assert.deepEqual(
    documentHeadings(source).map(({ name, startLine, endLine }) => [name, startLine, endLine]),
    [
      ['A', 1, 19],
      ['B b', 11, 17],
      ['C', 16, 17],
      ['D', 18, 19],
    ],
  );
});
