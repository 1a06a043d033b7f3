import { createHash } from 'node:crypto';
import { smallSha1 } from './small-sha1.ts';

/** So many bytes a process hashes in plain code: loading the system's own takes longer, and a command for one changed file needs no more. */
const FEW_BYTES = 48 * 1024;
let plain = 0;

/** The id git gives to a content: 40 hex digits, also where the repository has longer ones. */
export function blobId(bytes: Uint8Array): string {
  const head = `blob ${bytes.byteLength}\0`;
  plain += bytes.byteLength;
  if (plain <= FEW_BYTES) return smallSha1(Buffer.from(head), bytes);
  return createHash('sha1').update(head).update(bytes).digest('hex');
}
