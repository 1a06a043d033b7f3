import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { grepFiles, root, write } from './grep.fixture.ts';

test('grep returns lines with their place and context', async () => {
  const { matches } = await grepFiles(root, { pattern: 'needle', filePattern: 'src/a.ts', contextLines: 1 });
  assert.deepEqual(matches, [
    { path: 'src/a.ts', line: 2, column: 5, text: 'two needle', before: ['one'], after: ['three'] },
    { path: 'src/a.ts', line: 5, column: 6, text: 'five needle', before: ['four'], after: ['six'] },
  ]);
  const bare = await grepFiles(root, { pattern: 'needle', filePattern: 'src/a.ts', contextLines: 0 });
  assert.ok(bare.matches.every(({ before: above, after: below }) => above.length + below.length === 0));
});

test('columns count characters, not bytes', async () => {
  const { matches } = await grepFiles(root, { pattern: 'needle2' });
  assert.equal(matches[0]?.column, '// größer als needle2'.indexOf('needle2') + 1);
});

test('ignored files and secrets are never returned, by name or by content', async () => {
  const { matches, filesMatched, totalMatches } = await grepFiles(root, { pattern: 'needle' });
  assert.deepEqual([...new Set(matches.map(({ path }) => path))], ['lib/b.go', 'src/a.ts', 'src/umlaut.ts']);
  assert.equal(filesMatched, 3);
  assert.equal(totalMatches, 4);
  assert.deepEqual((await grepFiles(root, { pattern: 'TOKEN|MIIE', filePattern: '.env' })).matches, []);
});

test('a pattern that looks like an option is searched as a pattern', async () => {
  for (const pattern of ['--help', '-e x', '--files', '-']) {
    const { matches } = await grepFiles(root, { pattern, filePattern: 'src/*.ts' });
    assert.ok(
      matches.every(({ text }) => text.includes(pattern)),
      pattern,
    );
  }
  assert.equal((await grepFiles(root, { pattern: '--help' })).totalMatches, 1);
});

test('an invalid regular expression is refused, unless the pattern is literal', async () => {
  for (const pattern of ['call(', '[a', '*x', 'a{2,1}', '(?<=x)y', '(a)\\1'])
    await assert.rejects(grepFiles(root, { pattern }), { code: 'invalid_pattern' }, pattern);
  assert.equal((await grepFiles(root, { pattern: 'call(', literal: true })).totalMatches, 1);
  await assert.rejects(grepFiles(root, { pattern: '' }), { code: 'invalid_input' });
  await assert.rejects(grepFiles(root, { pattern: 'a\0b' }), { code: 'invalid_pattern' });
  await assert.rejects(grepFiles(root, { pattern: 'x', filePattern: 'a[' }), { code: 'invalid_pattern' });
});

test('a refused pattern is reported with the reason', async () => {
  await assert.rejects(grepFiles(root, { pattern: 'call(' }), /unclosed group/);
});

test('the limit cuts the list, not the count', async () => {
  const answer = await grepFiles(root, { pattern: 'match me', limit: 7 });
  assert.equal(answer.matches.length, 7);
  assert.equal(answer.totalMatches, 120);
  assert.equal(answer.truncated, true);
  assert.equal((await grepFiles(root, { pattern: 'match me', limit: 120 })).truncated, false);
});

test('long lines are cut around the match', async () => {
  const { matches } = await grepFiles(root, { pattern: 'rare_word' });
  assert.deepEqual(
    matches.map(({ text, column }) => [text, column]),
    [[`…${'x'.repeat(39)} rare_word`, 5002]],
  );
  const [first] = (await grepFiles(root, { pattern: 'x+' })).matches.filter(({ path }) => path === 'long.txt');
  assert.equal(first?.text, `${'x'.repeat(500)}…`);
});

test('long lines that match at every character are counted to the last one', async () => {
  for (let i = 0; i < 8; i++) write(`wide/${i}.txt`, `${'x '.repeat(950_000)}\n`);
  const { totalMatches, filesMatched, matches } = await grepFiles(root, { pattern: '.', filePattern: 'wide/*.txt' });
  assert.deepEqual([totalMatches, filesMatched, matches.length, matches[7]?.column], [8, 8, 8, 1]);
  rmSync(join(root, 'wide'), { recursive: true });
});

test('a literal pattern matches characters that are special in a regular expression', async () => {
  const odd = '\\^$.*+?()[]{}|#&-~<>/ \\b \\< (?i)';
  write('odd.txt', `${odd}\nab\n`);
  const { matches } = await grepFiles(root, { pattern: odd, literal: true });
  assert.deepEqual(
    matches.map(({ path, line, text }) => [path, line, text]),
    [['odd.txt', 1, odd]],
  );
  rmSync(join(root, 'odd.txt'));
});

test('a line ends before its carriage return, and a pattern can search for one', async () => {
  write('dos.txt', 'first;\r\nsecond; \r\nthird;\n');
  const lines = async (pattern: string) =>
    (await grepFiles(root, { pattern, filePattern: 'dos.txt' })).matches.map(({ line, text }) => `${line}:${text}`);
  assert.deepEqual(await lines(';$'), ['1:first;', '3:third;']);
  assert.deepEqual(await lines('^FIRST;$'), ['1:first;']);
  assert.deepEqual(await lines('\\s$'), ['2:second; ']);
  assert.deepEqual(await lines(';\\r$'), ['1:first;']);
  rmSync(join(root, 'dos.txt'));
});

test('grep handles case, excluded folders and globs', async () => {
  assert.equal((await grepFiles(root, { pattern: 'NEEDLE', caseSensitive: true })).totalMatches, 1);
  const paths = async (filePattern: string) =>
    [...new Set((await grepFiles(root, { pattern: 'needle', filePattern })).matches.map(({ path }) => path))].join();
  assert.equal(await paths('*.go'), 'lib/b.go');
  assert.equal(await paths('src/**'), 'src/a.ts,src/umlaut.ts');
  assert.equal(await paths('*.{go,rs}'), 'lib/b.go');
  assert.equal(await paths('ignored/*.ts'), '');
  assert.equal((await grepFiles(root, { pattern: 'needle', exclude: ['src'] })).filesMatched, 1);
});

test('a too large count stops at the same number each time, even in the middle of a line', async () => {
  write('huge/lines.txt', 'x\n'.repeat(262_144));
  const count = async () => {
    const { totalMatches, filesSearched, filesMatched, truncated } = await grepFiles(root, { pattern: '.*', limit: 1 });
    return { totalMatches, filesSearched, filesMatched, truncated };
  };
  const first = await count();
  assert.equal(first.totalMatches, 100_000);
  assert.ok(first.truncated && first.filesSearched >= first.filesMatched && first.filesMatched > 0);
  for (let i = 0; i < 3; i++) assert.deepEqual(await count(), first);
  rmSync(join(root, 'huge'), { recursive: true });
});

test('a large file is searched if the caller names it, and skipped otherwise', async () => {
  write('data/large.json', `${'"row",\n'.repeat(400_000)}"last_row"\n`);
  assert.equal((await grepFiles(root, { pattern: 'last_row' })).totalMatches, 0);
  const named = await grepFiles(root, { pattern: 'last_row', filePattern: 'data/large.json' });
  assert.deepEqual([named.matches[0]?.line, named.filesSearched], [400_001, 1]);
  rmSync(join(root, 'data'), { recursive: true });
});

test('files that the glob excludes do not count as searched', async () => {
  const searched = async (filePattern: string) =>
    (await grepFiles(root, { pattern: 'nowhere', filePattern })).filesSearched;
  assert.equal(await searched('*.go'), 1);
  assert.equal(await searched('src/**'), 3);
  assert.equal(await searched('src/a.ts'), 1);
  assert.equal(await searched('ignored/**'), 0);
});

test('an aborted search throws', async () => {
  const abort = new AbortController();
  abort.abort();
  await assert.rejects(grepFiles(root, { pattern: 'needle', signal: abort.signal }), { code: 'cancelled' });
});
