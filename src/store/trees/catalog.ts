/**
 * The data of one store that a process keeps in memory: the directory of contents, the chunk columns, the sparse
 * posting indexes, opened trees and vectors. All connections of the process to the store share it (those of a server
 * and of its watch's writer), and update it when the generation has changed.
 *
 * The process gives chunks and symbols ids of its own (process-ids.ts). An id never changes its meaning while a catalog
 * lives, and a merge only moves data, so loaded data is never stale. A catalog that holds much more than its store
 * (`isOversized`) is replaced by a new one at the next question; running questions finish with the old one.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { SkippedFile } from '../../model/records/source-file.ts';
import type { ParseProblem } from '../../model/records/symbol.ts';
import { type BlockIndex, unpackBlockIndexes } from '../postings/posting-block.ts';
import { PostingCache } from '../postings/posting-cache.ts';
import { ProcessIds } from '../postings/process-ids.ts';
import type { TermFilter } from '../postings/term-filter.ts';
import { requireChecksum } from '../sqlite/blob-checksum.ts';
import { readSegmentPart } from '../sqlite/checked-blobs.ts';
import { inflate } from '../sqlite/chunked-blob.ts';
import type { Database } from '../sqlite/database.ts';
import { readMeta } from '../sqlite/schema.ts';
import { decodeStored } from '../sqlite/store-errors.ts';
import { SPACES, type Space, type TreeInfo, type TreeKey, type TreeView } from '../store.ts';
import { VectorSet } from '../vectors/vector-set.ts';
import { ContentDirectory } from './content-directory.ts';
import {
  allocateColumns,
  type ChunkColumns,
  COLUMN_KEYS,
  copyColumns,
  PLACE_INTS,
  unpackDocBlock,
} from './doc-block.ts';
import { type FileColumns, fromStored, unpackFiles, unpackPaths } from './packed-tree.ts';
import { buildView, type LazyParts, type LoadedTree } from './tree-view.ts';

/** A catalog is replaced if it holds this many times the stored chunks, plus OVERSIZE_CHUNKS. */
const OVERSIZE_FACTOR = 1.5;
const OVERSIZE_CHUNKS = 1_500;
/** Takes 6 MB. */
const MAX_CACHED_POSTINGS = 1_000_000;

export interface SegmentIndex {
  readonly id: number;
  /** One index per space, in the order of SPACES; null before the first lookup. */
  spaces: readonly BlockIndex[] | null;
  /** One filter per space; null until it is made. */
  readonly filters: (TermFilter | null)[];
}

/** The lowest ids in the file that are not published yet. */
export interface Limits {
  readonly content: number;
  readonly chunk: number;
  readonly symbol: number;
}

export class Catalog {
  generation = -1;
  readonly connections = new Set<Database>();
  limits: Limits = { content: 1, chunk: 0, symbol: 0 };
  /** The catalog holds many contents that are no longer in the file. */
  isOversized = false;
  readonly contents = new ContentDirectory();
  readonly chunks = new ProcessIds();
  readonly symbols = new ProcessIds();
  columns: ChunkColumns = allocateColumns(0);
  /** Sorted by their first content. */
  segments: readonly SegmentIndex[] = [];
  readonly postings = new PostingCache(MAX_CACHED_POSTINGS);
  /** Every term of a space; read on demand. */
  readonly terms = new Map<Space, readonly string[]>();
  readonly #views = new Map<string, TreeView | null>();
  /** The last state of each opened tree. The next state reuses what did not change. */
  readonly #trees = new Map<string, LoadedTree>();
  readonly #vectors = new Map<string, { readonly set: VectorSet; generation: number }>();

  /** Loads what was published since the last call; cheap if nothing was. */
  sync(db: Database): void {
    if (readMeta(db, 'generation') === this.generation) return;
    db.snapshot(() => {
      this.#loadSegments(db);
      this.limits = {
        content: readMeta(db, 'live_content'),
        chunk: readMeta(db, 'live_chunk'),
        symbol: readMeta(db, 'live_symbol'),
      };
      this.generation = readMeta(db, 'generation');
      const stored = db.get('SELECT coalesce(sum(chunks), 0) FROM segment')![0] as number;
      this.isOversized = this.chunks.count > stored * OVERSIZE_FACTOR + OVERSIZE_CHUNKS;
      this.#views.clear();
      this.postings.clear();
      this.terms.clear();
    });
  }

  /**
   * Loads the catalog if it is empty. Lookups after openTree() call this instead of sync(), so that all lookups of one
   * query see the same generation.
   */
  load(db: Database): void {
    if (this.generation < 0) this.sync(db);
  }

  openTree(db: Database, key: TreeKey): TreeView | null {
    this.sync(db);
    const name = `${key.ref}\0${key.root}`;
    let view = this.#views.get(name);
    if (view !== undefined) return view;
    db.snapshot(() => {
      this.sync(db);
      view = this.#loadTree(db, key, name);
    });
    this.#views.set(name, view!);
    return view!;
  }

  vectors(db: Database, model: string, dims: number): VectorSet {
    const name = `${dims}\0${model}`;
    let entry = this.#vectors.get(name);
    if (!entry) {
      entry = { set: new VectorSet(model, dims, (row) => this.#firstChunk(row)), generation: -1 };
      this.#vectors.set(name, entry);
    }
    if (entry.generation !== this.generation) {
      db.snapshot(() => {
        this.#loadSegments(db);
        entry.set.refresh(db);
      });
      entry.generation = this.generation;
    }
    return entry.set;
  }

  /** To be called after a merge deleted segments, or after a flush added contents that are not published yet. */
  reloadSegments(db: Database): void {
    db.snapshot(() => this.#loadSegments(db));
  }

  /** Makes all committed contents visible, also those that are not published. Not for the shared catalog. */
  includeUnpublished(db: Database): void {
    db.snapshot(() => {
      this.#loadSegments(db);
      this.limits = {
        content: readMeta(db, 'next_content'),
        chunk: readMeta(db, 'next_chunk'),
        symbol: readMeta(db, 'next_symbol'),
      };
    });
    this.generation++;
    this.postings.clear();
    this.terms.clear();
  }

  /** The view of a tree that is not stored. */
  viewOf(info: TreeInfo, paths: readonly string[], columns: FileColumns): TreeView {
    return buildView(info, paths, columns, this, { skipped: () => [], problems: () => [] }, null);
  }

  /** The segment's sparse index of a space; null if the segment was deleted. */
  blockIndex(db: Database, segment: SegmentIndex, space: Space): BlockIndex | null {
    if (!segment.spaces) {
      const terms = readSegmentPart(db, segment.id, 'terms');
      if (!terms) return null;
      segment.spaces = unpackBlockIndexes(terms, SPACES.length);
    }
    return segment.spaces[SPACES.indexOf(space)]!;
  }

  #loadSegments(db: Database): void {
    const ids = db.all('SELECT id FROM segment ORDER BY first_content, id').map(([id]) => id as number);
    const old = new Map(this.segments.map((segment) => [segment.id, segment]));
    const fresh = ids.filter((id) => !old.has(id));
    for (const id of fresh) this.#takeDocs(readSegmentPart(db, id, 'docs')!);
    this.segments = ids.map((id) => old.get(id) ?? { id, spaces: null, filters: [] });
  }

  #takeDocs(bytes: Uint8Array): void {
    const block = unpackDocBlock(bytes);
    const { contents } = this;
    const { count, rows, places } = block;
    this.#reserve(contents.count + count, this.chunks.count + block.columns.type.length);
    // Chunks of consecutive contents are copied as one run.
    let from = 0;
    let runFrom = 0;
    let runTo = this.chunks.count;
    const copyRun = () => copyColumns(block.columns, runFrom, this.columns, runTo, from - runFrom);
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      // Array destructuring here took half of the time in which a command opens a store.
      const at = i * PLACE_INTS;
      const storedChunk = places[at]!;
      const chunkCount = places[at + 1]!;
      if (contents.ordinal(row) < 0) {
        const ordinal = contents.add(row);
        const known = ordinal * PLACE_INTS;
        const symbolCount = places[at + 3]!;
        contents.places[known] = this.chunks.add(storedChunk, chunkCount);
        contents.places[known + 1] = chunkCount;
        contents.places[known + 2] = this.symbols.add(places[at + 2]!, symbolCount);
        contents.places[known + 3] = symbolCount;
        contents.storedChunk[ordinal] = storedChunk;
        contents.blobId[ordinal] = block.blobId(i);
        contents.language[ordinal] = block.language(i);
        contents.extractor[ordinal] = block.extractor(i);
      } else {
        // The content is known from a segment that was merged into this one.
        copyRun();
        runFrom = from + chunkCount;
        runTo = this.chunks.count;
      }
      from += chunkCount;
    }
    copyRun();
  }

  #firstChunk(row: number): number {
    const ordinal = this.contents.ordinal(row);
    return ordinal < 0 ? -1 : this.contents.places[ordinal * PLACE_INTS]!;
  }

  #reserve(contents: number, chunks: number): void {
    const directory = this.contents;
    if (contents * PLACE_INTS > directory.places.length) {
      const places = new Int32Array((Math.ceil(contents * 1.1) + 64) * PLACE_INTS);
      places.set(directory.places);
      directory.places = places;
    }
    if (chunks > this.columns.type.length) {
      // Reserve room for all chunks until the catalog is replaced: untouched memory costs nothing, and each move would
      // fragment the heap.
      const columns = allocateColumns(Math.ceil(chunks * OVERSIZE_FACTOR) + OVERSIZE_CHUNKS + 1024);
      for (const key of COLUMN_KEYS) columns[key].set(this.columns[key]);
      this.columns = columns;
    }
  }

  #loadTree(db: Database, key: TreeKey, name: string): TreeView | null {
    const row = db.get(
      'SELECT t.id, t.generation, t.info, t.files, p.data, t.sum, p.sum, t.packed, p.packed FROM tree t ' +
        'JOIN tree_paths p ON p.tree = t.id WHERE t.root = ? AND t.ref = ?',
      key.root,
      key.ref,
    );
    const previous = this.#trees.get(name);
    this.#trees.delete(name);
    if (!row) return null;
    const info = treeInfo(row[0] as number, key, row[1] as number, row[2] as string);
    const packedPaths = row[4] as Uint8Array;
    requireChecksum(`the file table of ${key.ref}`, row[5], row[3] as Uint8Array);
    requireChecksum(`the paths of ${key.ref}`, row[6], packedPaths);
    const same = previous !== undefined && Buffer.compare(previous.packedPaths, packedPaths) === 0;
    const paths = same ? previous.paths : unpackPaths(fromStored(packedPaths, row[8]), info.fileCount);
    const columns = unpackFiles(fromStored(row[3], row[7]));
    const view = buildView(info, paths, columns, this, this.#lazyParts(info.id), same ? previous : null);
    this.#trees.set(name, { packedPaths, paths, columns, files: view.files });
    return view;
  }

  /** Reads on demand use any open connection, since views outlive the connection that loaded them. */
  #lazyParts(tree: number): LazyParts {
    const db = (): Database => {
      const open = [...this.connections].find((connection) => connection.isOpen);
      if (!open) throw new EngineError('internal_error', { reason: 'the store is closed' });
      return open;
    };
    return {
      skipped() {
        const row = db().get('SELECT data FROM tree_skipped WHERE tree = ?', tree);
        if (!row) return [];
        return decodeStored(db(), () => JSON.parse(inflate(row[0] as Uint8Array).toString()) as SkippedFile[]);
      },
      problems(view) {
        const byRow = new Map<number, ParseProblem[]>();
        const rows = db().all('SELECT id, problems FROM content WHERE problems IS NOT NULL');
        decodeStored(db(), () => {
          for (const [id, json] of rows) byRow.set(id as number, JSON.parse(json as string) as ParseProblem[]);
        });
        if (byRow.size === 0) return [];
        return view.files.flatMap((file, i) =>
          (byRow.get(view.contentOf[i]!) ?? []).map(({ line, message }) => ({ path: file.path, line, message })),
        );
      },
    };
  }
}

export function treeInfo(id: number, key: TreeKey, generation: number, json: string): TreeInfo {
  return { ...(JSON.parse(json) as TreeInfo), id, root: key.root, ref: key.ref, generation };
}

const shared = new Map<string, Catalog>();

/**
 * The catalog of a store, shared by all connections of the process. `name` identifies the store; a copy of a store has
 * another name.
 */
export function acquireCatalog(name: string, db: Database): Catalog {
  const known = shared.get(name);
  const catalog = known && !known.isOversized ? known : new Catalog();
  shared.set(name, catalog);
  catalog.connections.add(db);
  return catalog;
}

/** The catalog that a new reader of this process would get; null if there is none. */
export function sharedCatalog(name: string): Catalog | null {
  return shared.get(name) ?? null;
}

export function releaseCatalog(catalog: Catalog, db: Database): void {
  catalog.connections.delete(db);
  if (catalog.connections.size > 0) return;
  for (const [name, entry] of shared) if (entry === catalog) shared.delete(name);
}
