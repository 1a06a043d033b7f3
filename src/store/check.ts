/** Is the file sound? SQLite's own check, then what must hold between the tables; in full also that everything decodes. */
import { type Database, decoding } from './database.ts';
import { unpackDocBlock } from './doc-block.ts';
import { unpackFiles, unpackPaths } from './manifest.ts';
import { type BlockIndex, readBlock, unpackBlockIndexes } from './posting-block.ts';
import { decodeLists } from './posting-list.ts';
import { SPACES } from './store.ts';

export function checkStore(db: Database, full: boolean): string[] {
  const found = db
    .all(full ? 'PRAGMA integrity_check(20)' : 'PRAGMA quick_check(20)')
    .map(([line]) => String(line))
    .filter((line) => line !== 'ok');
  if (found.length > 0) return found;
  return db.snapshot(() => [...checkContents(db), ...checkTrees(db), ...checkSegments(db, full)]);
}

function* checkContents(db: Database): Generator<string> {
  const [missing] = db.get('SELECT count(*) FROM content WHERE id NOT IN (SELECT content FROM body)')!;
  if (missing) yield `${missing} contents have no text`;
}

function* checkTrees(db: Database): Generator<string> {
  const contents = new Set(db.all('SELECT id FROM content').map(([id]) => id as number));
  for (const [id, ref, files, paths] of db.all(
    'SELECT t.id, t.ref, t.files, p.data FROM tree t LEFT JOIN tree_paths p ON p.tree = t.id',
  )) {
    const name = `tree ${id} (${ref})`;
    const rows = unpackFiles(files as Uint8Array).contentRow;
    if (!paths || unpackPaths(paths as Uint8Array, rows.length).length !== rows.length) yield `${name} lacks paths`;
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
        decoding(db, () => decodeSegment(db, id as number));
      } catch (error) {
        yield `segment ${id}: ${(error as Error).message}`;
      }
    }
  }
}

function decodeSegment(db: Database, id: number): void {
  const [terms, docs] = db.get('SELECT terms, docs FROM segment WHERE id = ?', id)!;
  unpackDocBlock(docs as Uint8Array);
  for (const index of unpackBlockIndexes(terms as Uint8Array, SPACES.length)) decodeBlocks(db, index);
}

function decodeBlocks(db: Database, index: BlockIndex): void {
  index.firstTerms.forEach((firstTerm, i) => {
    const [block] = db.get('SELECT data FROM post WHERE id = ?', index.firstBlock + i)!;
    let previous: string | null = null;
    for (const { term, list } of readBlock(block as Uint8Array)) {
      if (previous === null ? term !== firstTerm : term <= previous)
        throw new RangeError(`terms out of order at ${term}`);
      const { docs } = decodeLists([list], Number.POSITIVE_INFINITY);
      for (let k = 1; k < docs.length; k++)
        if (docs[k]! <= docs[k - 1]!) throw new RangeError(`postings of ${term} out of order`);
      previous = term;
    }
  });
}
