import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { EngineError } from '../../model/records/engine-errors.ts';
import { compileGlobs } from './globs.ts';
import { ANY_DEPTH, matchSegments, matchTokens, tokenizeName } from './name-pattern.ts';

const matches = (pattern: string | string[], path: string) => compileGlobs([pattern].flat())(path);

test('a name matches at any depth, a path from the root', () => {
  assert.ok(matches('*.sql', 'a.sql') && matches('*.sql', 'db/x/a.sql'));
  assert.ok(matches('README.md', 'docs/README.md'));
  assert.ok(
    matches('src/*.ts', 'src/a.ts') && !matches('src/*.ts', 'src/x/a.ts') && !matches('src/*.ts', 'lib/src/a.ts'),
  );
  assert.ok(matches('/a.ts', 'a.ts') && !matches('/a.ts', 'x/a.ts'));
  assert.ok(matches('./a.ts', 'a.ts') && !matches('./a.ts', 'x/a.ts'));
  assert.ok(matches('**/*.ts', 'a.ts') && matches('**/*.ts', 'x/y/a.ts'));
  assert.ok(matches('src/**/test/*.ts', 'src/test/a.ts') && matches('src/**/test/*.ts', 'src/x/y/test/a.ts'));
});

test('a pattern of a folder matches everything below it', () => {
  for (const pattern of ['src/auth', 'src/auth/', 'auth', 'auth/', 'src/auth/**', './src/auth', 's*/auth/'])
    assert.ok(matches(pattern, 'src/auth/deep/a.ts'), pattern);
  assert.ok(!matches('src/auth', 'src/authority/a.ts'));
  assert.ok(matches('.', 'any/thing.ts') && matches('/', 'any.ts'));
});

test('braces, classes and question marks match, a star matches dotted names, and case counts', () => {
  assert.ok(matches('*.{ts,tsx}', 'a.tsx') && !matches('*.{ts,tsx}', 'a.js'));
  assert.ok(matches('[ab].go', 'x/a.go') && !matches('[ab].go', 'c.go'));
  assert.ok(matches('*', '.hidden') && matches('**', '.github/x.yml'));
  assert.ok(matches('?.go', 'a.go') && !matches('?.go', 'ab.go'));
  assert.ok(!matches('*.TS', 'a.ts'));
});

test('a path that matches a pattern with an exclamation mark does not match the list', () => {
  const select = compileGlobs(['src/**', '!**/*.test.ts', '!src/old']);
  assert.deepEqual(['src/a.ts', 'src/a.test.ts', 'src/old/b.ts', 'lib/c.ts'].filter(select), ['src/a.ts']);
  assert.deepEqual(['a.md', 'b.ts'].filter(compileGlobs(['!*.md'])), ['b.ts']);
  assert.deepEqual(['a.md', 'b.ts'].filter(compileGlobs([])), []);
});

test('an invalid pattern is refused', () => {
  for (const bad of [
    '',
    '   ',
    '!',
    'a[',
    'a{b',
    '../x',
    'src/../../x',
    'a\0b',
    'x'.repeat(2000),
    '{a,b}'.repeat(9),
    '{1..1000}',
    7 as unknown as string,
  ])
    assert.throws(
      () => compileGlobs([bad]),
      (error) => error instanceof EngineError && error.code === 'invalid_pattern',
      JSON.stringify(bad).slice(0, 40),
    );
});

test('braces may be nested, ranges, or hold empty choices; parentheses are ordinary characters', () => {
  for (const [pattern, path] of [
    ['*.{ts,{js,mjs}}', 'a.mjs'],
    ['{src,lib}/{a,b}.ts', 'lib/b.ts'],
    ['file{1..12}.txt', 'file11.txt'],
    ['[{]a.ts', '{a.ts'],
    ['{a}.ts', '{a}.ts'],
    ['a{,b}.ts', 'a.ts'],
    ['\\{a,b\\}.ts', '{a,b}.ts'],
    ['app/(group)/page.tsx', 'app/(group)/page.tsx'],
    ['{src/**,docs}', 'src/x/y.ts'],
  ] as const)
    assert.ok(matches(pattern, path), pattern);
  assert.ok(!matches('file{1..12}.txt', 'file13.txt') && !matches('{a}.ts', 'a.ts'));
});

test('a pattern of many stars takes at most pattern × name comparisons', () => {
  for (const stars of [8, 40]) {
    const pattern = `${'*a'.repeat(stars)}*b`;
    const name = 'a'.repeat(4000);
    let steps = 0;
    const counted = tokenizeName(pattern)!.map((token) =>
      typeof token === 'string' ? { accepts: (char: string) => ++steps > 0 && char === token } : token,
    );
    assert.equal(matchTokens(counted, name), false);
    assert.ok(steps <= pattern.length * name.length, `${steps} steps`);
    assert.equal(matches(pattern, name), false);
  }
});

test('many `**` take at most pattern × depth comparisons', () => {
  let steps = 0;
  const isA = (name: string) => ++steps > 0 && name === 'a';
  const pattern = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? ANY_DEPTH : isA));
  assert.equal(matchSegments([...pattern, (name) => name === 'b'], Array<string>(1000).fill('a')), false);
  assert.ok(steps <= 24 * 1000, `${steps} steps`);
});

test('compileGlobs agrees with picomatch', () => {
  const text = (unit: readonly string[], maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...unit), minLength: 1, maxLength });
  const options = { dot: true, noextglob: true, nonegate: true, posix: true } as const;
  const name = text(['a', 'b', 'ab', '*', '?', '[ab]', '[!a]', '{a,b}', '{a,bb}', '.'], 4);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(name, fc.constantFrom('**', '*', 'a', 'b')), { minLength: 1, maxLength: 4 }),
      fc.array(text(['a', 'b', '.'], 4), { minLength: 1, maxLength: 5 }),
      (segments, names) => {
        fc.pre(![...segments, ...names].some((segment) => /^\.+$|[*?]{2}|\.\./.test(segment) && segment !== '**'));
        // picomatch lets "*a/**" match the folder itself, but not "a*/**".
        fc.pre(segments.at(-1) !== '**' || !segments.some((segment) => /\*[^*]+$/.test(segment)));
        const path = names.join('/');
        const glob = segments.join('/');
        const isFolder = !/[*?[]/.test(segments.at(-1)!);
        const expected = picomatch.isMatch(path, isFolder ? [glob, `${glob}/**`] : glob, options);
        assert.equal(matches(`/${glob}`, path), expected, `${glob} on ${path}`);
      },
    ),
    { numRuns: 2000 },
  );
});

test('any text either compiles or is refused, and a literal path matches itself and nothing beside it', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          'a',
          '*',
          '?',
          '[',
          ']',
          '{',
          '}',
          ',',
          '!',
          '/',
          '.',
          '\\',
          '(',
          ')',
          '|',
          '+',
          '@',
          '-',
          '^',
        ),
        maxLength: 12,
      }),
      (pattern) => {
        try {
          assert.equal(typeof compileGlobs([pattern])('src/a.ts'), 'boolean');
        } catch (error) {
          assert.ok(error instanceof EngineError && error.code === 'invalid_pattern');
        }
      },
    ),
  );
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
  fc.assert(
    fc.property(fc.array(name, { minLength: 2, maxLength: 4 }), (segments) => {
      const path = segments.join('/');
      assert.ok(compileGlobs([path])(path));
      assert.ok(compileGlobs([path])(`${path}/below.ts`));
      assert.ok(!compileGlobs([path])(`${path}x`));
      assert.ok(!compileGlobs([path])(`x/${path}`));
    }),
  );
});
