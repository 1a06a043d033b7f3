import { createHash } from 'node:crypto';

/**
 * Contents go by ids of this length; those of a repository with SHA-256 are longer, and its files are told apart by
 * size and time.
 */
export const ID_DIGITS = 40;

/** The id git gives to a content: hex digits, as many also where the repository has longer ones. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}
