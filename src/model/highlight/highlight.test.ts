import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { highlight } from './highlight.ts';

const kinds = (code: string, language: string) =>
  highlight(code, language)
    .flat()
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => [kind, text]);

test('highlighting keeps every character, in any language', () => {
  const languages = [
    'go',
    'python',
    'typescript',
    'lua',
    'haskell',
    'css',
    'markdown',
    'rst',
    'html',
    'text',
    'nonsense',
  ];
  const pieces = fc.constantFrom(
    '"',
    "'",
    '`',
    '/*',
    '*/',
    '//',
    '#',
    '\n',
    ' ',
    'a',
    'Type',
    'f(',
    '1.5',
    '<b>',
    '```',
    '&amp;',
    '==',
    '..',
    '-',
    '!',
  );
  const code = fc.oneof(
    fc.string(),
    fc.array(pieces).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(code, fc.constantFrom(...languages), (text, language) => {
      const lines = highlight(text, language).map((line) => line.map((token) => token.text).join(''));
      assert.equal(lines.join('\n'), text);
    }),
  );
});

test('code: keywords, strings, comments, numbers, calls and types', () => {
  assert.deepEqual(kinds('func f() { return "a\\"b" } // x 1', 'go'), [
    ['keyword', 'func'],
    ['call', 'f'],
    ['keyword', 'return'],
    ['string', '"a\\"b"'],
    ['comment', '// x 1'],
  ]);
  assert.deepEqual(
    kinds('"""a\nb""" # c', 'python').map(([kind]) => kind),
    ['string', 'string', 'comment'],
  );
  assert.deepEqual(
    kinds("fn f<'a>(x: &'a str) -> Vec<u8> { 7 }", 'rust').map(([, text]) => text),
    ['fn', 'str', 'Vec', '7'],
  );
  assert.deepEqual(kinds('const x = a-b!==MAX ? new Map() : y', 'typescript'), [
    ['keyword', 'const'],
    ['keyword', 'new'],
    ['call', 'Map'],
  ]);
  assert.deepEqual(kinds('a { color: red !important } /* x */', 'css'), [
    ['keyword', '!important'],
    ['comment', '/* x */'],
  ]);
});

test('text with marks: headings, tags and code in it', () => {
  assert.deepEqual(kinds('# Title\n\nUse `npm` and\n```sh\n# not a title\n```\n- item', 'markdown'), [
    ['keyword', '# Title'],
    ['string', '`npm`'],
    ['string', '```sh'],
    ['string', '# not a title'],
    ['string', '```'],
    ['number', '-'],
  ]);
  assert.deepEqual(kinds('Title\n=====\n\n.. code-block:: python\n\n``x``', 'rst'), [
    ['keyword', 'Title'],
    ['keyword', '====='],
    ['call', '.. code-block:: python'],
    ['string', '``x``'],
  ]);
  assert.deepEqual(kinds('<a href="/x">y</a><!-- z -->', 'html'), [
    ['keyword', '<a'],
    ['string', '"/x"'],
    ['keyword', '>'],
    ['keyword', '</a'],
    ['keyword', '>'],
    ['comment', '<!-- z -->'],
  ]);
});

test('a file of a megabyte is coloured without going over it again and again', () => {
  // Quadratic work would take minutes, not the second that the runner gives others.
  for (const [language, line] of [
    ['typescript', "const answer = compute(Type, 'text', 42); // why\n"],
    ['markdown', 'Some words with `code` and [a link](https://example.org).\n'],
  ] as const)
    assert.equal(highlight(line.repeat(20_000), language).length, 20_001);
});
