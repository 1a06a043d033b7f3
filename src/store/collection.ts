/** Which contents no tree names. */
import type { Database } from './database.ts';
import { unpackFiles } from './manifest.ts';

export interface IdleContents {
  /** The most recently used first; only those not used since `before`. */
  readonly idle: readonly { readonly row: number; readonly chunks: number }[];
  readonly liveChunks: number;
}

export function listIdle(db: Database, before: number): IdleContents {
  return db.snapshot(() => {
    const live = new Set<number>();
    for (const [files] of db.all('SELECT files FROM tree'))
      for (const row of unpackFiles(files as Uint8Array).contentRow) live.add(row);
    const idle: { row: number; chunks: number; seenMs: number }[] = [];
    let liveChunks = 0;
    for (const [id, chunkCount, seenMs] of db.all('SELECT id, chunk_count, seen_ms FROM content')) {
      const row = id as number;
      const chunks = chunkCount as number;
      if (live.has(row)) liveChunks += chunks;
      else if ((seenMs as number) <= before) idle.push({ row, chunks, seenMs: seenMs as number });
    }
    idle.sort((a, b) => b.seenMs - a.seenMs || b.row - a.row);
    return { idle, liveChunks };
  });
}
