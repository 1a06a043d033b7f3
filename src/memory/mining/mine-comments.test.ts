import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentSyntax } from './comment-places.ts';
import { mineComments } from './mine-comments.ts';

test('a marker is mined from every kind of comment, but not from strings, names or the middle of a sentence', () => {
  const said = (path: string, language: string, text: string) =>
    mineComments(text, commentSyntax(language, path)!).map(({ content }) => content);
  for (const [language, text, ...expected] of [
    ['typescript', '/*\n  XXX: no star\n  goes on\n*/\nconst a = 1;', 'XXX: no star goes on'],
    ['typescript', '// TODO\n// stands below\nlet b = "// TODO: in a string";', 'TODO: stands below'],
    ['typescript', "const u = 'https://x.org TODO: no'; const t = `\n// TODO: in a template\n`;"],
    ['typescript', '// the TODO entries of a user\n// see TODO.md for more\n// XXX XXX XXX\n// the XXX is replaced'],
    ['typescript', '// @todo the other way\n// TODO: (jane) near it', 'TODO: the other way', 'TODO: (jane) near it'],
    ['typescript', '// FIXME!!! loud words\n// TODO/FIXME: both of them', 'FIXME: loud words', 'TODO: both of them'],
    ['typescript', 'f(); // done. TODO: say more\n// Another section', 'TODO: say more'],
    ['go', '// BUG(rsc): title case is wrong\n\n// BUG is a level of the log', 'BUG: title case is wrong'],
    [
      'python',
      '"""Reads.\n\nTODO: in a docstring\n"""\nx = "# TODO: no no"\ny = \'\'\'\n# TODO: neither\n\'\'\'',
      'TODO: in a docstring',
    ],
    ['bash', 'cat <<EOF\n# TODO: data of a file\nEOF\necho a#TODO: anchor # TODO: a comment', 'TODO: a comment'],
    ['rust', 'fn f<\'a>() {} // TODO: after a lifetime\nlet s = r#"\n// FIXME: fixture\n"#;', 'TODO: after a lifetime'],
    ['html', '<!--\n  FIXME: several lines\n-->\n<p>TODO: a text</p>\n<a href="#TODO: x">', 'FIXME: several lines'],
    ['ruby', '=begin\nFIXME: in a block\n=end\nputs "#{x} TODO: no no"', 'FIXME: in a block'],
    ['lua', '--[[\nTODO: long brackets\n]]', 'TODO: long brackets'],
    ['haskell', '{- TODO: braces here -}\nmain = putStrLn "-- TODO: no no"', 'TODO: braces here'],
    ['sql', "-- TODO: an index\nSELECT '-- TODO: no no';", 'TODO: an index'],
    [
      'java',
      '/**\n * @deprecated use Bar\n */\n@Deprecated\nclass Foo {}\nString s = "@deprecated tag";',
      'Deprecated `Foo`: use Bar',
    ],
  ] as const)
    assert.deepEqual(said('x', language, text), expected, text);
  assert.deepEqual(said('a.lisp', 'text', '; TODO: a semicolon'), ['TODO: a semicolon']);
  assert.deepEqual(said('a.tex', 'text', '50\\% done % TODO: the rest'), ['TODO: the rest']);
  assert.deepEqual(said('a.ml', 'text', '(* FIXME: brackets *)'), ['FIXME: brackets']);
  assert.equal(commentSyntax('markdown', 'a.md'), null);
  assert.equal(commentSyntax('text', 'a.txt'), null);
});

test('deprecations are mined in the notation of each language', () => {
  for (const [text, said] of [
    ['#[deprecated(since = "1.2", note = "use parse")]\npub fn read() {}', 'Deprecated `read`: use parse'],
    ['[Obsolete("Use Load")]\npublic void Read() {}', 'Deprecated `Read`: Use Load'],
    [
      '/** @deprecated use Server */\n@Deprecated\npublic final class LiveServer {',
      'Deprecated `LiveServer`: use Server',
    ],
    ['/** @deprecated use B */\npublic static final int A = 1;', 'Deprecated `A`: use B'],
    ['// Deprecated: use Open instead.\nfunc Old() {}', 'Deprecated `Old`: use Open instead.'],
    ['warnings.warn("open() is old, use load()", DeprecationWarning)', 'Deprecated: open() is old, use load()'],
  ] as const) {
    const [note] = mineComments(text, commentSyntax('typescript', 'a.ts')!);
    assert.ok(note?.content.includes(said), `${text}: ${note?.content}`);
  }
});
