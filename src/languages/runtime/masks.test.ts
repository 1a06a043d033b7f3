/** A mask may hide things from the grammar, but every place must stay: same length, same line breaks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES } from '../registry.ts';
import { maskSwift } from '../swift/mask.ts';
import { listFixtures } from './testing/snapshots.ts';

const PIECES = [
  ...[
    '#if DEBUG',
    '#else',
    '#endif',
    '  #elseif os(iOS)',
    'func f() {',
    '}',
    'let a = #"x " y"#',
    '#"""',
    '"""#',
    'f(())',
    'throws(E)',
    'return ()',
    '()  // nothing',
    '() = try x()',
    'map { _ in () }',
    'case 1...(9):',
    'case ..<0:',
    'let a = /x(y)/',
    '@_lifetime(borrow self)',
    'func `a b`() where A == B,',
    'typealias A = B where',
    'cfg_x! {',
    'pub fn f() {}',
  ],
  ...[
    '= Result<A, B<C>> { x }',
    '#available(iOS 11, *)',
    'await x',
    'asm volatile ("x" ::: .{ .memory = true })',
    'opaque {}',
    '.async = await,',
  ],
  ...[
    `\${a:+\${b};}`,
    `\${x:$y}`,
    '<script>',
    '</script>',
    '<script lang="ts">',
    '#define X(a) \\',
    'namespace a {',
    'TEST(A, B) {',
    'é\r',
    '',
  ],
];
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12 })), { maxLength: 25 })
  .map((lines) => lines.join('\n'));
const fixtures = new Map(listFixtures().map((fixture) => [fixture.language.id, fixture.text]));

function checkPlaces(mask: (text: string) => string, text: string): void {
  const masked = mask(text);
  assert.equal(masked.length, text.length);
  for (let i = 0; i < text.length; i++) assert.equal(masked[i] === '\n', text[i] === '\n', `line break at ${i}`);
}

for (const { id, mask } of LANGUAGES) {
  if (!mask) continue;
  test(`${id}: the mask keeps every place`, () => {
    checkPlaces(mask, fixtures.get(id) ?? '');
    fc.assert(
      fc.property(anyText, (text) => checkPlaces(mask, text)),
      { numRuns: 150, seed: 11 },
    );
  });
}

test('swift: both branches of a condition stay, unless the first leaves a brace open', () => {
  assert.equal(
    maskSwift('#if A\nlet a = 1\n#else\nlet b = 2\n#endif\n'),
    '     \nlet a = 1\n     \nlet b = 2\n      \n',
  );
  assert.equal(
    maskSwift('#if A\nfunc f() {\n#else\nfunc g() {\n#endif\n}'),
    '     \nfunc f() {\n     \n          \n      \n}',
  );
  assert.equal(maskSwift('#if A\n#if B\na\n#endif\n#else\nb\n#endif'), '     \n     \na\n      \n     \nb\n      ');
});

test('swift: syntax that the grammar cannot read is replaced', () => {
  assert.equal(maskSwift('if #available(iOS 11, *) {'), 'if true                  {');
  assert.equal(maskSwift('let s = #"a "b" c"#'), 'let s =  "       " ');
  assert.equal(maskSwift('#expect(a == 1)'), ' expect(a == 1)');
  assert.equal(maskSwift('func f() throws(E) -> Int'), 'func f() throws    -> Int');
  assert.equal(maskSwift('done(.success(()))'), 'done(.success([]))');
  assert.equal(maskSwift('let f: () -> Void = {}'), 'let f: () -> Void = {}');
  assert.equal(maskSwift('case .a:\n  ()  // nothing\n'), 'case .a:\n  0   // nothing\n');
  assert.equal(maskSwift('  () = try f()'), '  _  = try f()');
  assert.equal(maskSwift('x.map { _ in () }'), 'x.map { _ in 0  }');
  assert.equal(maskSwift('case .min..<0:\ncase ...9:'), 'case .min,  0:\ncase    9:');
  assert.equal(maskSwift('let r = /^(a)$/\nlet q = a / b / c'), 'let r = "     "\nlet q = a / b / c');
  assert.equal(
    maskSwift('@_lifetime(borrow self)\nf(a: isolated (any Actor)?)'),
    '                       \nf(a:          (any Actor)?)',
  );
});

test('swift: names with a dollar or in backticks, key paths without a name, constraints over lines', () => {
  assert.equal(maskSwift('var _$id: Int'), 'var __id: Int');
  assert.equal(maskSwift('$0.a + $child'), '$0.a + $child');
  assert.equal(maskSwift('func `adds two items`() {}'), 'func `adds_two_items`() {}');
  assert.equal(maskSwift('f(\\.[id: 0], \\.!, \\.a)'), 'f(  [id: 0], \\.a, \\.a)');
  assert.equal(maskSwift('scope(action: /Action.child)'), 'scope(action:  Action.child)');
  assert.equal(maskSwift('let a = b / C.d'), 'let a = b / C.d');
  assert.equal(maskSwift('struct V<let N: Int> {}'), 'struct V<    N: Int> {}');
  assert.equal(
    maskSwift('typealias A<R> = B<R>\nwhere R: P\nfunc f() {}').trimEnd(),
    'typealias A<R> = B<R>\n          \nfunc f() {}',
  );
  assert.equal(maskSwift('init()\n  where\n  A == B,\n  C == D\n{ }'), 'init()\n       \n         \n        \n{ }');
  assert.equal(maskSwift('__consuming func f(_ a: __owned A) {}'), '            func f(_ a:         A) {}');
  assert.equal(maskSwift('let s = ##"a "# b"##'), 'let s =  "        " ');
  const short = 'func f() where A == B, C == D { for x in y where x > 1 { } }';
  assert.equal(maskSwift(short), short);
});

test('masking a long line of one character takes linear time', () => {
  for (const { mask, scan } of LANGUAGES)
    for (const piece of ['a', 'A', '1', ' ', '_', '/', '*', '#', '+/', 'a.']) {
      const text = piece.repeat(100_000);
      if (mask) assert.equal(mask(text).length, text.length);
      if (scan) assert.ok(scan([text]));
    }
});

test('swift: masking a repeated piece takes linear time', () => {
  for (const piece of [
    ' ',
    'A',
    '@_a',
    'throws(',
    '= A<',
    '/a',
    'where ',
    'where a,\n',
    'typealias A ',
    'typealias A\n',
    '`',
    '\\.',
    '/A.',
    '__owned ',
  ]) {
    const text = piece.repeat(50_000);
    assert.equal(maskSwift(text).length, text.length);
  }
});
