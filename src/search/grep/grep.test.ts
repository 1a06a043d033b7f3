import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { GrepRequest } from '../../model/records/query.ts';
import { TOKENS } from '../../model/secrets/token.fixture.ts';
import { grepFiles as grep } from './grep.ts';

const grepIn = (folder: string, request: GrepRequest, inGit: boolean, tokenFiles: readonly string[] = []) =>
  grep(folder, request, { inGit, redact: true, tokenFiles });
const grepFiles = (folder: string, request: GrepRequest) => grepIn(folder, request, false);

let root: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
before(() => {
  root = mkdtempSync(join(tmpdir(), 'sextant-grep-'));
  write('src/a.ts', 'one\ntwo needle\nthree\nfour\nfive needle\nsix\n');
  write('src/flags.ts', 'const help = "--help -e x";\nconst paren = call(1, 2);\n');
  write('src/umlaut.ts', '// größer als needle2\n');
  write('lib/b.go', 'package b // NEEDLE\n');
  write('lib/old/c.go', 'package c // needle\n');
  write('many.txt', 'match me\n'.repeat(120));
  write('long.txt', `${'x'.repeat(5000)} rare_word\n`);
  write('.env', 'TOKEN=needle\n');
  write('config/id_rsa', 'needle\n');
  write('notes.txt', `-----BEGIN RSA PRIVATE KEY-----\nMIIEneedle${'A'.repeat(40)}\n-----END RSA PRIVATE KEY-----\n`);
  write('.gitignore', 'ignored/\n');
  write('ignored/x.ts', 'needle\n');
  write('.sextantignore', 'lib/old/\n');
});
after(() => rmSync(root, { recursive: true, force: true }));

test('lines with their place and what stands around them', async () => {
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

test('a pattern that looks like an option is a pattern', async () => {
  for (const pattern of ['--help', '-e x', '--files', '-']) {
    const { matches } = await grepFiles(root, { pattern, filePattern: 'src/*.ts' });
    assert.ok(
      matches.every(({ text }) => text.includes(pattern)),
      pattern,
    );
  }
  assert.equal((await grepFiles(root, { pattern: '--help' })).totalMatches, 1);
});

test('what is no regular expression is refused, unless it is meant literally', async () => {
  for (const pattern of ['call(', '[a', '*x', 'a{2,1}', '(?<=x)y', '(a)\\1'])
    await assert.rejects(grepFiles(root, { pattern }), { code: 'invalid_pattern' }, pattern);
  assert.equal((await grepFiles(root, { pattern: 'call(', literal: true })).totalMatches, 1);
  await assert.rejects(grepFiles(root, { pattern: '' }), { code: 'invalid_input' });
  await assert.rejects(grepFiles(root, { pattern: 'a\0b' }), { code: 'invalid_pattern' });
  await assert.rejects(grepFiles(root, { pattern: 'x', filePattern: 'a[' }), { code: 'invalid_pattern' });
});

test('a refusal gives the reason', async () => {
  await assert.rejects(grepFiles(root, { pattern: 'call(' }), /unclosed group/);
});

test('the limit cuts the list, not the count', async () => {
  const answer = await grepFiles(root, { pattern: 'match me', limit: 7 });
  assert.equal(answer.matches.length, 7);
  assert.equal(answer.totalMatches, 120);
  assert.equal(answer.truncated, true);
  assert.equal((await grepFiles(root, { pattern: 'match me', limit: 120 })).truncated, false);
});

test('long lines are cut, around what was found', async () => {
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

test('what is meant literally is, whatever it means elsewhere', async () => {
  const odd = '\\^$.*+?()[]{}|#&-~<>/ \\b \\< (?i)';
  write('odd.txt', `${odd}\nab\n`);
  const { matches } = await grepFiles(root, { pattern: odd, literal: true });
  assert.deepEqual(
    matches.map(({ path, line, text }) => [path, line, text]),
    [['odd.txt', 1, odd]],
  );
  rmSync(join(root, 'odd.txt'));
});

test('a line ends before its carriage return, which can be looked for', async () => {
  write('dos.txt', 'first;\r\nsecond; \r\nthird;\n');
  const lines = async (pattern: string) =>
    (await grepFiles(root, { pattern, filePattern: 'dos.txt' })).matches.map(({ line, text }) => `${line}:${text}`);
  assert.deepEqual(await lines(';$'), ['1:first;', '3:third;']);
  assert.deepEqual(await lines('^FIRST;$'), ['1:first;']);
  assert.deepEqual(await lines('\\s$'), ['2:second; ']);
  assert.deepEqual(await lines(';\\r$'), ['1:first;']);
  rmSync(join(root, 'dos.txt'));
});

test('case, folders left out, globs', async () => {
  assert.equal((await grepFiles(root, { pattern: 'NEEDLE', caseSensitive: true })).totalMatches, 1);
  const paths = async (filePattern: string) =>
    [...new Set((await grepFiles(root, { pattern: 'needle', filePattern })).matches.map(({ path }) => path))].join();
  assert.equal(await paths('*.go'), 'lib/b.go');
  assert.equal(await paths('src/**'), 'src/a.ts,src/umlaut.ts');
  assert.equal(await paths('*.{go,rs}'), 'lib/b.go');
  assert.equal(await paths('ignored/*.ts'), '');
  assert.equal((await grepFiles(root, { pattern: 'needle', exclude: ['src'] })).filesMatched, 1);
});

test('a count that is too large stops at the same number each time, also in the middle of a line', async () => {
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

test('a large file is looked into where it is named, and left aside otherwise', async () => {
  write('data/large.json', `${'"row",\n'.repeat(400_000)}"last_row"\n`);
  assert.equal((await grepFiles(root, { pattern: 'last_row' })).totalMatches, 0);
  const named = await grepFiles(root, { pattern: 'last_row', filePattern: 'data/large.json' });
  assert.deepEqual([named.matches[0]?.line, named.filesSearched], [400_001, 1]);
  rmSync(join(root, 'data'), { recursive: true });
});

test('files that the pattern leaves out do not count as searched', async () => {
  const searched = async (filePattern: string) =>
    (await grepFiles(root, { pattern: 'nowhere', filePattern })).filesSearched;
  assert.equal(await searched('*.go'), 1);
  assert.equal(await searched('src/**'), 3);
  assert.equal(await searched('src/a.ts'), 1);
  assert.equal(await searched('ignored/**'), 0);
});

test('an aborted search says so', async () => {
  const abort = new AbortController();
  abort.abort();
  await assert.rejects(grepFiles(root, { pattern: 'needle', signal: abort.signal }), { code: 'cancelled' });
});

test('a repository inside a repository is another project; inside a plain folder it is a part of it', async () => {
  write('subm/.git', 'gitdir: ../.git/modules/subm\n');
  write('subm/x/inner.ts', 'inside_needle\n');
  const paths = async (inGit: boolean) =>
    (await grepIn(root, { pattern: 'inside_needle' }, inGit)).matches.map(({ path }) => path);
  assert.deepEqual(await paths(true), []);
  assert.deepEqual(await paths(false), ['subm/x/inner.ts']);
  assert.equal((await grepFiles(join(root, 'subm'), { pattern: 'inside_needle' })).totalMatches, 1);
  rmSync(join(root, 'subm'), { recursive: true });
});

test('grep reads the files of the walk: by git’s rules from the root on and by every .sextantignore', async (t) => {
  const above = mkdtempSync(join(tmpdir(), 'sextant-grep-rules-'));
  t.after(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, 'project');
  const put = (path: string, text = 'pearl\n') => {
    mkdirSync(dirname(join(above, path)), { recursive: true });
    writeFileSync(join(above, path), text);
  };
  put('.gitignore', '*\n');
  put('outside.ts');
  put('project/.gitignore', 'build/\nlocal.ts\n');
  put('project/.ignore', 'plain.ts\n');
  put('project/sub/.sextantignore', 'quiet/\n');
  for (const name of ['plain.ts', 'local.ts', 'sub/a.ts', 'sub/quiet/b.ts', 'build/kept.ts', 'build/quiet.ts'])
    put(`project/${name}`);
  mkdirSync(join(folder, 'sub/deep/.sextantignore'), { recursive: true });
  put('project/sub/deep/c.ts');
  put('project/build/.env');
  put('project/build/raw.ts', 'pearl\0');
  const found = async (inGit: boolean, request: Partial<GrepRequest> = {}) =>
    (await grepIn(folder, { pattern: 'pearl', ...request }, inGit)).matches.map(({ path }) => path);
  assert.deepEqual(await found(false), ['plain.ts', 'sub/a.ts', 'sub/deep/c.ts']);

  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q');
  symlinkSync('../../outside.ts', join(folder, 'build/link.ts'));
  git('add', '--force', 'build/kept.ts', 'build/.env', 'build/raw.ts', 'build/link.ts', 'sub/quiet/b.ts', 'plain.ts');
  // Tracked, so git's rules do not count for it.
  assert.deepEqual(await found(true), ['build/kept.ts', 'plain.ts', 'sub/a.ts', 'sub/deep/c.ts']);
  assert.deepEqual(await found(true, { exclude: ['build'] }), ['plain.ts', 'sub/a.ts', 'sub/deep/c.ts']);
  assert.deepEqual(await found(true, { filePattern: 'build/*.ts' }), ['build/kept.ts']);
  const below = await grepIn(join(folder, 'sub'), { pattern: 'pearl' }, true);
  assert.deepEqual(
    below.matches.map(({ path }) => path),
    ['a.ts', 'deep/c.ts'],
  );
  put('project/sub/local.ts');
  assert.equal((await grepIn(join(folder, 'sub'), { pattern: 'pearl' }, true)).totalMatches, 2, 'rules above count');
  rmSync(join(folder, 'sub/local.ts'));
  // A rule that git knows and ripgrep does not.
  put('excludes', 'plain.ts\n');
  git('config', 'core.excludesFile', join(above, 'excludes'));
  assert.deepEqual(await found(true), ['build/kept.ts', 'plain.ts', 'sub/a.ts', 'sub/deep/c.ts']);
});

test('ignore files that are devices, pipes or links out of the project are none', {
  skip: !existsSync('/dev/zero'),
}, async (t) => {
  const above = mkdtempSync(join(tmpdir(), 'sextant-grep-'));
  t.after(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, 'project');
  mkdirSync(folder);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q');
  for (const name of ['a', 'b', 'c', 'd']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'x.ts'), 'pearl\n');
  }
  symlinkSync('/dev/zero', join(folder, '.sextantignore'));
  symlinkSync('/dev/zero', join(folder, 'a/.gitignore'));
  execFileSync('mkfifo', [join(folder, 'b/.sextantignore')]);
  writeFileSync(join(folder, '../rules'), '*\n');
  symlinkSync('../../rules', join(folder, 'c/.gitignore'));
  rmSync(join(folder, '.git/info/exclude'));
  symlinkSync('/dev/zero', join(folder, '.git/info/exclude'));
  for (const inGit of [true, false]) {
    const { matches } = await grepIn(folder, { pattern: 'pearl' }, inGit);
    assert.deepEqual(
      matches.map(({ path }) => path),
      ['a/x.ts', 'b/x.ts', 'c/x.ts', 'd/x.ts'],
    );
  }
});

test('ignored names with special characters are ignored, and no others', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-grep-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const names = ['a*b', 'axb', 'a?b', '[x]', 'x', '{a,b}', 'a', '!n', '#h', 'tail ', 'back\\slash', 'new\nline'];
  for (const name of names) writeFileSync(join(folder, name), 'pearl\n');
  const ignored = ['a*b', 'a?b', '[x]', '{a,b}', '!n', '#h', 'tail ', 'back\\slash'];
  const rules = ignored.map((name) => name.replace(/[\\*?[!#]| $/g, '\\$&'));
  writeFileSync(join(folder, '.gitignore'), `${rules.join('\n')}\nnew?line\n`);
  const { matches } = await grepIn(folder, { pattern: 'pearl' }, true);
  assert.deepEqual(
    matches.map(({ path }) => path),
    ['a', 'axb', 'x'],
  );
});

test('text in other encodings is shown as it is', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-grep-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const text = 'größe\r\na pearl\r\nlast pearl';
  writeFileSync(join(folder, 'mark.ts'), `\ufeffpearl ${text}`);
  writeFileSync(join(folder, 'utf16.ts'), Buffer.from(`\ufeffpearl ${text}\n`, 'utf16le'));
  writeFileSync(join(folder, 'latin.ts'), Buffer.from(`pearl ${text}\n`, 'latin1'));
  const { matches } = await grepFiles(folder, { pattern: 'pearl', contextLines: 0 });
  const lines = matches.map(({ path, line, text: shown }) => `${path} ${line} ${shown}`);
  assert.deepEqual(lines, [
    'latin.ts 1 pearl gr\ufffd\ufffde',
    'latin.ts 2 a pearl',
    'latin.ts 3 last pearl',
    'mark.ts 1 pearl größe',
    'mark.ts 2 a pearl',
    'mark.ts 3 last pearl',
    'utf16.ts 1 pearl größe',
    'utf16.ts 2 a pearl',
    'utf16.ts 3 last pearl',
  ]);
});

test('no pattern finds a token out, whether the index knows of its file or not', async () => {
  const token = TOKENS['github-pat'];
  const folder = mkdtempSync(join(tmpdir(), 'sextant-grep-token-'));
  writeFileSync(join(folder, 'a.py'), 'first = 1\n');
  writeFileSync(join(folder, 'm.py'), `import forge\nTOKEN = "${token}"  # end\nforge.open(TOKEN)\n`);
  writeFileSync(join(folder, 'z.py'), 'TOKEN = 1\n');
  const [right, wrong] = [token.slice(0, 9), `${token.slice(0, 8)}${token[8] === 'a' ? 'b' : 'a'}`];
  for (const tokenFiles of [['m.py'], []]) {
    const seen = async (pattern: string, limit = 50) => {
      const { durationMs: _time, ...answer } = await grepIn(folder, { pattern, limit }, false, tokenFiles);
      return answer;
    };
    assert.equal((await seen(token)).totalMatches, 0);
    for (const guess of [
      'GUESS',
      'TOKEN = "GUESS.*|TOKEN',
      'x" {2}# end|GUESS',
      '\\B" {2}# end|GUESS',
      '"REDACTED|GUESS',
      'import|GUESS',
    ])
      for (const limit of [1, 50])
        assert.deepEqual(
          await seen(guess.replace('GUESS', right), limit),
          await seen(guess.replace('GUESS', wrong), limit),
          `${guess} ${tokenFiles}`,
        );
    const { matches, totalMatches } = await seen('token');
    assert.ok(!JSON.stringify(matches).includes(token.slice(-10)));
    assert.deepEqual(
      matches.map(({ path, line }) => `${path}:${line}`),
      tokenFiles.length > 0 ? ['m.py:2', 'm.py:3', 'z.py:1'] : ['m.py:3', 'z.py:1'],
    );
    assert.equal(totalMatches, matches.length);
    assert.match((await seen('forge.open')).matches[0]!.before[1]!, /^TOKEN = "REDACTED_github_pat_x+" {2}# end$/);
  }
  assert.equal((await grepIn(folder, { pattern: 'TOKEN = "REDACTED.*# end$' }, false, ['m.py'])).matches[0]?.column, 1);
  rmSync(folder, { recursive: true });
});

test('files that hold a key count nowhere, past the limit neither, and in no encoding', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-grep-key-'));
  const key = `-----BEGIN PRIVATE KEY-----\nMIIE${'Abc1'.repeat(20)}\n-----END PRIVATE KEY-----\n`;
  writeFileSync(join(folder, 'a.txt'), 'MIIE is how a key begins\n');
  writeFileSync(join(folder, 'b.txt'), key);
  writeFileSync(join(folder, 'c.txt'), Buffer.from(`\ufeff${key}`, 'utf16le'));
  writeFileSync(join(folder, 'd.txt'), 'MIIE once more\n');
  for (const limit of [1, 2, 50]) {
    const { totalMatches, filesMatched } = await grepFiles(folder, { pattern: 'MIIE', limit });
    assert.deepEqual([totalMatches, filesMatched], [2, 2], `limit ${limit}`);
  }
  rmSync(folder, { recursive: true });
});

test('a long line is redacted before it is cut, so that no end of a token is left over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-grep-long-'));
  const token = TOKENS['github-pat'];
  writeFileSync(
    join(folder, 'a.js'),
    `var a = 1;\nvar b = "${'y'.repeat(430)}${token}"; ${'z '.repeat(300)}\nvar c = 1;\n`,
  );
  for (const tokenFiles of [['a.js'], []])
    for (const pattern of ['var c', 'z', 'var b'])
      assert.ok(
        !JSON.stringify(await grepIn(folder, { pattern }, false, tokenFiles)).includes(token.slice(6, 14)),
        pattern,
      );
  rmSync(folder, { recursive: true });
});
