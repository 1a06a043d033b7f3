/**
 * Looks up which contents are derived already. A few keys are looked up one by one; for many, the whole directory of
 * contents is read once and cached.
 */
import type { Database } from '../sqlite/database.ts';

/** From this many lookups on, reading the whole directory is faster. */
const MIN_LOOKUPS_TO_LOAD = 300;

export class ContentKeys {
  readonly #db: Database;
  readonly #extractor: string;
  /** Lower rows do not count as derived. In a forced run, no existing row counts. */
  readonly oldest: number;
  #all: Map<string, number> | null = null;
  #lookups = 0;

  constructor(db: Database, extractor: string, oldest: number) {
    this.#db = db;
    this.#extractor = extractor;
    this.oldest = oldest;
  }

  /** Announces this many calls of find(), so that it can decide to load the directory. */
  expect(count: number): void {
    this.#lookups += count;
    if (this.#all || this.#lookups < MIN_LOOKUPS_TO_LOAD) return;
    this.#all = new Map();
    for (const [blob, language, row] of this.#db.each(
      'SELECT lower(hex(blob)), language, id FROM content WHERE extractor = ? AND id >= ? ORDER BY id',
      this.#extractor,
      this.oldest,
    ))
      this.#all.set(contentKey(blob as string, language as string), row as number);
  }

  /** The newest row of a content, -1 if there is none. */
  find(blobId: string, language: string): number {
    if (this.#all) return this.#all.get(contentKey(blobId, language)) ?? -1;
    const row = this.#db.get(
      'SELECT max(id) FROM content WHERE blob = ? AND language = ? AND extractor = ? AND id >= ?',
      Buffer.from(blobId, 'hex'),
      language,
      this.#extractor,
      this.oldest,
    );
    return (row?.[0] as number | null) ?? -1;
  }

  /** Adds a content that was committed. */
  add(blobId: string, language: string, row: number): void {
    this.#all?.set(contentKey(blobId, language), row);
  }

  /** Drops the cached directory, after contents were deleted. */
  forget(): void {
    this.#all = null;
    this.#lookups = 0;
  }
}

export function contentKey(blobId: string, language: string): string {
  return `${blobId} ${language}`;
}
