/** Publishes a tree: one transaction replaces its stored files and increments the store's generation. */

import { EngineError } from '../../model/records/engine-errors.ts';
import { digest } from '../../model/runtime/checksum.ts';
import { checksum } from '../sqlite/blob-checksum.ts';
import { deflate } from '../sqlite/chunked-blob.ts';
import type { Database } from '../sqlite/database.ts';
import { readMeta, writeMeta } from '../sqlite/schema.ts';
import type { TreeDraft, TreeInfo, TreeView } from '../store.ts';
import { RowSet } from '../vectors/vector-coverage.ts';
import { type Catalog, treeInfo } from './catalog.ts';
import type { ContentKeys } from './content-keys.ts';
import { PLACE_INTS } from './doc-block.ts';
import { packFiles, packPaths, requireStorablePath, toStored } from './packed-tree.ts';

/** The data of a publication, prepared before the write lock is taken. */
export interface TreePlan {
  /** Content row of each file. */
  readonly rows: Int32Array;
  readonly samePaths: boolean;
  /** Contents that the previous publication of the tree refers to and this one does not. */
  readonly retired: readonly number[];
}

/**
 * Finds the content row of each file. Unchanged files get the row that they have in the previous publication. A tree
 * that is new to the store takes the rows of a `neighbour`, another tree with mostly the same contents.
 */
export function planTree(
  draft: TreeDraft,
  previous: TreeView | null,
  neighbour: TreeView | null,
  extractor: string,
  keys: ContentKeys,
  extractorOf: (row: number) => string | undefined,
): TreePlan {
  const { files } = draft;
  const base = previous ?? neighbour;
  const oldFiles = base?.files ?? [];
  const rows = new Int32Array(files.length);
  const unresolved: number[] = [];
  const oldRows: number[] = [];
  let samePaths = previous !== null && oldFiles.length === files.length;
  let p = 0;
  for (let i = 0; i < files.length; i++) {
    const file = files[i]!;
    while (p < oldFiles.length && oldFiles[p]!.path < file.path) oldRows.push(base!.contentOf[p++]!);
    const old = oldFiles[p];
    if (old?.path === file.path) {
      const row = base!.contentOf[p++]!;
      if (
        old.blobId === file.blobId &&
        old.language === file.language &&
        row >= keys.oldest &&
        extractorOf(row) === extractor
      ) {
        rows[i] = row;
        continue;
      }
      oldRows.push(row);
    } else {
      samePaths = false;
      requireStorablePath(file.path);
    }
    if (i > 0 && files[i - 1]!.path >= file.path)
      throw new EngineError('internal_error', { reason: `the files of a tree are not in order at ${file.path}` });
    unresolved.push(i);
  }
  while (p < oldFiles.length) oldRows.push(base!.contentOf[p++]!);
  if (!previous) oldRows.length = 0;
  keys.expect(unresolved.length);
  for (const i of unresolved) {
    const { path, blobId, language } = files[i]!;
    rows[i] = keys.find(blobId, language);
    if (rows[i]! < 0) throw new EngineError('internal_error', { reason: `${path} was not written before publishing` });
  }
  const newRows = new RowSet();
  if (oldRows.length > 0) for (let i = 0; i < rows.length; i++) newRows.add(rows[i]!);
  return { rows, samePaths, retired: oldRows.filter((row) => !newRows.has(row)) };
}

/** Stores a planned tree. The caller opens the transaction. */
export function storeTree(db: Database, draft: TreeDraft, plan: TreePlan, catalog: Catalog, covered: RowSet): TreeInfo {
  const generation = readMeta(db, 'generation') + 1;
  const json = JSON.stringify(summarise(draft, plan.rows, catalog, covered));
  const files = toStored(packFiles(draft.files, plan.rows), draft.ref);
  const row = db.get(
    `INSERT INTO tree(root, ref, generation, info, files, sum, packed) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(root, ref) DO UPDATE SET
       generation = excluded.generation, info = excluded.info, files = excluded.files,
       sum = excluded.sum, packed = excluded.packed
     RETURNING id`,
    draft.root,
    draft.ref,
    generation,
    json,
    files.bytes,
    checksum(files.bytes),
    files.packed,
  );
  const id = row![0] as number;
  if (!plan.samePaths) {
    const { bytes, packed } = toStored(packPaths(draft.files), draft.ref);
    db.run('INSERT OR REPLACE INTO tree_paths VALUES (?, ?, ?, ?)', id, bytes, checksum(bytes), packed);
  }
  storeSkipped(db, id, draft);
  // compaction.ts deletes contents some time after they left their last tree.
  const now = Date.now();
  for (const retired of plan.retired) db.run('UPDATE content SET seen_ms = ? WHERE id = ?', now, retired);
  writeMeta(db, 'generation', generation);
  for (const name of ['content', 'chunk', 'symbol']) writeMeta(db, `live_${name}`, readMeta(db, `next_${name}`));
  return treeInfo(id, draft, generation, json);
}

export function summarise(draft: TreeDraft, rows: Int32Array, catalog: Catalog, covered: RowSet) {
  const { contents } = catalog;
  let chunkCount = 0;
  let symbolCount = 0;
  let vectorCount = 0;
  // A content of several files counts once per file.
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const at = contents.ordinal(row) * PLACE_INTS;
    const chunks = contents.places[at + 1]!;
    chunkCount += chunks;
    symbolCount += contents.places[at + 3]!;
    if (covered.has(row)) vectorCount += chunks;
  }
  const { branch, commit, durationMs, modelId, options, files } = draft;
  const lineCount = files.reduce((sum, file) => sum + file.lines, 0);
  const fileCount = files.length;
  const publishedAtMs = Date.now();
  const counts = { fileCount, chunkCount, symbolCount, lineCount, vectorCount };
  return { branch, commit, publishedAtMs, durationMs, modelId, options, ...counts };
}

function storeSkipped(db: Database, tree: number, draft: TreeDraft): void {
  const json = JSON.stringify(draft.skipped);
  const bytes = Buffer.from(json);
  const name = digest(bytes);
  if (db.get('SELECT 1 FROM tree_skipped WHERE tree = ? AND digest = ?', tree, name)) return;
  db.run('INSERT OR REPLACE INTO tree_skipped VALUES (?, ?, ?)', tree, name, deflate(bytes));
}
