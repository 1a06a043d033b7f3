import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../model/records/engine-errors.ts';
import { compileGlobs } from './globs.ts';

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

test('a folder stands for everything below it', () => {
  for (const pattern of ['src/auth', 'src/auth/', 'auth', 'auth/', 'src/auth/**', './src/auth', 's*/auth/'])
    assert.ok(matches(pattern, 'src/auth/deep/a.ts'), pattern);
  assert.ok(!matches('src/auth', 'src/authority/a.ts'));
  assert.ok(matches('.', 'any/thing.ts') && matches('/', 'any.ts'));
});

test('braces, classes, dots, question marks, case', () => {
  assert.ok(matches('*.{ts,tsx}', 'a.tsx') && !matches('*.{ts,tsx}', 'a.js'));
  assert.ok(matches('[ab].go', 'x/a.go') && !matches('[ab].go', 'c.go'));
  assert.ok(matches('*', '.hidden') && matches('**', '.github/x.yml'));
  assert.ok(matches('?.go', 'a.go') && !matches('?.go', 'ab.go'));
  assert.ok(!matches('*.TS', 'a.ts'));
});

test('an exclamation mark takes back', () => {
  const select = compileGlobs(['src/**', '!**/*.test.ts', '!src/old']);
  assert.deepEqual(['src/a.ts', 'src/a.test.ts', 'src/old/b.ts', 'lib/c.ts'].filter(select), ['src/a.ts']);
  assert.deepEqual(['a.md', 'b.ts'].filter(compileGlobs(['!*.md'])), ['b.ts']);
  assert.deepEqual(['a.md', 'b.ts'].filter(compileGlobs([])), []);
});

test('what is no pattern is refused', () => {
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
    '*a*a*a*a*a*a*a*a*b',
    7 as unknown as string,
  ])
    assert.throws(
      () => compileGlobs([bad]),
      (error) => error instanceof EngineError && error.code === 'invalid_pattern',
      JSON.stringify(bad).slice(0, 40),
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
