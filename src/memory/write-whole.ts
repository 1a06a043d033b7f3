/** A file that readers see whole or not at all: written aside and renamed. Best effort, for what can be made again. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export function writeWhole(file: string, data: string | Uint8Array): boolean {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, data);
    renameSync(temporary, file);
    return true;
  } catch {
    rmSync(temporary, { force: true });
    return false;
  }
}

/** The same beside other work: a server that answers two hundred clients must not stand still for a disk. */
export async function writeWholeAside(file: string, data: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, data);
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
