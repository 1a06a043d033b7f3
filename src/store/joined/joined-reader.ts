/**
 * Several open stores read as one: postings, vectors and contents of a joined tree. It owns none of the stores and
 * closes none.
 */
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

/** Postings that are kept joined: four million are 24 MB. */
const MAX_CACHED_POSTINGS = 4_000_000;
/**
 * Most words are in few of the stores. After so many lookups in a space, more than a command makes, the stores make
 * filters that tell which words they do not have: one store every few lookups, since that reads all of its words.
 */
const FILTERED_FROM = 300;
const FILTERED_EVERY = 8;

/** The offset of a posting list's numbers, and how many numbers a tree has. */
const RANGES: Readonly<Record<Space, (tree: PlacedTree) => { readonly shift: number; readonly count: number }>> = {
  text: ({ chunks, view }) => ({ shift: chunks, count: view.fileOfChunk.length }),
  symbol: ({ symbols, view }) => ({ shift: symbols, count: view.fileOfSymbol.length }),
  reference: ({ rows, rowCount }) => ({ shift: rows, count: rowCount }),
};

/** `root` names the joined tree in `info`: another list of trees must have another one. */
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

  /** By store; none for those that have not made theirs. */
  #filtersOf(space: Space): readonly (readonly TermFilter[] | null)[] {
    const known = this.#filters.get(space);
    const { made, lookups } = known ?? {
      made: this.#trees.map(({ reader }) => reader.termFilters(space, false)),
      lookups: 0,
    };
    const turn = (lookups - FILTERED_FROM) / FILTERED_EVERY;
    if (made[turn] === null) made[turn] = this.#trees[turn]!.reader.termFilters(space, true);
    this.#filters.set(space, { made, lookups: lookups + 1 });
    return made;
  }

  /** Its stores have them. */
  termFilters(): null {
    return null;
  }

  termsWithPrefix(space: Space, prefix: string): readonly string[] {
    return union(this.#trees.map(({ reader }) => reader.termsWithPrefix(space, prefix)));
  }

  frequentTerms(space: Space, least: number): readonly string[] {
    return union(this.#trees.map(({ reader }) => reader.frequentTerms(space, least)));
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

  /** Trees of a joined tree are asked themselves. */
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

  /** A joined tree is made of trees that are open already. */
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
 * Ascending, since trees lie one behind the other. What a tree does not have, because it was published before, is left
 * out.
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

/** In order, each once. */
function union(lists: readonly (readonly string[])[]): readonly string[] {
  const filled = lists.filter(({ length }) => length > 0);
  return filled.length < 2 ? (filled[0] ?? []) : [...new Set(filled.flat())].sort();
}
