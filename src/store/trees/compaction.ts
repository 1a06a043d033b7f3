/**
 * Keeping the file small and quick: collects contents that no tree names, merges segments, gives free pages back.
 * Everything goes in steps of a few milliseconds, each a transaction of its own, so no reader or writer waits for the
 * whole: the new segment is built out of sight (readers only look at what the segment table lists), then takes the
 * place of the old ones in one small transaction. Killed at any point, it leaves at most rows that nothing points to;
 * the next compaction sweeps them.
 */

import { mergeSegments, type SegmentRow } from '../postings/segment-merge.ts';
import type { Database } from '../sqlite/database.ts';
import { readMeta, writeMeta } from '../sqlite/schema.ts';
import { listUnreferenced } from './unreferenced-contents.ts';

export type Transact = <T>(work: () => T) => T;

/** More segments than this make lookups slower than merging is dear. */
const MAX_QUICK_SEGMENTS = 10;
/**
 * A merge takes at least this many segments, none of them larger than the others together, so that each byte is
 * rewritten only a few times.
 */
const MIN_MERGED_SEGMENTS = 4;
/** With this many, any merge is better than none. */
const MAX_SEGMENTS = 24;
/**
 * A merge after an ordinary run touches no more than this, about a tenth of a second's work: a server does it between
 * two answers.
 */
const MAX_MERGE_BYTES = 2 << 20;
const SMALL_MERGE_BYTES = 1 << 19;
/** Segments do not grow past this many bytes of postings. */
const MAX_SEGMENT_BYTES = 64 << 20;
/** Rows a step, pages a step. */
const STEP_ROWS = 400;
const STEP_PAGES = 256;
/**
 * Unreferenced contents stay for a branch that may come back, up to half of the live ones and at least this many chunks
 * (50,000 lines). Every reader of the store loads them, too.
 */
const MIN_UNREFERENCED_CHUNKS = 2_000;

export function compactStore(
  db: Database,
  full: boolean,
  graceMs: number,
  transact: Transact,
): { contents: number; bytes: number } {
  const before = usedBytes(db);
  sweep(db, transact);
  const contents = full || mayHaveUnreferenced(db) ? collect(db, full, graceMs, transact) : 0;
  for (;;) {
    const window = nextMerge(db, full, contents > 0);
    if (window.length === 0) break;
    const merge = () => {
      mergeSegments(db, window, transact);
      sweep(db, transact);
    };
    // Where all of it is one small step, one commit will do.
    if (window.reduce((sum, segment) => sum + segment.bytes, 0) < SMALL_MERGE_BYTES) transact(merge);
    else merge();
  }
  if (full || freePages(db) * 4 > pageCount(db)) returnPages(db);
  return { contents, bytes: Math.max(0, before - usedBytes(db)) };
}

/** A guess from a few rows, to spare the small runs the exact count. */
function mayHaveUnreferenced(db: Database): boolean {
  const stored = db.get('SELECT coalesce(sum(chunks), 0) FROM segment')![0] as number;
  const largest = db.get(`SELECT coalesce(max(json_extract(info, '$.chunkCount')), 0) FROM tree`)![0] as number;
  if (stored - largest <= maxUnreferencedChunks(largest)) return false;
  // Other trees may well name what this one does not: look again only when a tenth was added since.
  const checked = readMeta(db, 'idle_checked');
  return stored > checked * 1.1;
}

function maxUnreferencedChunks(liveChunks: number): number {
  return Math.max(MIN_UNREFERENCED_CHUNKS, liveChunks >> 1);
}

function collect(db: Database, full: boolean, graceMs: number, transact: Transact): number {
  const { idle, liveChunks } = listUnreferenced(db, Date.now() - graceMs);
  let room = full ? 0 : maxUnreferencedChunks(liveChunks);
  let waiting = false;
  const dead: number[] = [];
  // The most recently used contents stay as long as there is room. The text of a superseded content is stored under its
  // successor.
  for (const { row, chunks, superseded, recent } of idle) {
    if (!superseded) room -= chunks;
    if (!superseded && room >= 0) continue;
    if (recent && !superseded) waiting = true;
    else dead.push(row);
  }
  for (let at = 0; at < dead.length; at += STEP_ROWS) {
    transact(() => {
      for (const row of dead.slice(at, at + STEP_ROWS)) {
        db.run('DELETE FROM content WHERE id = ?', row);
        db.run('DELETE FROM body WHERE content = ?', row);
      }
    });
  }
  const stored = db.get('SELECT coalesce(sum(chunks), 0) FROM segment')![0] as number;
  transact(() => writeMeta(db, 'idle_checked', waiting ? 0 : stored));
  return dead.length;
}

/** The neighbouring segments to be merged next; none when all is well. */
function nextMerge(db: Database, full: boolean, collected: boolean): SegmentRow[] {
  const segments = db
    .all(
      'SELECT id, first_content, end_content, chunks, bytes, first_post, end_post FROM segment ' +
        'ORDER BY first_content, id',
    )
    .map((row) => {
      const [id, firstContent, endContent, chunks, bytes, firstPost, endPost] = row as number[];
      return {
        id: id!,
        firstContent: firstContent!,
        endContent: endContent!,
        chunks: chunks!,
        bytes: bytes!,
        firstPost: firstPost!,
        endPost: endPost!,
      };
    });
  if (full) {
    const isWorn = segments.filter((segment) => liveChunks(db, segment) < segment.chunks);
    return widest(segments) ?? isWorn.slice(0, 1);
  }
  const isWorn = (segment: SegmentRow) => segment.chunks > 1000 && liveChunks(db, segment) * 2 < segment.chunks;
  const half = collected ? segments.find(isWorn) : undefined;
  if (half) return [half];
  return segments.length > MAX_QUICK_SEGMENTS ? cheapest(segments) : [];
}

function liveChunks(db: Database, segment: SegmentRow): number {
  const row = db.get(
    'SELECT coalesce(sum(chunk_count), 0) FROM content WHERE id >= ? AND id < ?',
    segment.firstContent,
    segment.endContent,
  );
  return row![0] as number;
}

/** The longest row of neighbours that fit into one segment. */
function widest(segments: readonly SegmentRow[]): SegmentRow[] | null {
  let best: SegmentRow[] | null = null;
  for (let from = 0; from < segments.length; from++) {
    let bytes = 0;
    let to = from;
    while (to < segments.length && bytes + segments[to]!.bytes <= MAX_SEGMENT_BYTES) bytes += segments[to++]!.bytes;
    if (to - from > Math.max(1, best?.length ?? 0)) best = segments.slice(from, to);
  }
  return best;
}

/** Fewest bytes rewritten for each segment less, which takes small ones among themselves first. */
function cheapest(segments: readonly SegmentRow[]): SegmentRow[] {
  let best: SegmentRow[] = [];
  let price = Number.POSITIVE_INFINITY;
  for (let from = 0; from + MIN_MERGED_SEGMENTS <= segments.length; from++) {
    let bytes = 0;
    let largest = 0;
    for (let to = from; to < segments.length; to++) {
      bytes += segments[to]!.bytes + 4096;
      largest = Math.max(largest, segments[to]!.bytes);
      const count = to - from + 1;
      if (count < MIN_MERGED_SEGMENTS || bytes > MAX_SEGMENT_BYTES) continue;
      const gentle = largest * 2 <= bytes && bytes <= MAX_MERGE_BYTES;
      if (!gentle && segments.length <= MAX_SEGMENTS) continue;
      if (bytes / (count - 1) < price) {
        price = bytes / (count - 1);
        best = segments.slice(from, to + 1);
      }
    }
  }
  return best;
}

/** Deletes posting blocks and vectors that belong to no segment: left by a merge, or by a run that was killed. */
function sweep(db: Database, transact: Transact): void {
  const ranges = db.all('SELECT first_post, end_post FROM segment ORDER BY first_post') as unknown as readonly [
    number,
    number,
  ][];
  let from = 0;
  for (const [first, end] of [...ranges, [Number.MAX_SAFE_INTEGER, 0] as const]) {
    const gap = 'SELECT id FROM post WHERE id >= ? AND id < ? LIMIT 1';
    while (first > from && db.get(gap, from, first)) {
      transact(() =>
        db.run(
          `DELETE FROM post WHERE id IN (SELECT id FROM post WHERE id >= ? AND id < ? LIMIT ${STEP_ROWS})`,
          from,
          first,
        ),
      );
    }
    from = Math.max(from, end);
  }
  for (const [id] of db.all('SELECT id FROM vec WHERE segment NOT IN (SELECT id FROM segment)'))
    transact(() => db.run('DELETE FROM vec WHERE id = ?', id!));
}

/** Gives free pages back to the disk, a few at a time. */
function returnPages(db: Database): void {
  for (let left = freePages(db); left > 0; ) {
    db.all(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
    const now = freePages(db);
    if (now >= left) return;
    left = now;
  }
}

const freePages = (db: Database): number => db.get('PRAGMA freelist_count')![0] as number;
const pageCount = (db: Database): number => db.get('PRAGMA page_count')![0] as number;
const usedBytes = (db: Database): number =>
  (pageCount(db) - freePages(db)) * (db.get('PRAGMA page_size')![0] as number);
