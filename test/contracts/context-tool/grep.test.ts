/** context-tool: grep_codebase. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { rawClient } from '../raw-client.ts';
import { type Arguments, box, call, put, refused } from './setup.ts';

test('grep gives places with the lines around them (CT-21, CT-22)', async () => {
  const answer = await call('grep_codebase', { pattern: 'need[l]e' });
  const { searchTime, filesSearched, ...rest } = answer;
  assert.deepEqual(rest, {
    matches: [
      {
        file: 'web/notes.txt',
        line: 3,
        column: 5,
        text: 'the Needle is here',
        context: { before: ['one', 'two'], after: ['four', 'five'] },
      },
    ],
    pattern: 'need[l]e',
    totalMatches: 1,
  });
  assert.ok(Number.isInteger(searchTime) && filesSearched > 3);
  assert.equal((await call('grep_codebase', { pattern: 'needle', caseSensitive: true })).totalMatches, 0);
  assert.equal((await call('grep_codebase', { pattern: 'Needle', caseSensitive: true })).totalMatches, 1);
  assert.equal((await call('grep_codebase', { pattern: 'needle', filePattern: '**/*.ts' })).totalMatches, 0);
  assert.equal((await call('grep_codebase', { pattern: 'needle', filePattern: 'web/*.txt' })).totalMatches, 1);
});

test('in a folder of an indexed project, too, what grep names can be read (CT-10, CT-21)', async () => {
  const raw = rawClient({ profile: 'context-tool', engine: box.engine, workspace: join(box.project, 'web') });
  await raw.initialize();
  const ask = async (name: string, args: Arguments) =>
    (await raw.request('tools/call', { name, arguments: args })).result;
  const found = await ask('grep_codebase', { pattern: 'the Needle' });
  const [{ file }] = found.structuredContent.matches;
  assert.equal(file, 'web/notes.txt');
  assert.match((await ask('read_file', { path: file })).structuredContent.file.content, /the Needle/);
  assert.match(found.content[1].uri, /shop\/web\/notes\.txt$/);
  await raw.close();
});

test('what is generated, installed or ignored is not searched (CT-25)', async () => {
  for (const filePattern of ['**/*.js', 'dist/**', 'node_modules/**', '.next/**', '*.log'])
    assert.equal((await call('grep_codebase', { pattern: 'needle', filePattern })).totalMatches, 0, filePattern);
});

test('no match is an answer, not an error (CT-24)', async () => {
  const answer = await call('grep_codebase', { pattern: 'xyznonexistent123' });
  assert.deepEqual(
    [answer.matches, answer.totalMatches, answer.message],
    [[], 0, "No matches found for pattern 'xyznonexistent123'"],
  );
});

test('a pattern that is wrong, looks like a flag, or runs wild (CT-23, CT-32)', async () => {
  const { error, pattern, details } = await refused('grep_codebase', { pattern: '[invalid(' });
  assert.deepEqual([error, pattern], ['Invalid regex pattern', '[invalid(']);
  assert.ok(details.length > 0);
  const glob = await refused('grep_codebase', { pattern: 'x', filePattern: '[' });
  assert.deepEqual([glob.error, glob.filePattern], ['Invalid file pattern', '[']);
  const nul = await refused('grep_codebase', { pattern: 'a\0b', filePattern: '*.ts' });
  assert.deepEqual([nul.error, nul.pattern], ['Invalid regex pattern', 'a<U+0000>b']);
  assert.deepEqual((await call('grep_codebase', { pattern: '--files' })).matches[0].line, 6);
  put('web/a.txt', `${'a'.repeat(5000)}b\n`);
  assert.equal((await call('grep_codebase', { pattern: '^(a+)+b$', filePattern: 'web/a.txt' })).totalMatches, 1);
  assert.equal((await call('grep_codebase', { pattern: '^(a+)+c$' })).totalMatches, 0);
});

test('totalMatches counts beyond the limit (CT-33)', async () => {
  put('web/many.txt', 'again\n'.repeat(300));
  const answer = await call('grep_codebase', { pattern: '^again$', limit: 7 });
  assert.deepEqual([answer.matches.length, answer.totalMatches], [7, 300]);
});
