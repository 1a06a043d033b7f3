/**
 * StorePreview over a SQLite connection. It has a catalog of its own, because the shared one holds published contents
 * only.
 */
import { SqliteReader } from './reader.ts';
import type { Database } from './sqlite/database.ts';
import type { StoreOptions, StorePreview, TreeDraft, TreeView } from './store.ts';
import { RecentContents } from './text/recent-contents.ts';
import { Catalog } from './trees/catalog.ts';
import { ContentKeys } from './trees/content-keys.ts';
import { packFiles, unpackFiles } from './trees/packed-tree.ts';
import { summarise } from './trees/publish.ts';
import { VectorCoverage } from './vectors/vector-coverage.ts';

export class SqlitePreview implements StorePreview {
  readonly reader: SqliteReader;
  readonly #db: Database;
  readonly #catalog = new Catalog();
  readonly #extractor: string;

  constructor(db: Database, options: StoreOptions, extractor: string) {
    this.#db = db;
    this.#extractor = extractor;
    this.reader = new SqliteReader(db, options, new RecentContents(), this.#catalog);
  }

  open(draft: TreeDraft): TreeView {
    this.#catalog.includeUnpublished(this.#db);
    const keys = new ContentKeys(this.#db, this.#extractor, 0);
    keys.expect(draft.files.length);
    const found = draft.files
      .map((file) => ({ file, row: keys.find(file.blobId, file.language) }))
      .filter(({ row }) => this.#catalog.contents.ordinal(row) >= 0)
      .sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
    const files = found.map(({ file }) => file);
    const rows = Int32Array.from(found, ({ row }) => row);
    const covered = new VectorCoverage(this.#db).of(draft.modelId);
    const summary = summarise({ ...draft, files }, rows, this.#catalog, covered);
    const { root, ref } = draft;
    return this.#catalog.viewOf(
      { ...summary, id: -1, generation: this.#catalog.generation, root, ref },
      files.map(({ path }) => path),
      unpackFiles(packFiles(files, rows)),
    );
  }

  close(): void {
    this.reader.close();
  }
}
