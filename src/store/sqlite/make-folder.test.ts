import assert from 'node:assert/strict';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../fixtures/made-up.ts';
import { makeFolder } from './make-folder.ts';

test('the folder and those above it are made for their owner only; one that is there is left as it is', (t) => {
  const top = temporaryFolder(t);
  const deep = join(top, 'a', 'b', 'c');
  makeFolder(deep);
  assert.ok(statSync(deep).isDirectory());
  if (process.platform !== 'win32') assert.equal(statSync(join(top, 'a')).mode & 0o777, 0o700);
  makeFolder(deep);
  mkdirSync(join(top, 'elsewhere'));
  symlinkSync(join(top, 'elsewhere'), join(top, 'link'), 'junction');
  makeFolder(join(top, 'link'));
});

test('a file in the way is reported', (t) => {
  const top = temporaryFolder(t);
  writeFileSync(join(top, 'file'), '');
  assert.throws(() => makeFolder(join(top, 'file')), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(top, 'file', 'below')));
});
