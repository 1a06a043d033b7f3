/** Matches that grep shows and counts in files with tokens and keys. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOKENS } from '../../model/secrets/token.fixture.ts';
import { grepFiles, grepIn } from './grep.fixture.ts';

test('no pattern reveals a token, whether or not the index knows its file', async () => {
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

test('files with a private key are never counted, past the limit or in another encoding', async () => {
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

test('a long line is redacted before it is cut, so that no part of a token remains', async () => {
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
