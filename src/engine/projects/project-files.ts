/** Writes the files that `init` creates inside a project. */
import { lstatSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, unwritable } from '../../model/records/engine-errors.ts';

/** Leaves an existing file unchanged. */
export async function writeProjectConfig(root: string, text: string): Promise<void> {
  await writeNew(root, ['.sextant'], { 'config.yml': text });
}

/** `.gitkeep` keeps the empty folder in git; `.gitignore` excludes locks and files that are being written. */
export async function makeTeamMemory(root: string): Promise<void> {
  await writeNew(root, ['.sextant', 'memory'], { '.gitkeep': '', '.gitignore': '.*\n!.gitignore\n!.gitkeep\n' });
}

/**
 * Existing files stay unchanged. A repository may have symbolic links in place of the folders or files: nothing is
 * written through them.
 */
async function writeNew(root: string, folders: readonly string[], files: Readonly<Record<string, string>>) {
  const folder = join(root, ...folders);
  try {
    for (let depth = 1; depth <= folders.length; depth++) await makeOwnFolder(join(root, ...folders.slice(0, depth)));
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
  } catch (error) {
    throw error instanceof EngineError ? error : unwritable('path_unwritable', folder, error);
  }
}

async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!lstatSync(folder).isDirectory())
    throw new EngineError('path_unwritable', { path: folder, reason: 'it is no folder of the project itself' });
}
