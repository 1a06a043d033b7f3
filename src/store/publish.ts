/** Makes a tree visible: one transaction that replaces its manifest and moves the generation on. */
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { EngineError } from '../model/errors.ts';
import type { FileEntry } from '../model/source-file.ts';
import { type Catalog, treeInfo } from './catalog.ts';
import type { Database } from './database.ts';
import { packFiles, packPaths, requireStorablePath } from './manifest.ts';
import { readMeta, writeMeta } from './schema.ts';
import type { TreeDraft, TreeInfo, TreeView } from './store.ts';

/** Inside a transaction. `rows` are the files' contents, `covered` tells which contents have vectors of the draft's model. */
export function storeTree(
  db: Database,
  draft: TreeDraft,
  rows: Int32Array,
  catalog: Catalog,
  covered: (row: number) => boolean,
  previous: TreeView | null,
): TreeInfo {
  const generation = readMeta(db, 'generation') + 1;
  const json = JSON.stringify(summarise(draft, rows, catalog, covered));
  const files = packFiles(draft.files, rows);
  const row = db.get(
    `INSERT INTO tree(root, ref, generation, info, files) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT(root, ref) DO UPDATE SET generation = excluded.generation, info = excluded.info, files = excluded.files RETURNING id`,
    draft.root,
    draft.ref,
    generation,
    json,
    files,
  );
  const id = row![0] as number;
  if (!previous || !samePaths(previous.files, draft.files))
    db.run('INSERT OR REPLACE INTO tree_paths VALUES (?, ?)', id, packPaths(draft.files));
  storeSkipped(db, id, draft);
  if (previous) retire(db, previous, rows);
  writeMeta(db, 'generation', generation);
  for (const name of ['content', 'chunk', 'symbol']) writeMeta(db, `live_${name}`, readMeta(db, `next_${name}`));
  return treeInfo(id, draft, generation, json);
}

export function requireSorted(files: readonly FileEntry[]): void {
  for (let i = 0; i < files.length; i++) {
    requireStorablePath(files[i]!.path);
    if (i > 0 && files[i - 1]!.path >= files[i]!.path)
      throw new EngineError('internal_error', { reason: `the files of a tree are not in order at ${files[i]!.path}` });
  }
}

function summarise(draft: TreeDraft, rows: Int32Array, catalog: Catalog, covered: (row: number) => boolean) {
  let chunkCount = 0;
  let symbolCount = 0;
  let vectorCount = 0;
  for (const row of new Set(rows)) {
    const chunks = catalog.contents.chunkCount[row]!;
    chunkCount += chunks;
    symbolCount += catalog.contents.symbolCount[row]!;
    if (covered(row)) vectorCount += chunks;
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
  const digest = createHash('sha1').update(json).digest('hex');
  if (db.get('SELECT 1 FROM tree_skipped WHERE tree = ? AND digest = ?', tree, digest)) return;
  db.run('INSERT OR REPLACE INTO tree_skipped VALUES (?, ?, ?)', tree, digest, deflateRawSync(json, { level: 1 }));
}

function samePaths(a: readonly FileEntry[], b: readonly FileEntry[]): boolean {
  return a.length === b.length && a.every((file, i) => file.path === b[i]!.path);
}

/** Contents that leave a tree are kept for a while (compaction.ts); from now on the time runs. */
function retire(db: Database, previous: TreeView, rows: Int32Array): void {
  const kept = new Set(rows);
  const now = Date.now();
  for (const row of previous.contentOf)
    if (!kept.has(row)) db.run('UPDATE content SET seen_ms = ? WHERE id = ?', now, row);
}
