/**
 * Reads blobs and verifies their checksums. All reads go through here, those of a merge included: a merge must not
 * write damaged data under a new checksum.
 */
import { requireChecksum } from './blob-checksum.ts';
import type { Database } from './database.ts';
import { decodeStored } from './store-errors.ts';

export function readPost(db: Database, id: number): Uint8Array | null {
  const row = db.get('SELECT data, sum FROM post WHERE id = ?', id);
  return row ? verify(db, `posting block ${id}`, row[1], row[0] as Uint8Array) : null;
}

export function readSegmentPart(db: Database, id: number, part: 'terms' | 'docs'): Uint8Array | null {
  const row = db.get(`SELECT ${part}, ${part}_sum FROM segment WHERE id = ?`, id);
  return row ? verify(db, `the ${part} of segment ${id}`, row[1], row[0] as Uint8Array) : null;
}

/** Null if the blob no longer exists. */
export function readVectorBlob(db: Database, id: number): Uint8Array | null {
  const row = db.get('SELECT contents, data, sum FROM vec WHERE id = ?', id);
  if (!row) return null;
  const [contents, data, sum] = row as readonly [Uint8Array, Uint8Array, number];
  decodeStored(db, () => requireChecksum(`vector blob ${id}`, sum, contents, data));
  return data;
}

export function readBody(db: Database, column: 'text' | 'detail', content: number): Uint8Array | null {
  const row = db.get(`SELECT ${column}, ${column}_sum FROM body WHERE content = ?`, content);
  return row ? verify(db, `the ${column} of content ${content}`, row[1], row[0] as Uint8Array) : null;
}

function verify(db: Database, what: string, sum: unknown, bytes: Uint8Array): Uint8Array {
  decodeStored(db, () => requireChecksum(what, sum, bytes));
  return bytes;
}
