/** Collects vectors per model into blobs of about 1 MB, and stores the blobs. */
import { checksum } from '../sqlite/blob-checksum.ts';
import type { Database } from '../sqlite/database.ts';
import { VECTOR_ENTRY } from './vector-entries.ts';

const BLOB_BYTES = 1 << 20;

interface Group {
  readonly model: string;
  readonly dims: number;
  /** Content row, first chunk, chunk count; repeated. */
  readonly entries: number[];
  readonly parts: Int8Array[];
  bytes: number;
}

export class VectorBlobs {
  #groups: Group[] = [];
  byteSize = 0;

  add(model: string, dims: number, row: number, firstChunk: number, vectors: Int8Array): void {
    let group = this.#groups.findLast((g) => g.model === model && g.dims === dims);
    if (!group || group.bytes + vectors.length > BLOB_BYTES) {
      group = { model, dims, entries: [], parts: [], bytes: 0 };
      this.#groups.push(group);
    }
    group.entries.push(row, firstChunk, vectors.length / dims);
    group.parts.push(vectors);
    group.bytes += vectors.length;
    this.byteSize += vectors.length;
  }

  *contents(): Generator<{ readonly model: string; readonly row: number }> {
    for (const { model, entries } of this.#groups)
      for (let e = 0; e < entries.length; e += VECTOR_ENTRY) yield { model, row: entries[e]! };
  }

  /** Stores the blobs. The caller opens the transaction. */
  store(db: Database, segment: number): void {
    for (const group of this.#groups) {
      const data = new Uint8Array(group.bytes);
      let at = 0;
      for (const part of group.parts) {
        data.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
        at += part.length;
      }
      const entries = new Uint8Array(Int32Array.from(group.entries).buffer);
      db.run(
        'INSERT INTO vec(segment, model, dims, contents, data, sum) VALUES (?, ?, ?, ?, ?, ?)',
        segment,
        modelNumber(db, group.model),
        group.dims,
        entries,
        data,
        checksum(entries, data),
      );
    }
  }

  clear(): void {
    this.#groups = [];
    this.byteSize = 0;
  }
}

function modelNumber(db: Database, name: string): number {
  const row = db.get('SELECT id FROM model WHERE name = ?', name);
  if (row) return row[0] as number;
  return db.get('INSERT INTO model(name) VALUES (?) RETURNING id', name)![0] as number;
}
