/**
 * Where the machine's engine listens. The address is made of the data folder and a digest of all that must be the same
 * in processes that share an engine (version, build, the user's settings, variables of the environment): a process with
 * other settings computes another address and can only meet its own kind.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadToken } from '../http/http-token.ts';

/** Systems cut the path of a socket at 104 bytes (macOS) or 108 (Linux). */
const LONGEST_PATH = 100;

export interface EngineAddress {
  /** A Unix socket, or the name of a pipe on Windows. */
  readonly path: string;
  readonly version: string;
  readonly digest: string;
  /** Known to processes of this user only; both sides of a connection prove that they know it. */
  readonly secret: string;
}

/** Null if no address can be private to this user: the process then uses its own engine. */
export async function findEngineAddress(
  dataFolder: string,
  version: string,
  settings: unknown,
): Promise<EngineAddress | null> {
  const digest = createHash('sha256')
    .update(JSON.stringify([version, settings]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(dataFolder, 'run');
  const path = process.platform === 'win32' ? pipeName(folder, digest) : join(folder, `${digest}.sock`);
  if (process.platform !== 'win32' && Buffer.byteLength(path) > LONGEST_PATH) return null;
  try {
    if (existsSync(folder) && !(await isPrivate(folder))) return null;
    // Makes the folder as well, with the same rights.
    const secret = await loadToken('127.0.0.1', { path: join(folder, 'secret'), create: true });
    return secret !== null && (await isPrivate(folder)) ? { path, version, digest, secret } : null;
  } catch {
    // The first call that needs to write the data folder reports that it cannot.
    return null;
  }
}

/** A folder of this user's own that no other user can enter. */
async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  const own = process.getuid?.();
  return found.isDirectory() && (own === undefined || (found.uid === own && (found.mode & 0o077) === 0));
}

/** Pipes have one name space for the whole machine. */
function pipeName(folder: string, digest: string): string {
  const place = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 16);
  return `\\\\.\\pipe\\sextant-${place}-${digest}`;
}
