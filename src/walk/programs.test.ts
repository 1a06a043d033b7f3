import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { behindLauncher } from './programs.ts';

test('on Windows the real git.exe is started, not its launcher, which would leave git running when killed', () => {
  const root = mkdtempSync(join(tmpdir(), 'sextant-programs-'));
  const at = (...parts: string[]) => join(root, ...parts);
  const make = (path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    return path;
  };
  try {
    const real = make(at('Git', 'mingw64', 'bin', 'git.exe'));
    assert.equal(behindLauncher(make(at('Git', 'cmd', 'git.exe'))), real);
    assert.equal(behindLauncher(make(at('Git', 'bin', 'git.exe'))), real);
    assert.equal(behindLauncher(real), real);
    const arm = make(at('Arm', 'clangarm64', 'bin', 'git.exe'));
    assert.equal(behindLauncher(make(at('Arm', 'cmd', 'git.exe'))), arm);
    const alone = make(at('scoop', 'bin', 'git.exe'));
    assert.equal(behindLauncher(alone), alone);
    const unix = make(at('Git', 'bin', 'git'));
    assert.equal(behindLauncher(unix), unix);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
