/** Looks up postings and terms in all segments of a store. */

import { readPost } from '../sqlite/checked-blobs.ts';
import type { Database } from '../sqlite/database.ts';
import { DamagedDataError } from '../sqlite/store-errors.ts';
import { type Postings, SPACES, type Space } from '../store.ts';
import { ByteSource } from '../text/byte-sink.ts';
import type { Catalog, SegmentIndex } from '../trees/catalog.ts';
import { type BlockIndex, blockOf, findFrequentTerms, findInBlock, readBlockTerms } from './posting-block.ts';
import { decodeLists, NO_POSTINGS } from './posting-list.ts';
import { TermFilter } from './term-filter.ts';

/**
 * Blocks of 4 KB, so 16 MB at most: all blocks of a project of two million lines. A question reads a hundred of them,
 * and the next question many of the same. The cache saves a tenth of a question's time.
 */
const MAX_CACHED_BLOCKS = 4096;

export class PostingReader {
  readonly #db: Database;
  readonly #catalog: Catalog;
  /** The blocks that were read last, of the current segments. */
  readonly #blocks = new Map<number, Uint8Array>();
  #blocksOf: Catalog['segments'] = [];

  constructor(db: Database, catalog: Catalog) {
    this.#db = db;
    this.#catalog = catalog;
  }

  find(space: Space, term: string): Postings {
    this.#catalog.load(this.#db);
    const cache = this.#catalog.postings;
    const key = `${space}\0${term}`;
    const known = cache.get(key);
    if (known) return known;
    const found = this.#retry(() => this.#read(space, term));
    cache.set(key, found);
    return found;
  }

  /** One filter per segment. Without `make`, null unless all of them exist. */
  filters(space: Space, make: boolean): readonly TermFilter[] | null {
    this.#catalog.load(this.#db);
    const at = SPACES.indexOf(space);
    if (!make && this.#catalog.segments.some(({ filters }) => !filters[at])) return null;
    return this.#retry(() => this.#catalog.segments.map((segment) => this.#filter(segment, space)));
  }

  #filter(segment: SegmentIndex, space: Space): TermFilter {
    const at = SPACES.indexOf(space);
    const made = segment.filters[at] ?? new TermFilter(this.#blocksIn(this.#index(segment, space)));
    segment.filters[at] = made;
    return made;
  }

  /** Reads blocks without caching them, since no question needs most of them. */
  *#blocksIn({ firstBlock, firstTerms }: BlockIndex): Iterable<Uint8Array> {
    for (let i = 0; i < firstTerms.length; i++)
      yield this.#blocks.get(firstBlock + i) ?? this.#readBlock(firstBlock + i);
  }

  /** The distinct terms of all segments that begin with the prefix, sorted. */
  withPrefix(space: Space, prefix: string): string[] {
    this.#catalog.load(this.#db);
    return this.#retry(() => {
      const found: string[] = [];
      for (const segment of this.#catalog.segments) {
        const index = this.#index(segment, space);
        scan: for (let i = Math.max(0, blockOf(index, prefix)); i < index.firstTerms.length; i++) {
          for (const term of readBlockTerms(this.#block(index.firstBlock + i)).terms) {
            if (term < prefix) continue;
            if (!term.startsWith(prefix)) break scan;
            found.push(term);
          }
        }
      }
      // The array is a sorted run per segment, which the built-in sort merges efficiently.
      found.sort();
      return found.filter((term, i) => i === 0 || term !== found[i - 1]);
    });
  }

  /** The terms with at least `minDocs` documents, unsorted. Documents of deleted contents count, too. */
  frequent(space: Space, minDocs: number): string[] {
    this.#catalog.load(this.#db);
    return this.#retry(() => {
      const { segments } = this.#catalog;
      // If a term has enough documents in total, at least one segment has this share of them.
      const minInSegment = Math.ceil(minDocs / Math.max(1, segments.length));
      const found = new Set<string>();
      for (const segment of segments) {
        const { firstBlock, firstTerms } = this.#index(segment, space);
        for (let i = 0; i < firstTerms.length; i++)
          for (const term of findFrequentTerms(this.#block(firstBlock + i), minInSegment)) found.add(term);
      }
      return segments.length === 1 ? [...found] : [...found].filter((term) => this.#count(space, term) >= minDocs);
    });
  }

  #count(space: Space, term: string): number {
    return this.#listsOf(space, term).reduce((sum, list) => sum + new ByteSource(list).count(), 0);
  }

  #read(space: Space, term: string): Postings {
    const lists = this.#listsOf(space, term);
    if (lists.length === 0) return NO_POSTINGS;
    const stored = decodeLists(lists, this.#limit(space));
    const { chunks, symbols } = this.#catalog;
    return space === 'reference' ? stored : (space === 'text' ? chunks : symbols).apply(stored);
  }

  #listsOf(space: Space, term: string): Uint8Array[] {
    const lists: Uint8Array[] = [];
    for (const segment of this.#catalog.segments) {
      const index = this.#index(segment, space);
      const block = blockOf(index, term);
      if (block < 0) continue;
      const list = findInBlock(this.#block(index.firstBlock + block), term);
      if (list) lists.push(list);
    }
    return lists;
  }

  #limit(space: Space): number {
    const { limits } = this.#catalog;
    return space === 'text' ? limits.chunk : space === 'symbol' ? limits.symbol : limits.content;
  }

  #index(segment: SegmentIndex, space: Space): BlockIndex {
    const index = this.#catalog.blockIndex(this.#db, segment, space);
    if (!index) throw new MissingBlockError();
    return index;
  }

  #block(id: number): Uint8Array {
    if (this.#blocksOf !== this.#catalog.segments) {
      this.#blocks.clear();
      this.#blocksOf = this.#catalog.segments;
    }
    const known = this.#blocks.get(id);
    if (known) return known;
    const block = this.#readBlock(id);
    if (this.#blocks.size >= MAX_CACHED_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    this.#blocks.set(id, block);
    return block;
  }

  #readBlock(id: number): Uint8Array {
    const block = readPost(this.#db, id);
    if (!block) throw new MissingBlockError();
    return block;
  }

  /**
   * A merge of another process may delete a block between two reads. `read` then runs again, with the new list of
   * segments and on one state of the file, so once is enough.
   */
  #retry<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof MissingBlockError)) throw error;
      return this.#db.snapshot(() => {
        this.#catalog.reloadSegments(this.#db);
        return read();
      });
    }
  }
}

class MissingBlockError extends DamagedDataError {
  override readonly message = 'a posting block is missing';
}
