/** Files that `init` makes inside a project. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from '../../model/records/engine-errors.ts';

/** Unless there is one already. */
export async function writeProjectConfig(root: string, text: string): Promise<void> {
  const folder = join(root, '.sextant');
  const file = join(folder, 'config.yml');
  try {
    await stat(file);
    return;
  } catch {
    // Not there yet.
  }
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw unwritable('path_unwritable', folder, error);
  }
}

/** A folder that git keeps although nothing is in it yet. */
export async function makeTeamMemory(root: string): Promise<void> {
  const folder = join(root, '.sextant', 'memory');
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '.gitkeep'), '');
    // Locks and files that are being written are nobody's to commit.
    await writeFile(join(folder, '.gitignore'), '.*\n!.gitignore\n!.gitkeep\n');
  } catch (error) {
    throw unwritable('path_unwritable', folder, error);
  }
}
