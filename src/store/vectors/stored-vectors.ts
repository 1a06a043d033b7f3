/** Reads the vectors of single contents from the file, without loading all others. */
import type { Database } from '../sqlite/database.ts';
import { readVectorEntries, VECTOR_ENTRY } from './vector-entries.ts';

interface Place {
  readonly blob: number;
  /** Position in the blob, counted in vectors. */
  readonly at: number;
  readonly count: number;
}

export class StoredVectors {
  readonly #db: Database;
  readonly #model: string;
  readonly #dims: number;
  #places: Map<number, Place> | null = null;

  constructor(db: Database, model: string, dims: number) {
    this.#db = db;
    this.#model = model;
    this.#dims = dims;
  }

  /** One vector per chunk; null for a content without vectors, or one added after the first call. */
  of(contentRow: number): readonly Int8Array[] | null {
    this.#places ??= this.#readPlaces();
    const place = this.#places.get(contentRow);
    if (!place) return null;
    const dims = this.#dims;
    const row = this.#db.get(
      'SELECT substr(data, ?, ?) FROM vec WHERE id = ?',
      place.at * dims + 1,
      place.count * dims,
      place.blob,
    );
    if (!row) return null;
    const bytes = row[0] as Uint8Array;
    return Array.from({ length: place.count }, (_, i) => Int8Array.from(bytes.subarray(i * dims, (i + 1) * dims)));
  }

  #readPlaces(): Map<number, Place> {
    const places = new Map<number, Place>();
    const blobs = this.#db.all(
      `SELECT v.id, v.contents FROM vec v JOIN model m ON m.id = v.model JOIN segment s ON s.id = v.segment
       WHERE m.name = ? AND v.dims = ? ORDER BY v.id`,
      this.#model,
      this.#dims,
    );
    for (const [blob, contents] of blobs) {
      const entries = readVectorEntries(contents as Uint8Array);
      let at = 0;
      for (let e = 0; e < entries.length; e += VECTOR_ENTRY) {
        const count = entries[e + 2]!;
        places.set(entries[e]!, { blob: blob as number, at, count });
        at += count;
      }
    }
    return places;
  }
}
