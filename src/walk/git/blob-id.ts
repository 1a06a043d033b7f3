import { createHash } from 'node:crypto';

/** Length of a SHA-1 blob id. A SHA-256 repository has longer ids; its files are compared by size and time instead. */
export const ID_DIGITS = 40;

/** git's SHA-1 blob id of a content, in hex; SHA-1 also for contents of a SHA-256 repository. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}
