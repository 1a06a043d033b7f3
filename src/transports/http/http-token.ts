/** The token that clients of an HTTP server must present. */
import { readFile } from 'node:fs/promises';
import { EngineError, toEngineError } from '../../model/records/engine-errors.ts';
import { isLoopback } from './http-guard.ts';

const MIN_TOKEN_LENGTH = 16;
/** What a header can carry in one word. */
const TOKEN = /^[\x21-\x7e]+$/;

/** Null where none is needed and none was given. Throws where the file holds nothing that a client could send. */
export async function loadToken(host: string, tokenFile: string | null): Promise<string | null> {
  if (tokenFile === null) {
    if (isLoopback(host)) return null;
    throw new EngineError('invalid_input', {
      reason: `Serving on ${host} lets others reach this machine's code: pass --token-file with a secret of at least ${MIN_TOKEN_LENGTH} characters.`,
    });
  }
  const token = (await readTokenFile(tokenFile)).trim();
  if (token.length < MIN_TOKEN_LENGTH)
    throw new EngineError('invalid_input', {
      reason: `The token in ${tokenFile} has ${token.length} characters; ${MIN_TOKEN_LENGTH} are the least.`,
    });
  if (!TOKEN.test(token))
    throw new EngineError('invalid_input', {
      reason: `The token in ${tokenFile} must be one word of letters, digits and signs of ASCII: no header carries another.`,
    });
  return token;
}

async function readTokenFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    const error = toEngineError(thrown);
    if (error.code !== 'internal_error') throw error;
    throw new EngineError('invalid_input', { reason: `The token file ${path} cannot be read: ${String(thrown)}` });
  }
}
