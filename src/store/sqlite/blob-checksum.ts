/**
 * Checksums of stored blobs. SQLite's own check covers the structure of pages, not their contents: without checksums, a
 * flipped bit in a posting or a vector would change answers unnoticed.
 */
import { checksum } from '../../model/runtime/checksum.ts';
import { legacyChecksum } from './legacy-checksum.ts';
import { DamagedDataError } from './store-errors.ts';

export { checksum };

/** Throws DamagedDataError unless `sum` is the checksum of the parts. */
export function requireChecksum(what: string, sum: unknown, ...parts: readonly Uint8Array[]): void {
  if (sum === checksum(...parts) || sum === legacyChecksum(...parts)) return;
  throw new DamagedDataError(`${what} does not match its checksum`);
}
