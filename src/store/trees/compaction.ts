/**
 * Keeps the file small and fast: deletes contents that no tree refers to, merges segments, and returns free pages to
 * the disk. It works in steps of a few milliseconds, each in its own transaction, so readers and writers never wait
 * long. A merged segment is written where no reader looks (readers follow the segment table) and then replaces the old
 * ones in one small transaction. If the process is killed, it leaves at most orphaned rows, which the next compaction
 * deletes.
 */

import { mergeSegments, type SegmentRow } from '../postings/segment-merge.ts';
import type { Database } from '../sqlite/database.ts';
import { readMeta, writeMeta } from '../sqlite/schema.ts';
import { listUnreferenced } from './unreferenced-contents.ts';

export type Transact = <T>(work: () => T) => T;

/** With more segments, lookups cost more than a merge does. */
const MAX_QUICK_SEGMENTS = 10;
/**
 * A merge takes at least this many segments, none larger than all others together, so that each byte is rewritten only
 * a few times.
 */
const MIN_MERGED_SEGMENTS = 4;
/** With more segments, merges of any size are allowed. */
const MAX_SEGMENTS = 24;
/** Limit of a merge after an ordinary run: about 0.1 s of work, which a server does between two answers. */
const MAX_MERGE_BYTES = 2 << 20;
/** A smaller merge is committed in one transaction. */
const SMALL_MERGE_BYTES = 1 << 19;
/** Limit of a segment's postings. */
const MAX_SEGMENT_BYTES = 64 << 20;
/** Rows, and pages, per step. */
const STEP_ROWS = 400;
const STEP_PAGES = 256;
/**
 * Unreferenced contents stay for a branch that may come back: up to half of the live chunks, and at least this many
 * (50,000 lines). More would slow down every reader, which loads them, too.
 */
const MIN_UNREFERENCED_CHUNKS = 2_000;

export function compactStore(
  db: Database,
  full: boolean,
  graceMs: number,
  transact: Transact,
): { contents: number; bytes: number } {
  const before = usedBytes(db);
  deleteOrphans(db, transact);
  const contents = full || mayHaveUnreferenced(db) ? deleteUnreferenced(db, full, graceMs, transact) : 0;
  for (;;) {
    const segments = nextMerge(db, full, contents > 0);
    if (segments.length === 0) break;
    const merge = () => {
      mergeSegments(db, segments, transact);
      deleteOrphans(db, transact);
    };
    if (segments.reduce((sum, segment) => sum + segment.bytes, 0) < SMALL_MERGE_BYTES) transact(merge);
    else merge();
  }
  if (full || freePages(db) * 4 > pageCount(db)) returnPages(db);
  return { contents, bytes: Math.max(0, before - usedBytes(db)) };
}

/** Estimates from a few rows whether there are too many unreferenced contents; small runs need no exact count. */
function mayHaveUnreferenced(db: Database): boolean {
  const stored = db.get('SELECT coalesce(sum(chunks), 0) FROM segment')![0] as number;
  const largest = db.get(`SELECT coalesce(max(json_extract(info, '$.chunkCount')), 0) FROM tree`)![0] as number;
  if (stored - largest <= maxUnreferencedChunks(largest)) return false;
  // Other trees may refer to the contents beyond the largest tree, so count again only after a growth of a tenth.
  const checked = readMeta(db, 'idle_checked');
  return stored > checked * 1.1;
}

function maxUnreferencedChunks(liveChunks: number): number {
  return Math.max(MIN_UNREFERENCED_CHUNKS, liveChunks >> 1);
}

function deleteUnreferenced(db: Database, full: boolean, graceMs: number, transact: Transact): number {
  const { contents, liveChunks } = listUnreferenced(db, Date.now() - graceMs);
  let room = full ? 0 : maxUnreferencedChunks(liveChunks);
  let waiting = false;
  const dead: number[] = [];
  // The most recently used contents stay while there is room. A superseded content need not stay: a query finds its
  // text under the newer row.
  for (const { row, chunks, isSuperseded, isRecent } of contents) {
    if (!isSuperseded) room -= chunks;
    if (!isSuperseded && room >= 0) continue;
    if (isRecent && !isSuperseded) waiting = true;
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

/** The neighbouring segments to merge next; none if no merge is needed. */
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
    const withDead = segments.filter((segment) => liveChunks(db, segment) < segment.chunks);
    return longestRun(segments) ?? withDead.slice(0, 1);
  }
  const isHalfDead = (segment: SegmentRow) => segment.chunks > 1000 && liveChunks(db, segment) * 2 < segment.chunks;
  const halfDead = collected ? segments.find(isHalfDead) : undefined;
  if (halfDead) return [halfDead];
  return segments.length > MAX_QUICK_SEGMENTS ? cheapestRun(segments) : [];
}

function liveChunks(db: Database, segment: SegmentRow): number {
  const row = db.get(
    'SELECT coalesce(sum(chunk_count), 0) FROM content WHERE id >= ? AND id < ?',
    segment.firstContent,
    segment.endContent,
  );
  return row![0] as number;
}

/** The longest run of neighbours that fit into one segment. */
function longestRun(segments: readonly SegmentRow[]): SegmentRow[] | null {
  let best: SegmentRow[] | null = null;
  for (let from = 0; from < segments.length; from++) {
    let bytes = 0;
    let to = from;
    while (to < segments.length && bytes + segments[to]!.bytes <= MAX_SEGMENT_BYTES) bytes += segments[to++]!.bytes;
    if (to - from > Math.max(1, best?.length ?? 0)) best = segments.slice(from, to);
  }
  return best;
}

/** The run of neighbours whose merge rewrites the fewest bytes per removed segment; small segments come first. */
function cheapestRun(segments: readonly SegmentRow[]): SegmentRow[] {
  let best: SegmentRow[] = [];
  let bestCost = Number.POSITIVE_INFINITY;
  for (let from = 0; from + MIN_MERGED_SEGMENTS <= segments.length; from++) {
    let bytes = 0;
    let largest = 0;
    for (let to = from; to < segments.length; to++) {
      bytes += segments[to]!.bytes + 4096;
      largest = Math.max(largest, segments[to]!.bytes);
      const count = to - from + 1;
      if (count < MIN_MERGED_SEGMENTS || bytes > MAX_SEGMENT_BYTES) continue;
      const isModerate = largest * 2 <= bytes && bytes <= MAX_MERGE_BYTES;
      if (!isModerate && segments.length <= MAX_SEGMENTS) continue;
      if (bytes / (count - 1) < bestCost) {
        bestCost = bytes / (count - 1);
        best = segments.slice(from, to + 1);
      }
    }
  }
  return best;
}

/** Deletes posting blocks and vectors that belong to no segment: a merge or a killed run leaves them. */
function deleteOrphans(db: Database, transact: Transact): void {
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

/** Returns free pages to the disk, STEP_PAGES at a time. */
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
