/** Replaces files atomically: writes a temporary file under a hidden name and renames it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomId } from '../../model/runtime/random-id.ts';
import { makeFolder } from '../../store/sqlite/make-folder.ts';

/** Throws the error of the operating system. */
export function replaceFile(file: string, data: string | Uint8Array): void {
  const temporary = asideOf(file);
  try {
    makeFolder(dirname(file));
    writeFileSync(temporary, data);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns false instead of throwing; for caches that can be rebuilt. */
export function tryReplaceFile(file: string, data: string | Uint8Array): boolean {
  try {
    replaceFile(file, data);
    return true;
  } catch {
    return false;
  }
}

/** Asynchronous tryReplaceFile, for a server whose clients must not wait for the disk. */
export async function tryReplaceFileAsync(file: string, data: string | Uint8Array): Promise<void> {
  const temporary = asideOf(file);
  try {
    makeFolder(dirname(file));
    await writeFile(temporary, data);
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

function asideOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomId(4)}`);
}
