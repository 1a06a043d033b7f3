/** Finds the contents that no tree refers to. */
import type { Database } from '../sqlite/database.ts';
import { fromStored, unpackFiles } from './packed-tree.ts';

export interface UnreferencedContents {
  /** The most recently used contents come first. */
  readonly contents: readonly UnreferencedContent[];
  /** Chunks of the contents that trees refer to. */
  readonly liveChunks: number;
}

export interface UnreferencedContent {
  readonly row: number;
  readonly chunks: number;
  /** A newer row has the same content, from a forced run or another extractor: no tree will refer to this one again. */
  readonly isSuperseded: boolean;
  /** A tree referred to it until a moment ago: a query may still be reading it. */
  readonly isRecent: boolean;
}

/** The rows that trees refer to. */
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
    const unreferenced: (UnreferencedContent & { readonly seenMs: number; readonly key: string })[] = [];
    let liveChunks = 0;
    const rows = db.all("SELECT id, chunk_count, seen_ms, hex(blob) || ' ' || language FROM content ORDER BY id");
    for (const [row, chunks, seenMs, key] of rows as readonly (readonly [number, number, number, string])[]) {
      newest.set(key, row);
      if (live.has(row)) liveChunks += chunks;
      else unreferenced.push({ row, chunks, seenMs, key, isSuperseded: false, isRecent: seenMs > recentSinceMs });
    }
    const contents = unreferenced.map((content) => ({
      ...content,
      isSuperseded: newest.get(content.key) !== content.row,
    }));
    contents.sort((a, b) => b.seenMs - a.seenMs || b.row - a.row);
    return { contents, liveChunks };
  });
}
