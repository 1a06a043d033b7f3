import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiffReader } from './diff-reader.ts';

function read(text: string, maxFiles = 100) {
  const reader = new DiffReader(maxFiles);
  // A pipe delivers the patch in pieces of any length.
  for (let at = 0; at < text.length; at += 7) reader.push(text.slice(at, at + 7));
  return reader.finish();
}

test('DiffReader returns the changed lines of the new version and the removed text of the old one', () => {
  const { files } = read(
    [
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -3 +3,2 @@ function a() {',
      '--- old();',
      '+++ new();',
      '+more();',
      '@@ -9,2 +9,0 @@',
      '-gone();',
      '-gone();',
      '',
    ].join('\n'),
  );
  assert.deepEqual(files, [
    {
      path: 'src/a.ts',
      oldPath: null,
      status: 'modified',
      isBinary: false,
      added: [[3, 4]],
      cuts: [9],
      removed: ['-- old();', '', 'gone();', 'gone();'],
    },
  ]);
});

test('DiffReader tells new, deleted, renamed and binary files apart', () => {
  const { files } = read(
    [
      'diff --git a/new.ts b/new.ts',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new.ts',
      '@@ -0,0 +1 @@',
      '+one',
      '\\ No newline at end of file',
      'diff --git a/old.ts b/old.ts',
      'deleted file mode 100644',
      '--- a/old.ts',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-one',
      'diff --git a/from here.ts b/to there.ts',
      'similarity index 100%',
      'rename from from here.ts',
      'rename to to there.ts',
      'diff --git a/logo.png b/logo.png',
      'Binary files a/logo.png and b/logo.png differ',
      'diff --git a/touched b/touched',
      '',
    ].join('\n'),
  );
  assert.deepEqual(
    files.map(({ path, oldPath, status, isBinary }) => ({ path, oldPath, status, isBinary })),
    [
      { path: 'new.ts', oldPath: null, status: 'added', isBinary: false },
      { path: 'old.ts', oldPath: null, status: 'deleted', isBinary: false },
      { path: 'to there.ts', oldPath: 'from here.ts', status: 'renamed', isBinary: false },
      { path: 'logo.png', oldPath: null, status: 'modified', isBinary: true },
    ],
  );
});

test('DiffReader unquotes names, and counts the files beyond its limit', () => {
  const head = (name: string) =>
    `diff --git ${name.replaceAll('X', 'a')} ${name.replaceAll('X', 'b')}\nnew file mode 100644\n`;
  const { files, moreFiles } = read(head('"X/\\303\\274 \\"q\\".ts"') + head('X/b.ts') + head('X/c.ts'), 2);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['ü "q".ts', 'b.ts'],
  );
  assert.equal(moreFiles, 1);
});
