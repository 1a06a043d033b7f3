import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskDirectives, maskMacros } from './mask.ts';

/** The masked text with white space folded: what the grammar reads. */
function seen(text: string, dialect: 'c' | 'cpp' = 'cpp'): string {
  return maskMacros(text, dialect).replace(/\s+/g, ' ').trim();
}

const UNTOUCHED = [
  'FILE *open_log(const char *path);',
  'BOOL enabled;',
  'struct FOO bar;',
  'unsigned long long int n = 3;',
  'static const struct point ORIGIN = { 0, 0 };',
  'int FOO(int BAR);',
  'struct timespec Clock::Now() const { return FOO(x); }',
  'enum retval run(struct cmd *c)\n{\n  if (count(c) == 0)\n    step = 1;\n  else if (has(c))\n    step = 2;\n' +
    '  return OK;\n}',
  'static struct entry *find(int n)\n{\n  FOR_EACH(e, list)\n  if (e->n == n) return e;\n}',
  'std::vector<int> Values() const override;',
  'enum color { RED = PACK(1, 2), GREEN };',
  'TEST(Suite, Name) { RUN(x) }',
  '#if A\nint a;\n#else\nint b;\n#endif',
  'const Foo& operator=(const Foo&) = delete;',
];
for (const text of UNTOUCHED)
  test(`left as it is: ${text.split('\n')[0]}`, () => {
    assert.equal(maskMacros(text, 'cpp'), text);
  });

const MASKED: readonly (readonly [what: string, text: string, expected: string])[] = [
  ['before a class name', 'class FOO_API(3) BAR Base : A { int x; };', 'class Base : A { int x; };'],
  ['before a type', 'UV_EXTERN int uv_run(uv_loop_t*);', 'int uv_run(uv_loop_t*);'],
  ['in lower case before a primitive type', 'static my_inline void f(void) {}', 'static void f(void) {}'],
  ['behind a pointer', 'char * my_cdecl\nname(int a) {}', 'char * name(int a) {}'],
  ['behind parameters', 'void f() LOCKS(mu) NOTHROW { }', 'void f() { }'],
  ['behind a field', 'struct A { int x GUARDED_BY(mu) = 1; };', 'struct A { int x = 1; };'],
  ['within parameters', 'void f(char* nonnull s, View v LIFETIME_BOUND);', 'void f(char* s, View v );'],
  ['alone between declarations', 'int a;\nBEGIN_DECLS\nint b;', 'int a; int b;'],
  ['as the fields of a struct', 'struct a { FIELDS\nMORE_FIELDS\n};', 'struct a { };'],
  ['around a declaration', 'UNUSED(static int f(void)) { return 1; }', 'static int f(void) { return 1; }'],
  ['that fills an enum', 'enum a { A,\n#define XX(n) n,\nMAP(XX)\n#undef XX\nB };', 'enum a { A, B };'],
  ['in place of an access specifier', 'class A { FOO_PRIVATE:\n int x; };', 'class A { int x; };'],
  [
    'before a constructor',
    'class A { FOO_HIDE A(int x); FOO_HIDE explicit B(int); };',
    'class A { A(int x); explicit B(int); };',
  ],
  [
    'before an operator',
    'FOO_HIDE bool operator==(A b); struct C { FOO_HIDE operator int(); };',
    'bool operator==(A b); struct C { operator int(); };',
  ],
  [
    'behind a constraint',
    'template <class T> requires a::B<T> && (C<T>) FOO_HIDE void f();',
    'template <class T> requires a::B<T> && (C<T>) void f();',
  ],
  ['before a destructor', 'class A { FOO_HIDE ~A(); FOO_HIDE virtual ~B() {} };', 'class A { ~A(); virtual ~B() {} };'],
  [
    'before a struct with a body',
    'FOO_VAR constexpr struct a { int b; } c[] = {{1}};',
    'constexpr struct a { int b; } c[] = {{1}};',
  ],
  ['that makes parameters', 'static void on_signal SIGARGS(n)\n{ }', 'static void on_signal (n) { }'],
  ['before an initialiser', 'class A { int x GUARDED_BY(mu) {0}; };', 'class A { int x {0}; };'],
  ['called with types', 'DECLARE_FLAG(int64_t, x); int y;', '; int y;'],
  ['in an alias', 'using P = const T* nullable;', 'using P = const T* ;'],
];
for (const [what, text, expected] of MASKED)
  test(`a macro ${what} is hidden`, () => {
    assert.equal(seen(text), expected);
  });

test('C: a function may have the name of a struct', () => {
  const text = 'struct a { int x; };\nstatic ssize_t\na(struct a *a, int b) { return 1; }';
  assert.equal(maskMacros(text, 'c'), text);
});

test('of two heads of one function the first stays', () => {
  assert.equal(seen('#if A\nint f(void) {\n#else\nint g(void) {\n#endif\n}'), 'int f(void) { }');
});

test('a condition cut by a directive keeps both halves', () => {
  assert.equal(seen('int f() { if (a\n#ifdef B\n || b\n#endif\n) {} }'), 'int f() { if (a || b ) {} }');
});

test('the larger branch stays if the first is a stub', () => {
  const body = 'int x;\n'.repeat(200);
  assert.match(seen(`#if A\nint f(void) {\n#else\n${body}int g(void) {\n#endif\n}`), /int g\(void\) \{ \}$/);
});

test('dead branches are masked: #if 0, and C++ in a C header', () => {
  assert.equal(seen('#if 0\nint f(;\n#endif\nint g;', 'c'), '#if 0 #endif int g;');
  assert.equal(seen('#ifdef __cplusplus\nextern "C" {\n#endif\nint g;', 'c'), '#ifdef __cplusplus #endif int g;');
});

test('include guards and directives without #endif are masked', () => {
  assert.equal(seen('#ifndef A_H\n#define A_H\nint a;\n#endif\n', 'c'), '#define A_H int a;');
  assert.equal(seen('#if !defined(A_H)\n#define A_H 1\nint a;\n#endif', 'c'), '#define A_H 1 int a;');
  assert.equal(
    seen('#ifndef A_H\n#define A_H\nint a;\n#if B\nint b;\n#else\nint c', 'c'),
    '#define A_H int a; int b; int c',
  );
  const other = '#ifndef A\n#define B\nint a;\n#endif';
  assert.equal(maskMacros(other, 'c'), other);
});

test('a comment within a directive does not end it', () => {
  const masked = maskMacros('#define F(a) \\\n  /* one\n     two */ \\\n  (a)\nint b;', 'c');
  assert.ok(!masked.includes('one') && !masked.includes('two'));
  assert.ok(masked.split('\n')[1]!.endsWith('\\'), 'the line is still continued');
});

test('C#: modifiers chosen by a directive, verbatim strings, pointers', () => {
  const text = '#if A\ninternal\n#else\npublic\n#endif\nclass B { string s = @"#if \\"; int x = *(int*)p; }';
  assert.equal(
    maskDirectives(text).replace(/\s+/g, ' ').trim(),
    'internal class B { string s = @"#if \\"; int x = p; }',
  );
});

test('C#: keywords as names, targets after a question mark, quotes in verbatim strings', () => {
  assert.equal(maskDirectives('if (async) f(x, async: !async);'), 'if (_sync) f(x, _sync: !_sync);');
  assert.equal(
    maskDirectives('a.async = async; return async ? 1 : b ? async : 2; g(() => async);'),
    'a._sync = _sync; return _sync ? 1 : b ? _sync : 2; g(() => _sync);',
  );
  const left = 'async Task F(bool async, bool? async) { g(async () => 1, async x => x); var h = async delegate { }; }';
  assert.equal(maskDirectives(left), left);
  assert.equal(maskDirectives('f([property, a], b);'), 'f([_roperty, a], b);');
  assert.equal(maskDirectives('[property: A] int x;'), '[property: A] int x;');
  assert.equal(maskDirectives('a?[i] = b; c?.d.e = f; g = h?.i;'), 'a [i] = b; c .d.e = f; g = h?.i;');
  assert.equal(maskDirectives('s = $@"a=""""{b}"""""; t = @"""";'), 's = $@"a=    {b}    "; t = @"""";');
});

test('a mask keeps the length and the lines of any text', () => {
  const piece = fc.constantFrom(
    ...[
      '#if A\n',
      '#else\n',
      '#endif\n',
      '#define X(a) /* b */ \\\n a\n',
      'FOO(',
      ')',
      '{',
      '}',
      ';',
      'class ',
      'enum ',
    ],
    ...[
      'BAR_API ',
      'int ',
      'x',
      '*',
      '<',
      '>',
      '"',
      "'",
      '\n',
      '/*',
      '*/',
      '//',
      '\\',
      'é',
      '\r\n',
      'R"(',
      '@"',
      ':',
      ',',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      for (const masked of [maskMacros(text, 'c'), maskMacros(text, 'cpp'), maskDirectives(text)]) {
        assert.equal(masked.length, text.length);
        assert.deepEqual(
          [...masked.matchAll(/\n/g)].map((m) => m.index),
          [...text.matchAll(/\n/g)].map((m) => m.index),
        );
      }
    }),
    { numRuns: 500 },
  );
});

test('masking a repeated piece takes linear time', () => {
  // Anything that looks ahead for every token would need hours for these.
  const pieces = [
    'A(',
    'FOO(a FOO(',
    'enum {} {} ',
    'word ',
    'MACRO\n',
    '#if A\n',
    '#elif B\n',
    'template<',
    'f(*a b, ',
    '{',
    ' ',
    'async ',
    '[property ',
    'a?.b',
  ];
  for (const piece of pieces) {
    const text = `#if X\n${piece.repeat(60_000)}`;
    assert.equal(maskMacros(text, 'cpp').length, text.length);
    assert.equal(maskDirectives(text).length, text.length);
  }
});
