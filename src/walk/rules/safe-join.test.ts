import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../model/records/engine-errors.ts';
import { makeTree } from '../temp-tree.fixture.ts';
import { safeJoin } from './safe-join.ts';

const codeOf = (root: string, path: string) => {
  try {
    safeJoin(root, path);
    return 'ok';
  } catch (error) {
    assert.ok(error instanceof EngineError, String(error));
    return error.code;
  }
};

test('safeJoin returns the real path of a file inside the project', (t) => {
  const { root } = makeTree(t, { 'src/a.ts': 'x', 'a..b/..c.ts': 'x', 'sp ace/ü.ts': 'x' });
  symlinkSync('src/a.ts', join(root, 'same.ts'));
  assert.equal(safeJoin(root, 'src/a.ts'), join(root, 'src/a.ts'));
  assert.equal(safeJoin(root, './src//a.ts'), join(root, 'src/a.ts'));
  assert.equal(safeJoin(root, 'same.ts'), join(root, 'src/a.ts'));
  assert.equal(safeJoin(root, 'a..b/..c.ts'), join(root, 'a..b/..c.ts'));
  assert.equal(safeJoin(root, 'sp ace/ü.ts'), join(root, 'sp ace/ü.ts'));
  for (const missing of ['nothing.ts', 'src', 'src/a.ts/b', '.'])
    assert.equal(codeOf(root, missing), 'file_not_found', missing);
});

test('safeJoin refuses every path that leads out of the root or names a secret file', (t) => {
  const outside = makeTree(t, { 'x.ts': 'x' });
  const { root } = makeTree(t, { '.env': 'x', '.git/config': 'x', 'src/a.ts': 'x', 'keys/id_rsa': 'x' });
  symlinkSync(outside.root, join(root, 'out'));
  symlinkSync(join(outside.root, 'x.ts'), join(root, 'out.ts'));
  symlinkSync('.env', join(root, 'innocent.ts'));
  symlinkSync('.git', join(root, 'vcs'));
  symlinkSync('loop', join(root, 'loop'));
  const refused = [
    '/etc/passwd',
    join(root, 'src/a.ts'),
    '../x',
    'src/../../x',
    'src/..',
    '..\\x',
    'src\\a.ts',
    'C:/x',
    'C:x',
    '~/x',
    'a\0.ts',
    '',
    'out/x.ts',
    'out.ts',
    '.env',
    '.ENV',
    'keys/id_rsa',
    'innocent.ts',
    '.git/config',
    '.GIT/config',
    '.git./config',
    'git~1/config',
    '.g\u200cit/config',
    'vcs/config',
    'loop',
  ];
  for (const path of refused) assert.equal(codeOf(root, path), 'path_forbidden', JSON.stringify(path));
});

test('safeJoin returns no path outside of the root for any text', (t) => {
  const { root } = makeTree(t, { 'a/b.ts': 'x', 'a/c/d.ts': 'x' });
  const piece = fc.constantFrom('a', 'b.ts', 'c', 'd.ts', '..', '.', '/', '\\', '\0', '~', ' ', '%2e%2e', '...', '//');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('/', ''), (pieces, separator) => {
      const path = pieces.join(separator);
      try {
        const found = safeJoin(root, path);
        assert.ok(isAbsolute(found) && found.startsWith(`${root}/a/`));
      } catch (error) {
        assert.ok(
          error instanceof EngineError && ['path_forbidden', 'file_not_found'].includes(error.code),
          String(error),
        );
      }
    }),
  );
});
