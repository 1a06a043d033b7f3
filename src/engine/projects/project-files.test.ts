import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeTeamMemory, writeProjectConfig } from './project-files.ts';

function makeFolders(t: TestContext): { readonly root: string; readonly outside: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-init-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  for (const each of [root, outside]) mkdirSync(each);
  writeFileSync(join(outside, 'kept'), 'of the user');
  return { root, outside };
}

test('init creates missing files and leaves existing ones unchanged', async (t) => {
  const { root } = makeFolders(t);
  await makeTeamMemory(root);
  await writeProjectConfig(root, 'one');
  await writeProjectConfig(root, 'two');
  await makeTeamMemory(root);
  assert.equal(readFileSync(join(root, '.sextant/config.yml'), 'utf8'), 'one');
  assert.deepEqual(readdirSync(join(root, '.sextant/memory')).sort(), ['.gitignore', '.gitkeep']);
});

for (const [path, target] of [
  ['.sextant', ''],
  ['.sextant/memory', ''],
  ['.sextant/memory/.gitkeep', 'kept'],
  ['.sextant/memory/.gitignore', 'kept'],
  ['.sextant/config.yml', 'new'],
] as const)
  test(`init writes nothing through a link at ${path}`, async (t) => {
    const { root, outside } = makeFolders(t);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(join(outside, target), join(root, path));
    await makeTeamMemory(root).catch((error) => assert.equal(error.code, 'path_unwritable'));
    await writeProjectConfig(root, 'text').catch((error) => assert.equal(error.code, 'path_unwritable'));
    assert.deepEqual(readdirSync(outside), ['kept']);
    assert.equal(readFileSync(join(outside, 'kept'), 'utf8'), 'of the user');
  });
