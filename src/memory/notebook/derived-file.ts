/**
 * Cache files derived from the repository. The first line is a digest of the rest, so that a damaged file is detected
 * and rebuilt.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '../../model/runtime/checksum.ts';
import { tryReplaceFile } from './atomic-file.ts';

const DIGITS = 16;
/** The content of a file from before digests existed; the next write replaces it. */
const OLD_FORM = /^\s*[{[]/;

/** Returns false instead of throwing: the content can be derived again. */
export function writeDerived(file: string, content: string | Uint8Array): boolean {
  const bytes = Buffer.from(content);
  return tryReplaceFile(file, Buffer.concat([Buffer.from(`${digest(bytes)}\n`), bytes]));
}

/** Null if the file does not exist or is damaged. */
export function readDerived(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file);
    return isSound(bytes) ? bytes.subarray(DIGITS + 1) : null;
  } catch {
    return null;
  }
}

/** Deletes damaged derived files below a folder and returns their names. Logs have a checksum per line instead. */
export function removeDamaged(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|bin)$/.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return names.filter((name) => {
    try {
      const bytes = readFileSync(name);
      if (isSound(bytes) || OLD_FORM.test(bytes.toString('latin1', 0, DIGITS))) return false;
      rmSync(name, { force: true });
      return true;
    } catch {
      // The file was deleted meanwhile or cannot be read; the caller continues without it.
      return false;
    }
  });
}

function isSound(bytes: Buffer): boolean {
  return bytes[DIGITS] === 0x0a && digest(bytes.subarray(DIGITS + 1)) === bytes.toString('latin1', 0, DIGITS);
}
