import { createHash } from 'node:crypto';
import { smallSha1 } from './small-sha1.ts';

/** So many bytes a process hashes by itself: loading the system's own takes longer, and a command for some changed files needs no more. */
const FEW_BYTES = 192 * 1024;
let hashed = 0;
/** A changed file is hashed to see whether its content is known, and once more when it is read to be parsed. */
let last: { readonly bytes: Uint8Array; readonly id: string } | null = null;

/** Contents go by ids of this length; those of a repository with SHA-256 are longer, and its files are told apart by size and time. */
export const ID_DIGITS = 40;

/** The id git gives to a content: hex digits, as many also where the repository has longer ones. */
export function blobId(bytes: Uint8Array): string {
  if (last?.bytes.byteLength === bytes.byteLength && Buffer.compare(last.bytes, bytes) === 0) return last.id;
  const head = `blob ${bytes.byteLength}\0`;
  hashed += bytes.byteLength;
  if (hashed > FEW_BYTES) {
    last = null;
    return createHash('sha1').update(head).update(bytes).digest('hex');
  }
  const id = smallSha1(Buffer.from(head), bytes);
  // Its own: who has read a file may use the memory for the next one.
  last = { bytes: bytes.slice(), id };
  return id;
}
