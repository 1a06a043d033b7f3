/** Which files grep reads: ignore rules, nested repositories, encodings. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { GrepRequest } from '../../model/records/query.ts';
import { grepFiles, grepIn, root, write } from './grep.fixture.ts';

test('a repository inside a repository is another project, and inside a plain folder it is part of it', async () => {
  write('subm/.git', 'gitdir: ../.git/modules/subm\n');
  write('subm/x/inner.ts', 'inside_needle\n');
  const paths = async (inGit: boolean) =>
    (await grepIn(root, { pattern: 'inside_needle' }, inGit)).matches.map(({ path }) => path);
  assert.deepEqual(await paths(true), []);
  assert.deepEqual(await paths(false), ['subm/x/inner.ts']);
  assert.equal((await grepFiles(join(root, 'subm'), { pattern: 'inside_needle' })).totalMatches, 1);
  rmSync(join(root, 'subm'), { recursive: true });
});

test('grep reads the files of the walk, by git’s rules from the root on and by every .sextantignore', async (t) => {
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

test('ignore files that are devices, pipes or links out of the project are not read', {
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

test('rules with special characters ignore the named files and no others', async (t) => {
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

test('text in other encodings is shown correctly', async (t) => {
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
