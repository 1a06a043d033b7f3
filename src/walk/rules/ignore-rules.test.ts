import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeRepository } from '../temp-tree.fixture.ts';
import { createIgnoreRules } from './ignore-rules.ts';

const NAMES = ['a', 'b', 'ab', 'a.b', 'b.log', '#a', '!b', 'x y'];
const FOLDERS = ['', 'a.d/', 'b.d/', 'a.d/b.d/', 'a.d/ab.d/'];
const FILES = FOLDERS.flatMap((folder) => NAMES.map((name) => folder + name));

const segment = fc.constantFrom(
  'a',
  'b',
  'ab',
  '*',
  '*.log',
  'a.d',
  'b.d',
  '?',
  '[ab]',
  '[!a]',
  'a*',
  '*b',
  '**',
  '\\#a',
  '\\!b',
  'x y',
  '*.d',
  'a.?',
  '[[:alpha:]]*',
  '[^b]?',
  '[a-b]*',
  '[]a]',
  '***',
  '\\a',
  'a\\',
  'x y  ',
  'b?l*g',
  '**.log',
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.constantFrom('', '', '/', '**/'),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '', '/', '/**', '/*'),
  )
  .map(([negation, start, segments, end]) => negation + start + segments.join('/') + end);
const ignoreFile = fc.array(pattern, { maxLength: 5 }).map((lines) => lines.join('\n'));

test('the rules ignore what git ignores', (t) => {
  const tree = makeRepository(t, Object.fromEntries(FILES.map((path) => [path, ''])));
  fc.assert(
    fc.property(ignoreFile, ignoreFile, (top, nested) => {
      writeFileSync(join(tree.root, '.gitignore'), top);
      writeFileSync(join(tree.root, 'a.d', '.gitignore'), nested);
      const listed = execFileSync('git', ['ls-files', '-z', '-o', '--exclude-standard'], {
        cwd: tree.root,
        encoding: 'utf8',
      });
      const kept = new Set(listed.split('\0'));
      const rules = createIgnoreRules();
      rules.add('', top);
      rules.add('a.d', nested);
      const ours = FILES.filter((path) => rules.match(path) === null);
      assert.deepEqual(
        ours,
        FILES.filter((path) => kept.has(path)),
      );
    }),
    { numRuns: 60 },
  );
});

test('the rules name the outermost ignored folder', () => {
  const rules = createIgnoreRules();
  rules.add('', '/out\n*.tmp\n');
  rules.add('sub', '!b.tmp\ndeep/er/\n');
  assert.equal(rules.match('out/a/b.ts'), 'out/');
  assert.equal(rules.match('sub/deep/er/x.ts'), 'sub/deep/er/');
  assert.equal(rules.match('sub/a.tmp'), 'sub/a.tmp');
  assert.equal(rules.match('sub/b.tmp'), null);
  assert.equal(rules.match('b.tmp'), 'b.tmp');
});

test('issue 21.3: the rules of a walk take a bounded number of steps; after that, they ignore nothing', () => {
  const rules = createIgnoreRules(20);
  rules.add('', '*.log\n*.tmp\n');
  const verdicts = Array.from({ length: 20 }, (_, i) => rules.match(`${i}.log`));
  assert.deepEqual(verdicts, [...Array.from({ length: 10 }, (_, i) => `${i}.log`), ...Array(10).fill(null)]);
});

test('issue 21.3: the number of steps grows with long names and deep paths, too', () => {
  const long = createIgnoreRules(100_000);
  long.add('', '*aaaaaaaaaaaaaaaaaaaa?b\n*.log\n');
  assert.equal(long.match('a.log'), 'a.log');
  for (let i = 0; i < 100; i++) long.match(`${i}${'a'.repeat(200)}`);
  assert.equal(long.match('b.log'), null);

  const deep = createIgnoreRules(100_000);
  deep.add('', `**/${'a/'.repeat(50)}b\n*.log\n`);
  assert.equal(deep.match('a.log'), 'a.log');
  assert.equal(deep.match(`${'a/'.repeat(2000)}c`), null);
  assert.equal(deep.match('b.log'), null);
});
