import { createHash } from 'node:crypto';

/** The id git gives to a content: 40 hex digits, or 64 where the repository uses SHA-256 ids. */
export function blobId(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(algorithm).update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}

/** Whether the bytes are those of the id, whichever kind of id it is. */
export function hasBlobId(bytes: Uint8Array, id: string): boolean {
  return blobId(bytes, id.length === 64 ? 'sha256' : 'sha1') === id;
}
