/** Checksums against accidental damage, not against forgery. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** CRC-32 of the parts in their order. */
export function checksum(...parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => crc32(part, sum), 0);
}

/** 16 hex digits that identify the parts in their order; the 32 bits of checksum() are too few to identify data. */
export function digest(...parts: readonly Uint8Array[]): string {
  return parts
    .reduce((hash, part) => hash.update(part), createHash('sha1'))
    .digest('hex')
    .slice(0, 16);
}
