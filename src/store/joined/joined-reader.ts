/** Reads several open stores as one. It does not own the stores: close() closes none of them. */
import { PostingCache } from '../postings/posting-cache.ts';
import { type TermFilter, termHash } from '../postings/term-filter.ts';
import type {
  JobRecord,
  NearestChunks,
  Postings,
  Space,
  StoredDetail,
  StoreReader,
  TreeInfo,
  TreeView,
} from '../store.ts';
import { nearestInTrees, scoreAll } from './joined-vectors.ts';
import { type JoinedTree, joinViews, type NamedTree, placeTrees, treeOf } from './joined-view.ts';

/** A tree with the reader that opened it. */
export interface TreeWithReader extends NamedTree {
  readonly reader: StoreReader;
}
export type PlacedTree = TreeWithReader & JoinedTree;

/** Joined postings in the cache; they take 24 MB. */
const MAX_CACHED_POSTINGS = 4_000_000;
/**
 * Most terms are in few of the stores. After this many lookups in a space, more than one command makes, the stores make
 * term filters, so that later lookups skip stores without the term. One store makes its filters at every eighth lookup,
 * because making them reads all of its terms.
 */
const MIN_LOOKUPS_FOR_FILTERS = 300;
const LOOKUPS_PER_FILTER = 8;

/** The offset of a tree's ids in each space, and the number of its ids. */
const RANGES: Readonly<Record<Space, (tree: PlacedTree) => { readonly shift: number; readonly count: number }>> = {
  text: ({ chunks, view }) => ({ shift: chunks, count: view.fileOfChunk.length }),
  symbol: ({ symbols, view }) => ({ shift: symbols, count: view.fileOfSymbol.length }),
  reference: ({ rows, rowCount }) => ({ shift: rows, count: rowCount }),
};

/** `root` names the joined tree in `info`. Every list of trees needs its own. */
export function joinTrees(
  trees: readonly TreeWithReader[],
  root: string,
): { readonly reader: StoreReader; readonly view: TreeView } {
  const placed = placeTrees(trees);
  const view = joinViews(placed, root);
  return { reader: new JoinedReader(placed), view };
}

class JoinedReader implements StoreReader {
  readonly path = '';
  readonly #trees: readonly PlacedTree[];
  readonly #postings = new PostingCache(MAX_CACHED_POSTINGS);
  readonly #terms = new Map<Space, readonly string[]>();
  readonly #filters = new Map<Space, { readonly made: (readonly TermFilter[] | null)[]; readonly lookups: number }>();

  constructor(trees: readonly PlacedTree[]) {
    this.#trees = trees;
  }

  postings(space: Space, term: string): Postings {
    const key = `${space} ${term}`;
    const known = this.#postings.get(key);
    if (known) return known;
    const joined = this.#join(space, term);
    this.#postings.set(key, joined);
    return joined;
  }

  #join(space: Space, term: string): Postings {
    const hash = termHash(term);
    const filters = this.#filtersOf(space);
    const having = this.#trees.filter((_, i) => filters[i]?.some((filter) => filter.mayHave(hash)) ?? true);
    return joinPostings(having, space, term);
  }

  /** The filters of each store, null for a store that has not made them yet. */
  #filtersOf(space: Space): readonly (readonly TermFilter[] | null)[] {
    const known = this.#filters.get(space);
    const { made, lookups } = known ?? {
      made: this.#trees.map(({ reader }) => reader.termFilters(space, false)),
      lookups: 0,
    };
    // A fraction between two turns, which is no index of the array.
    const next = (lookups - MIN_LOOKUPS_FOR_FILTERS) / LOOKUPS_PER_FILTER;
    if (made[next] === null) made[next] = this.#trees[next]!.reader.termFilters(space, true);
    this.#filters.set(space, { made, lookups: lookups + 1 });
    return made;
  }

  /** The filters are those of the single stores. */
  termFilters(): null {
    return null;
  }

  termsWithPrefix(space: Space, prefix: string): readonly string[] {
    return union(this.#trees.map(({ reader }) => reader.termsWithPrefix(space, prefix)));
  }

  frequentTerms(space: Space, minDocs: number): readonly string[] {
    return union(this.#trees.map(({ reader }) => reader.frequentTerms(space, minDocs)));
  }

  allTerms(space: Space): readonly string[] {
    const known = this.#terms.get(space) ?? union(this.#trees.map(({ reader }) => reader.allTerms(space)));
    this.#terms.set(space, known);
    return known;
  }

  scoreVectors(view: TreeView, query: Float32Array): Float32Array {
    return scoreAll(this.#trees, view, query);
  }

  nearestChunks(query: Float32Array, wanted: Int32Array, count: number): NearestChunks | null {
    return nearestInTrees(this.#trees, query, wanted, count);
  }

  /** nearestChunks() calls the readers of the single trees instead. */
  signDifferences(): null {
    return null;
  }

  chunksWithin(): NearestChunks {
    return { chunks: [], scores: new Float32Array(0) };
  }

  scoreContents(
    query: Float32Array,
    contents: readonly { readonly row: number; readonly chunks: number }[],
    take: (index: number, scores: Float32Array, from: number) => void,
  ): void {
    const byTree = new Map<PlacedTree, number[]>();
    contents.forEach(({ row }, index) => {
      const tree = treeOf(this.#trees, 'rows', row);
      byTree.set(tree, [...(byTree.get(tree) ?? []), index]);
    });
    for (const [{ reader, rows }, indexes] of byTree)
      reader.scoreContents(
        query,
        indexes.map((index) => ({ row: contents[index]!.row - rows, chunks: contents[index]!.chunks })),
        (at, scores, from) => take(indexes[at]!, scores, from),
      );
  }

  vectors(contentRow: number, chunkCount: number): Int8Array | null {
    return this.#at(contentRow, (reader, row) => reader.vectors(row, chunkCount));
  }

  text(contentRow: number): string {
    return this.#at(contentRow, (reader, row) => reader.text(row));
  }

  lines(contentRow: number, startLine: number, endLine: number): string {
    return this.#at(contentRow, (reader, row) => reader.lines(row, startLine, endLine));
  }

  detail(contentRow: number): StoredDetail {
    return this.#at(contentRow, (reader, row) => reader.detail(row));
  }

  #at<T>(contentRow: number, read: (reader: StoreReader, row: number) => T): T {
    const { reader, rows } = treeOf(this.#trees, 'rows', contentRow);
    return read(reader, contentRow - rows);
  }

  trees(): readonly TreeInfo[] {
    return this.#trees.map(({ view }) => view.info);
  }

  /** A joined tree is made from open trees; it has no others to open. */
  openTree(): TreeView | null {
    return null;
  }

  jobs(): readonly JobRecord[] {
    return [];
  }

  sizeBytes(): number {
    return this.#trees.reduce((sum, { reader }) => sum + reader.sizeBytes(), 0);
  }

  check(full: boolean): readonly string[] {
    return this.#trees.flatMap(({ reader }) => reader.check(full));
  }

  dump(): Iterable<string> {
    return [];
  }

  renewed(): StoreReader {
    return this;
  }

  get isInPlace(): boolean {
    return this.#trees.every(({ reader }) => reader.isInPlace);
  }

  close(): void {}
}

/**
 * Joins the postings of the trees; they ascend, since each tree has higher ids than the one before. Leaves out ids
 * beyond a tree, of contents that were published after the tree was opened.
 */
function joinPostings(trees: readonly PlacedTree[], space: Space, term: string): Postings {
  const parts = trees.map((tree) => {
    const { shift, count } = RANGES[space](tree);
    const { docs, values } = tree.reader.postings(space, term);
    let length = docs.length;
    while (length > 0 && docs[length - 1]! >= count) length--;
    return { shift, docs, values, length };
  });
  const total = parts.reduce((sum, { length }) => sum + length, 0);
  const docs = new Uint32Array(total);
  const values = new Uint16Array(total);
  let at = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) docs[at + i] = part.docs[i]! + part.shift;
    values.set(part.values.subarray(0, part.length), at);
    at += part.length;
  }
  return { docs, values };
}

/** The distinct terms of all lists, sorted. */
function union(lists: readonly (readonly string[])[]): readonly string[] {
  const filled = lists.filter(({ length }) => length > 0);
  return filled.length < 2 ? (filled[0] ?? []) : [...new Set(filled.flat())].sort();
}
