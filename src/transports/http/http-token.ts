/**
 * The token that clients of an HTTP server must send. Every user of the machine can reach a loopback server, so by
 * default the server creates a token in the data folder that only its owner can read.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineError, toEngineError, unwritable } from '../../model/records/engine-errors.ts';
import { isLoopback } from './http-guard.ts';

const MIN_TOKEN_LENGTH = 16;
const MAX_FILE_BYTES = 4096;
/** One word that an HTTP header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;

export interface TokenFile {
  readonly path: string;
  /** True for the server's own file, which is created if missing; false for a file that the user named. */
  readonly create: boolean;
}

/**
 * Returns null only on loopback with --no-token. Throws if other users can read the file or no header can carry its
 * content.
 */
export async function loadToken(host: string, file: TokenFile | null): Promise<string | null> {
  if (!isLoopback(host) && (file === null || file.create))
    throw new EngineError('invalid_input', {
      reason:
        `Serving on ${host} lets others reach this machine's code: pass --token-file with a secret of at least ` +
        `${MIN_TOKEN_LENGTH} characters.`,
    });
  if (file === null) return null;
  if (file.create)
    await createTokenFile(file.path).catch((error: unknown) => {
      throw unwritable('store_unwritable', dirname(file.path), error);
    });
  try {
    return checkedToken(await readTokenFile(file), file.path);
  } catch (thrown) {
    const error = toEngineError(thrown);
    if (error.code !== 'internal_error') throw error;
    throw new EngineError('invalid_input', { reason: `The token file ${file.path} cannot be read: ${String(thrown)}` });
  }
}

/** Creates the file atomically: several servers may start at the same time, and the first one wins. */
async function createTokenFile(path: string): Promise<void> {
  if (existsSync(path)) return;
  const { makeFolder } = await import('../../engine/index.ts');
  makeFolder(dirname(path));
  const temporary = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Some file systems have no hard links.
    if (code !== 'EEXIST') await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readTokenFile(file: TokenFile): Promise<string> {
  const handle = await open(file.path);
  try {
    await checkPrivate(handle, file);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_FILE_BYTES), 0, MAX_FILE_BYTES);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Throws if another user may read the token. Windows has no permission bits; a user's folders there are private. */
async function checkPrivate(handle: FileHandle, { path, create }: TokenFile): Promise<void> {
  const userId = process.getuid?.();
  if (userId === undefined) return;
  const { mode, uid } = await handle.stat();
  const fix = create
    ? `delete it, and a new one is made at the next start`
    : `write a new secret into it after \`chmod 600\``;
  if (mode & 0o077)
    throw new EngineError('invalid_input', {
      reason:
        `The token file ${path} can be read or changed by other users ` +
        `(mode ${(mode & 0o777).toString(8)}): ${fix}.`,
    });
  if (userId !== 0 && uid !== userId && uid !== 0)
    throw new EngineError('invalid_input', { reason: `The token file ${path} belongs to another user: ${fix}.` });
}

function checkedToken(text: string, path: string): string {
  const token = text.trim();
  if (token.length < MIN_TOKEN_LENGTH)
    throw new EngineError('invalid_input', {
      reason: `The token in ${path} has ${token.length} characters; ${MIN_TOKEN_LENGTH} are the least.`,
    });
  if (!TOKEN.test(token))
    throw new EngineError('invalid_input', {
      reason: `The token in ${path} must be one word of letters, digits and signs of ASCII: no header carries another.`,
    });
  return token;
}
