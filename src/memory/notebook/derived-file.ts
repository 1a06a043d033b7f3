/**
 * Files that hold what was worked out from the repository, each behind the digest of its content: a damaged one is not
 * believed but made again. The first line is the digest, the rest the content.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '../../model/runtime/checksum.ts';
import { tryReplaceFile } from './atomic-file.ts';

const DIGITS = 16;
/** Of a version without digests, to be replaced when it is next written. */
const OLD_FORM = /^\s*[{[]/;

/** Best effort: it can be made again. */
export function writeDerived(file: string, content: string | Uint8Array): boolean {
  const bytes = Buffer.from(content);
  return tryReplaceFile(file, Buffer.concat([Buffer.from(`${digest(bytes)}\n`), bytes]));
}

/** Null where there is none, and where its content is not what was written. */
export function readDerived(file: string): Buffer | null {
  try {
    const bytes = readFileSync(file);
    return isSound(bytes) ? bytes.subarray(DIGITS + 1) : null;
  } catch {
    return null;
  }
}

/** Deletes the damaged derived files below a folder and names them. Logs have sums of their own, line by line. */
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
      // Deleted meanwhile, or not accessible: the caller continues without it.
      return false;
    }
  });
}

function isSound(bytes: Buffer): boolean {
  return bytes[DIGITS] === 0x0a && digest(bytes.subarray(DIGITS + 1)) === bytes.toString('latin1', 0, DIGITS);
}
