/**
 * A checksum for every stored blob. SQLite's own check looks at the structure of its pages, not at what lies in them: a
 * flipped bit in a posting or a vector would go unnoticed and change answers.
 */
import { checksum } from '../../model/runtime/checksum.ts';
import { legacyChecksum } from './legacy-checksum.ts';
import { DamagedDataError } from './store-errors.ts';

export { checksum };

/** The bytes, after their checksum was compared. Throws DamagedDataError. */
export function requireChecksum(what: string, sum: unknown, ...parts: readonly Uint8Array[]): void {
  if (sum === checksum(...parts) || sum === legacyChecksum(...parts)) return;
  throw new DamagedDataError(`${what} does not match its checksum`);
}
