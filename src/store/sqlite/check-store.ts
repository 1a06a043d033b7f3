/** Checks a store: SQLite's own check, then the consistency between tables. A full check also decodes every blob. */
import { EngineError, outOfMemory } from '../../model/records/engine-errors.ts';
import { isOutOfMemory, saysOutOfMemory } from '../../model/runtime/out-of-memory.ts';
import { type BlockIndex, readBlock, unpackBlockIndexes } from '../postings/posting-block.ts';
import { decodeLists } from '../postings/posting-list.ts';
import { SPACES } from '../store.ts';
import { type DocBlock, PLACE_INTS, unpackDocBlock } from '../trees/doc-block.ts';
import { fromStored, unpackFiles, unpackPaths } from '../trees/packed-tree.ts';
import { requireChecksum } from './blob-checksum.ts';
import { readBody, readPost, readSegmentPart, readVectorBlob } from './checked-blobs.ts';
import type { Database } from './database.ts';
import { decodeStored } from './store-errors.ts';

export function checkStore(db: Database, full: boolean): string[] {
  const found = db
    .all(full ? 'PRAGMA integrity_check(20)' : 'PRAGMA quick_check(20)')
    .map(([line]) => String(line))
    .filter((line) => line !== 'ok');
  if (found.some(saysOutOfMemory)) throw outOfMemory(found[0]);
  if (found.length > 0) return found;
  return decodeStored(db, () =>
    db.snapshot(() => [
      ...checkContents(db),
      ...checkTrees(db),
      ...checkSegments(db, full),
      ...(full ? checkSums(db) : []),
    ]),
  );
}

/** Checks the blobs that no other check decodes. */
function* checkSums(db: Database): Generator<string> {
  for (const [content] of db.all('SELECT content FROM body'))
    for (const column of ['text', 'detail'] as const) yield* findFault(() => readBody(db, column, content as number));
  for (const [id] of db.all('SELECT id FROM vec')) yield* findFault(() => readVectorBlob(db, id as number));
}

function* findFault(read: () => unknown): Generator<string> {
  try {
    read();
  } catch (error) {
    if (isOutOfMemory(error)) throw error;
    yield error instanceof EngineError ? String(error.data.reason) : (error as Error).message;
  }
}

function* checkContents(db: Database): Generator<string> {
  const [missing] = db.get('SELECT count(*) FROM content WHERE id NOT IN (SELECT content FROM body)')!;
  if (missing) yield `${missing} contents have no text`;
}

function* checkTrees(db: Database): Generator<string> {
  const contents = new Set(db.all('SELECT id FROM content').map(([id]) => id as number));
  for (const [id, ref, files, paths, sum, pathSum, packed, pathsPacked] of db.all(
    'SELECT t.id, t.ref, t.files, p.data, t.sum, p.sum, t.packed, p.packed FROM tree t ' +
      'LEFT JOIN tree_paths p ON p.tree = t.id',
  )) {
    const name = `tree ${id} (${ref})`;
    const faults = [
      ...findFault(() => requireChecksum(`the file table of ${name}`, sum, files as Uint8Array)),
      ...(paths ? findFault(() => requireChecksum(`the list of paths of ${name}`, pathSum, paths as Uint8Array)) : []),
    ];
    yield* faults;
    if (faults.length > 0) continue;
    const rows = unpackFiles(fromStored(files, packed)).contentRow;
    if (!paths || unpackPaths(fromStored(paths, pathsPacked), rows.length).length !== rows.length)
      yield `${name} lacks paths`;
    const missing = rows.filter((row) => !contents.has(row)).length;
    if (missing > 0) yield `${name} names ${missing} contents that are not there`;
  }
}

function* checkSegments(db: Database, full: boolean): Generator<string> {
  for (const [id, first, end] of db.all('SELECT id, first_post, end_post FROM segment')) {
    const [blocks] = db.get('SELECT count(*) FROM post WHERE id >= ? AND id < ?', first!, end!)!;
    if (blocks !== (end as number) - (first as number)) yield `segment ${id} lacks posting blocks`;
    else if (full) {
      try {
        decodeStored(db, () => decodeSegment(db, id as number));
      } catch (error) {
        if (isOutOfMemory(error)) throw error;
        yield `segment ${id}: ${(error as Error).message}`;
      }
    }
  }
}

function decodeSegment(db: Database, id: number): void {
  checkDirectory(db, unpackDocBlock(readSegmentPart(db, id, 'docs')!));
  const terms = readSegmentPart(db, id, 'terms')!;
  for (const index of unpackBlockIndexes(terms, SPACES.length)) decodeBlocks(db, index);
}

/** Compares the rows of the content table with the segment's entries of the same contents. */
function checkDirectory(db: Database, block: DocBlock): void {
  for (let i = 0; i < block.count; i++) {
    const row = db.get(
      'SELECT lower(hex(blob)), language, first_chunk, chunk_count, first_symbol, symbol_count FROM content ' +
        'WHERE id = ?',
      block.rows[i]!,
    );
    // The content was deleted; the next merge removes its entry.
    if (!row) continue;
    const places = block.places.subarray(i * PLACE_INTS, i * PLACE_INTS + 4);
    const known = [block.blobId(i), block.language(i), ...places];
    if (known.some((value, k) => value !== row[k])) throw new RangeError(`content ${block.rows[i]} is not what it was`);
  }
}

function decodeBlocks(db: Database, index: BlockIndex): void {
  index.firstTerms.forEach((firstTerm, i) => {
    const block = readPost(db, index.firstBlock + i);
    if (!block) throw new RangeError(`posting block ${index.firstBlock + i} is missing`);
    let previous: string | null = null;
    for (const { term, list } of readBlock(block)) {
      if (previous === null ? term !== firstTerm : term <= previous)
        throw new RangeError(`terms out of order at ${term}`);
      const { docs } = decodeLists([list], Number.POSITIVE_INFINITY);
      for (let k = 1; k < docs.length; k++)
        if (docs[k]! <= docs[k - 1]!) throw new RangeError(`postings of ${term} out of order`);
      previous = term;
    }
  });
}
