/** Makes a tree visible: one transaction that replaces its manifest and moves the generation on. */

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
  /** Contents that the tree named until now and names no more. */
  readonly retired: readonly number[];
}

/**
 * Resolves the files to contents. What did not change since the last publication is taken from there; a tree that is
 * new to the store is compared with a `neighbour` instead, which it takes nothing from but rows.
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
  const open: number[] = [];
  const left: number[] = [];
  let samePaths = previous !== null && oldFiles.length === files.length;
  let p = 0;
  for (let i = 0; i < files.length; i++) {
    const file = files[i]!;
    while (p < oldFiles.length && oldFiles[p]!.path < file.path) left.push(base!.contentOf[p++]!);
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
      left.push(row);
    } else {
      samePaths = false;
      requireStorablePath(file.path);
    }
    if (i > 0 && files[i - 1]!.path >= file.path)
      throw new EngineError('internal_error', { reason: `the files of a tree are not in order at ${file.path}` });
    open.push(i);
  }
  while (p < oldFiles.length) left.push(base!.contentOf[p++]!);
  if (!previous) left.length = 0;
  keys.expect(open.length);
  for (const i of open) {
    const { path, blobId, language } = files[i]!;
    rows[i] = keys.find(blobId, language);
    if (rows[i]! < 0) throw new EngineError('internal_error', { reason: `${path} was not written before publishing` });
  }
  const kept = new RowSet();
  if (left.length > 0) for (let i = 0; i < rows.length; i++) kept.add(rows[i]!);
  return { rows, samePaths, retired: left.filter((row) => !kept.has(row)) };
}

/** Inside a transaction. */
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
  // Contents that leave a tree stay for a while (compaction.ts), counted from now.
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
  // A content that stands at several paths counts at each: every copy has its symbols.
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
