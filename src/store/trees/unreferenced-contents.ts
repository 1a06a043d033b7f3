/** Which contents no tree names. */
import type { Database } from '../sqlite/database.ts';
import { fromStored, unpackFiles } from './packed-tree.ts';

export interface UnreferencedContents {
  /** The most recently used first. */
  readonly idle: readonly UnreferencedContent[];
  readonly liveChunks: number;
}

export interface UnreferencedContent {
  readonly row: number;
  readonly chunks: number;
  /** Derived again since, by a forced run or another extractor: no tree will name it again. */
  readonly superseded: boolean;
  /** Used by a tree until a moment ago: a query may still be reading it. */
  readonly recent: boolean;
}

/** Rows that some tree names. */
export function referencedContents(db: Database): Set<number> {
  const named = new Set<number>();
  for (const [files, packed] of db.all('SELECT files, packed FROM tree'))
    for (const row of unpackFiles(fromStored(files, packed)).contentRow) named.add(row);
  return named;
}

export function listUnreferenced(db: Database, recentSinceMs: number): UnreferencedContents {
  return db.snapshot(() => {
    const live = referencedContents(db);
    const newest = new Map<string, number>();
    const idle: (UnreferencedContent & { readonly seenMs: number; readonly key: string })[] = [];
    let liveChunks = 0;
    const rows = db.all("SELECT id, chunk_count, seen_ms, hex(blob) || ' ' || language FROM content ORDER BY id");
    for (const [id, chunkCount, seen, key] of rows as readonly (readonly [number, number, number, string])[]) {
      newest.set(key, id);
      if (live.has(id)) liveChunks += chunkCount;
      else
        idle.push({ row: id, chunks: chunkCount, seenMs: seen, key, superseded: false, recent: seen > recentSinceMs });
    }
    const marked = idle.map((content) => ({ ...content, superseded: newest.get(content.key) !== content.row }));
    marked.sort((a, b) => b.seenMs - a.seenMs || b.row - a.row);
    return { idle: marked, liveChunks };
  });
}
