import { createHash } from 'node:crypto';
import { smallSha1 } from './small-sha1.ts';

/** So many small contents a process hashes in plain code: loading the system's own takes longer, and a command for one changed file needs no more. */
const FEW = 8;
const SMALL_BYTES = 32 * 1024;
let few = 0;

/** The id git gives to a content: 40 hex digits, or 64 where the repository uses SHA-256 ids. */
export function blobId(bytes: Uint8Array, algorithm: 'sha1' | 'sha256' = 'sha1'): string {
  const head = `blob ${bytes.byteLength}\0`;
  if (algorithm === 'sha1' && bytes.byteLength <= SMALL_BYTES && few++ < FEW)
    return smallSha1(Buffer.from(head), bytes);
  return createHash(algorithm).update(head).update(bytes).digest('hex');
}

/** Whether the bytes are those of the id, whichever kind of id it is. */
export function hasBlobId(bytes: Uint8Array, id: string): boolean {
  return blobId(bytes, id.length === 64 ? 'sha256' : 'sha1') === id;
}
