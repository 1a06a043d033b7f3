/** Which contents have vectors of which model; read once per model, then kept up to date by the writer itself. */
import type { Database } from './database.ts';
import { directory, VECTOR_ENTRY } from './vector-set.ts';

export class VectorCoverage {
  readonly #db: Database;
  readonly #models = new Map<string, Set<number>>();

  constructor(db: Database) {
    this.#db = db;
  }

  of(modelId: string): ReadonlySet<number> {
    return this.#rows(modelId);
  }

  add(modelId: string, row: number): void {
    this.#models.get(modelId)?.add(row);
  }

  forget(): void {
    this.#models.clear();
  }

  #rows(modelId: string): Set<number> {
    let rows = this.#models.get(modelId);
    if (rows) return rows;
    rows = new Set();
    const blobs = this.#db.all(
      'SELECT v.contents FROM vec v JOIN model m ON m.id = v.model JOIN segment s ON s.id = v.segment WHERE m.name = ?',
      modelId,
    );
    for (const [bytes] of blobs) {
      const entries = directory(bytes as Uint8Array);
      for (let e = 0; e < entries.length; e += VECTOR_ENTRY) rows.add(entries[e]!);
    }
    this.#models.set(modelId, rows);
    return rows;
  }
}
