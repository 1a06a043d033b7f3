import { createHash } from 'node:crypto';

/** Length of a SHA-1 blob id. Ids of a SHA-256 repository are longer; its files are compared by size and time. */
export const ID_DIGITS = 40;

/** The id git gives to a content: hex digits, as many also where the repository has longer ones. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}
