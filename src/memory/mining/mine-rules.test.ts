import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, linesOf } from './mine-prose.ts';
import { isGuidePath, mineRules } from './mine-rules.ts';

test('a guide is recognised by its path', () => {
  for (const path of [
    'CONTRIBUTING.md',
    'AGENTS.md',
    'pkg/CLAUDE.md',
    '.cursorrules',
    '.cursor/rules/go.mdc',
    'STYLE_GUIDE.md',
    '.github/copilot-instructions.md',
    'docs/writing-style-guide.md',
  ])
    assert.ok(isGuidePath(path), path);
  assert.ok(!isGuidePath('src/style.css') && !isGuidePath('README.md'), 'neither of them is a guide');
});

test('a rule of a guide has its heading and joined lines', () => {
  const [rule] = mineRules(
    'Style\n=====\n\nErrors\n------\n\nWe wrap errors and we never\nswallow them, so that the\n' +
      'cause is shown.\n\nSome history.\n',
  );
  assert.equal(rule!.content, 'Errors: We wrap errors and we never swallow them, so that the cause is shown.');
  assert.deepEqual([rule!.startLine, rule!.endLine], [7, 9]);
});

test('a sentence that refers elsewhere or describes a result is not a rule', () => {
  const text =
    '# Contributing\n\nNever open a pull request here.\n\nPlease see the handbook for more information.\n\n' +
    'You should now see a page.\n';
  assert.deepEqual(
    mineRules(text).map(({ content }) => content),
    ['Contributing: Never open a pull request here.'],
  );
});

test('nested items belong to their parent, and tables and fences make no blocks', () => {
  const blocks = blocksOf(linesOf('# A\n\n- one\n  - below one\n- two\n\n| a | b |\n\n~~~\ncode\n~~~\n\nlast\nline\n'));
  assert.deepEqual(
    blocks.map(({ text, startLine, endLine }) => [text, startLine, endLine]),
    [
      ['one - below one', 3, 4],
      ['two', 5, 5],
      ['last line', 13, 14],
    ],
  );
});
