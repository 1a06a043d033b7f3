/** Line scanners: whatever the text, what they say is in the text; and the cases that a grammar would have settled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scanDockerfile } from '../../dockerfile/scan-dockerfile.ts';
import { scanJson } from '../../json/scan-json.ts';
import type { ScannedContent } from '../../language.ts';
import { scanMakefile } from '../../makefile/scan-makefile.ts';
import { scanMarkdown } from '../../markdown/scan-markdown.ts';
import { scanRst, scanText } from '../../prose/scan-prose.ts';
import { LANGUAGES } from '../../registry.ts';
import { maskAllButScript } from '../../script/components.ts';
import { scanSql } from '../../sql/scan-sql.ts';
import { scanXml } from '../../xml/scan-xml.ts';
import { scanYaml } from '../../yaml/scan-yaml.ts';

function check(scanned: ScannedContent, lines: readonly string[]): void {
  let last = 0;
  for (const { startLine, endLine } of scanned.sections) {
    assert.ok(
      startLine > last && endLine >= startLine && endLine <= lines.length,
      `section ${startLine}-${endLine} after ${last}`,
    );
    last = endLine;
  }
  scanned.symbols.forEach((symbol, index) => {
    assert.ok(symbol.parent < index && symbol.name !== '');
    assert.ok(symbol.fullStartLine >= 1 && symbol.fullStartLine <= symbol.startLine);
    assert.ok(
      symbol.startLine <= symbol.endLine && symbol.endLine <= lines.length,
      `${symbol.name} ends at ${symbol.endLine}`,
    );
  });
  for (const reference of scanned.references) {
    assert.ok(reference.from < scanned.symbols.length);
    assert.ok(
      lines[reference.line - 1]!.startsWith(reference.name, reference.column - 1),
      `${reference.name} is not there`,
    );
  }
}

/** Pieces that mean something to one format or another, so that random files get somewhere. */
const PIECES = [
  ...[
    '# a',
    '## b #',
    '---',
    '===',
    '```',
    '~~~',
    '<!--',
    '-->',
    '+++',
    'tags: [x]',
    '#tag',
    'a: |',
    '  b: 1',
    '- name: c',
    '"k": {',
    '}',
    '[',
    ']',
  ],
  ...[
    '[t]',
    '[[u.v]]',
    'k = """',
    '"""',
    'resource "a" "b" {',
    'x = <<EOT',
    'EOT',
    'FROM a AS b',
    'COPY --from=b',
    'all: x y \\',
    '\tcmd',
    'define d',
  ],
  ...[
    'endef',
    'CREATE TABLE t (',
    'id int,',
    ');',
    '$$',
    'BEGIN',
    'END;',
    '/*',
    '*/',
    '.a {',
    '@include m;',
    '--x: 1;',
    '<h1>t</h1>',
    '<a>',
    '<b id="c"',
    '/>',
    '</a>',
    '= T',
    '.. x::',
    '',
  ],
];
const anyLines = fc.array(
  fc.oneof(
    fc.constantFrom(...PIECES),
    fc.string({ maxLength: 20 }).map((s) => s.replace(/[\n\r]/g, ' ')),
  ),
  { maxLength: 30 },
);

for (const language of LANGUAGES.filter(({ scan }) => scan)) {
  test(`${language.id}: any lines give sections in order and symbols in place`, () => {
    fc.assert(
      fc.property(anyLines, (lines) => check(language.scan!(lines), lines)),
      { numRuns: 150, seed: 7 },
    );
  });

  test(`${language.id}: thousands of lines of one kind are no trouble`, () => {
    for (const piece of ['#', '{', '<!--', '"', 'a:', '- a: b', 'CREATE TABLE t (', '/*', '= x']) {
      const lines = new Array<string>(5000).fill(piece);
      check(language.scan!(lines), lines);
    }
    const long = [`${'{"a":['.repeat(20_000)}`];
    check(language.scan!(long), long);
  });
}

test('markdown: fences, comments, lists and front matter contain no headings', () => {
  const paths = (text: string) => scanMarkdown(text.split('\n')).sections.map((section) => section.path.join('/'));
  assert.deepEqual(paths('# A\n```\n# no\n```\n## B\n'), ['A', 'A/B']);
  assert.deepEqual(paths('# A\n````\n```\n# no\n````\n## B'), ['A', 'A/B']);
  assert.deepEqual(paths('Title\n===\ntext\n\nSub\n---\n'), ['Title', 'Title/Sub']);
  assert.deepEqual(paths('- item\n---\n#no\n'), ['']);
  assert.deepEqual(paths('---\ntitle: T\n---\nx\n## B'), ['T', 'T/B']);
  assert.deepEqual(paths('---\nnot front matter\n\n# A'), ['', 'A']);
  assert.deepEqual(paths('### C\n# A\n## B\n# D'), ['C', 'A', 'A/B', 'D']);
});

test('markdown: tags from front matter and text, but not from code, links, colours and numbers', () => {
  const tags = (text: string) => scanMarkdown(text.split('\n')).tags;
  assert.deepEqual(tags('---\ntags: [A, "b c"]\n---\nsee #Deploy, `#code` [x](#anchor) #123 #ff0011 (#ok)'), [
    'a',
    'b c',
    'deploy',
    'ok',
  ]);
  assert.deepEqual(tags('---\ntags:\n  - one\n  - two\n---\n'), ['one', 'two']);
  assert.deepEqual(tags('+++\ntags = ["one"]\n+++\n'), ['one']);
});

test('rst: the order of underlines gives the levels; tables and transitions are no headings', () => {
  const paths = scanRst(
    'A\n~~~\n\nB\n===\n\nC\n~~~\n\n=== ===\na   b\n=== ===\n\n----\n\ntext'.split('\n'),
  ).sections.map((s) => s.path.join('/'));
  assert.deepEqual(paths, ['A', 'A/B', 'C']);
});

test('text: sections are underlined headings, else packed paragraphs', () => {
  const paragraph = `${'word '.repeat(100)}\n`;
  assert.equal(
    scanText(`${paragraph}\n${paragraph}\n${paragraph}\n${paragraph}\n${paragraph}`.split('\n')).sections.length,
    2,
  );
  assert.deepEqual(
    scanText('One\n===\nx\n\nTwo\n===\ny'.split('\n')).sections.map((section) => section.path),
    [['One'], ['Two']],
  );
});

test('yaml: block scalars contain no keys, and large blocks have second-level keys', () => {
  const names = (text: string) => scanYaml(text.split('\n')).symbols.map((symbol) => symbol.qualifiedName);
  assert.deepEqual(names('a: |\n  b: 1\nc: 2'), ['a', 'c']);
  const large = `root:\n${Array.from({ length: 20 }, (_, i) => `  key${i}:\n    x: 1\n    y: 2`).join('\n')}`;
  assert.equal(names(large).length, 21);
  assert.equal(names(large)[1], 'root.key0');
});

test('json: keys of two levels are symbols, whatever strings contain', () => {
  const scanned = scanJson('{\n "a": "{\\"x\\": 1",\n "scripts": {\n  "b": [1, {"c": 2}]\n }\n}'.split('\n'));
  assert.deepEqual(
    scanned.symbols.map((symbol) => [symbol.qualifiedName, symbol.startLine, symbol.endLine]),
    [
      ['a', 2, 2],
      ['scripts', 3, 5],
      ['scripts.b', 4, 4],
    ],
  );
});

test('xml: elements are keys by their name or tag; of those that have only the same tag, the first', () => {
  const lines = [
    '<resources>',
    '  <string name="title">Shop</string>',
    '  <string name="cart">Cart</string>',
    '  <item>one</item>',
    '  <item>two</item>',
    '  <build>',
    '    <plugin id="jar"/>',
    '  </build>',
    '</resources>',
  ];
  assert.deepEqual(
    scanXml(lines).symbols.map(({ name, startLine, endLine }) => [name, startLine, endLine]),
    [
      ['title', 2, 2],
      ['cart', 3, 3],
      ['item', 4, 4],
      ['build', 6, 8],
    ],
  );
});

test('the SQL scanner reads statements of several dialects', () => {
  const text = [
    'CREATE TABLE [dbo].[Users] (',
    '  [Id] INT NOT NULL',
    ');',
    'GO',
    'CREATE PROCEDURE dbo.Get AS',
    'BEGIN',
    '  SELECT 1; SELECT 2;',
    'END',
    'GO',
    "insert into t values ('create table no (');",
    'create materialized view if not exists mv as select * from t;',
  ];
  assert.deepEqual(
    scanSql(text).symbols.map((symbol) => [symbol.kind, symbol.qualifiedName, symbol.startLine, symbol.endLine]),
    [
      ['struct', 'dbo.Users', 1, 3],
      ['field', 'dbo.Users.Id', 2, 2],
      ['function', 'dbo.Get', 5, 8],
      ['struct', 'mv', 11, 11],
    ],
  );
});

test('a mask keeps every offset and shows only scripts', () => {
  const text = '<template>\n<p>é</p></template>\n<script lang="ts">\nconst a = 1;\n</script>\n<style>x</style>';
  const masked = maskAllButScript(text);
  assert.equal(masked.length, text.length);
  assert.equal(masked.trim(), 'const a = 1;');
  assert.equal(masked.indexOf('const'), text.indexOf('const'));
  assert.equal(maskAllButScript('<p>a</p>\n<script>\nconst b = 2;').trim(), 'const b = 2;');
  assert.equal(maskAllButScript('<script src="a.js"/>\n<p>b</p>').trim(), '');
});

test('a heredoc in a Dockerfile contains no instructions', () => {
  const lines = [
    'FROM a AS build',
    'RUN psql -c "SELECT * \\',
    '  FROM orders"',
    'RUN <<EOF',
    'FROM b',
    'EOF',
    'ARG X=1',
    'FROM build',
  ];
  const scanned = scanDockerfile(lines);
  check(scanned, lines);
  assert.deepEqual(
    scanned.symbols.map(({ name, startLine }) => [name, startLine]),
    [
      ['build', 1],
      ['X', 7],
      ['build', 8],
    ],
  );
});

test('messages and shell calls in a Makefile are no rules', () => {
  const lines = [
    'ifeq (, $(shell which golangci-lint))',
    '$(warning "could not find golangci-lint in $(PATH), run: curl -sfL https://a.b/c | sh")',
    'endif',
    '$(OBJECTS): defs.h',
    '',
    'build: $(OBJECTS) lint',
    '\tgo build',
  ];
  const scanned = scanMakefile(lines);
  check(scanned, lines);
  assert.deepEqual(
    scanned.symbols.map(({ name, startLine }) => [name, startLine]),
    [['build', 6]],
  );
});
