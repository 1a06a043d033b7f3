import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasHidden, restoreHidden, revealHidden, revealIn, visibleJson } from './visible-text.ts';

/** "go" in the tag characters, which show nothing. */
const TAGGED = '\u{e0067}\u{e006f}';

test('every control, direction-changing and default-ignorable character is spelled out', () => {
  const property = /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const expected = property.test(character) && !'\t\n\r'.includes(character);
    // Behind a letter, so that a byte order mark is not at the beginning.
    const shown = revealHidden(`a${character}b`);
    if ((shown !== `a${character}b`) !== expected) assert.fail(`U+${code.toString(16)}: ${shown}`);
  }
});

test('hidden text, runs and reordered code become visible', () => {
  assert.equal(revealHidden('is\u202eAdmin\u202c'), 'is<U+202E>Admin<U+202C>');
  assert.equal(revealHidden('pass\u200bword'), 'pass<U+200B>word');
  assert.equal(revealHidden('a\u001b[2Jb'), 'a<U+001B>[2Jb');
  assert.equal(revealHidden(`x${'\u200b'.repeat(57)}y`), 'x<U+200B×57>y');
  assert.equal(revealHidden(`v1${TAGGED}`), 'v1<U+E0067><U+E006F>');
  const long = revealHidden(`v1${TAGGED.repeat(20)}`);
  assert.match(long, /<32 more hidden characters>$/);
  assert.ok(long.length < 110);
});

test('what a script or an emoji is spelled with stays', () => {
  for (const text of [
    '\ufeff# Read me',
    '👨\u200d👩\u200d👧 and 👩🏽\u200d💻 and ❤\ufe0f\u200d🔥 and 1\ufe0f\u20e3 and ☀\ufe0f',
    'می\u200cتواند',
    'क्\u200dष',
    '葛\u{e0100}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'tabs\tand\r\nlines',
  ])
    assert.equal(revealHidden(text), text);
  // The same characters where nothing needs them.
  for (const text of ['if\u200c(x)', 'a\u200db', 'x\ufe0f', 'mid\ufeffdle', `\u{1f3f4}${TAGGED}`, '☀\ufe0f\ufe01'])
    assert.ok(hasHidden(text), JSON.stringify(text));
});

test('a value keeps its shape, and is not copied where it hides nothing', () => {
  const value = { a: ['x\u200b', 1, null], b: { c: 'plain' } };
  assert.deepEqual(revealIn(value), { a: ['x<U+200B>', 1, null], b: { c: 'plain' } });
  assert.equal(revealIn(value).b, value.b);
  const plain = { a: ['x'], when: new Date(0) };
  assert.equal(revealIn(plain), plain);
});

test('what is shown can be handed back; other text in such signs stays', () => {
  for (const path of ['src/\u202egpj.ts', 'a\u200b\u200b\u200bb.md'])
    assert.equal(restoreHidden(revealHidden(path)), path);
  for (const text of ['<U+0041>', '<U+200b>', '<U+FFFFFF>', 'Vec<U+1>']) assert.equal(restoreHidden(text), text);
});

test('revealing twice is revealing once; JSON keeps its values', () => {
  const any = fc.string({ unit: 'binary' });
  fc.assert(fc.property(any, (text) => revealHidden(revealHidden(text)) === revealHidden(text)));
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\u202e', '\u200b', '\u{e0041}', '\u007f', '"') }), (text) => {
      const json = visibleJson(JSON.stringify({ text }));
      assert.deepEqual(JSON.parse(json), { text });
      return !hasHidden(json);
    }),
  );
});
