/**
 * The address at which the shared engine listens. It is made of the data folder and a digest of everything that
 * processes must have in common to share an engine (version, build, the user's settings, environment variables): a
 * process with other settings computes another address and never meets this engine.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadToken } from '../http/http-token.ts';

/** Systems limit the path of a socket to 104 bytes (macOS) or 108 (Linux). */
const MAX_PATH_BYTES = 100;

export interface EngineAddress {
  /** A Unix socket, or the name of a pipe on Windows. */
  readonly path: string;
  readonly version: string;
  readonly digest: string;
  /** A secret that only processes of this user can read; both sides of a connection prove that they know it. */
  readonly secret: string;
}

/** Returns null if no address is private to this user: the process then uses an engine of its own. */
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
  if (process.platform !== 'win32' && Buffer.byteLength(path) > MAX_PATH_BYTES) return null;
  try {
    if (existsSync(folder) && !(await isPrivate(folder))) return null;
    // Also creates the folder, with the same permissions.
    const secret = await loadToken('127.0.0.1', { path: join(folder, 'secret'), create: true });
    return secret !== null && (await isPrivate(folder)) ? { path, version, digest, secret } : null;
  } catch {
    // The first call that needs to write the data folder reports that it cannot.
    return null;
  }
}

/** Whether the folder belongs to this user and no other user can enter it. */
async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  const userId = process.getuid?.();
  return found.isDirectory() && (userId === undefined || (found.uid === userId && (found.mode & 0o077) === 0));
}

/** A pipe name that includes the data folder: all users of the machine share one name space for pipes. */
function pipeName(folder: string, digest: string): string {
  const place = createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 16);
  return `\\\\.\\pipe\\sextant-${place}-${digest}`;
}
