import assert from 'node:assert/strict';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../fixtures/made-up.ts';
import { makeFolder } from './make-folder.ts';

test('makeFolder creates the folder and those above it for the owner only, and does not change existing ones', (t) => {
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

test('makeFolder throws if a file has the name of the folder', (t) => {
  const top = temporaryFolder(t);
  writeFileSync(join(top, 'file'), '');
  assert.throws(() => makeFolder(join(top, 'file')), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(top, 'file', 'below')));
});
