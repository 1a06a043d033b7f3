import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isOtherHost, leadsToOtherHost } from './other-host.ts';

function asOnWindows(t: TestContext): void {
  const own = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { ...own, value: 'win32' });
  t.after(() => Object.defineProperty(process, 'platform', own));
}

test('paths of another machine are distinguished from those of this one', (t) => {
  assert.equal(isOtherHost('//host/share', '/home'), false, 'on Windows only');
  asOnWindows(t);
  for (const path of ['\\\\host\\share', '//host/share', '\\\\?\\UNC\\host\\share', '//10.0.0.1/x'])
    assert.equal(isOtherHost(path, 'C:\\code'), true, path);
  for (const path of ['C:\\x', '\\\\?\\C:\\x', '\\\\.\\nul', '/x', 'a//b'])
    assert.equal(isOtherHost(path, 'C:\\code'), false, path);
  assert.equal(isOtherHost('\\\\host\\share\\a', '\\\\host\\share'), false);
});

test('leadsToOtherHost reads the text of links and follows none', { skip: process.platform === 'win32' }, (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sextant-host-')));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  symlinkSync('elsewhere', join(root, 'inside'));
  assert.equal(leadsToOtherHost(root, 'inside/a'), false);
  asOnWindows(t);
  assert.equal(leadsToOtherHost(root, 'inside/a'), false);
});
