/** StoreReader over derived contents in memory. */
import type { BatchPostings, NearestChunks, Postings, Space, StoredDetail, StoreReader, TreeView } from '../store.ts';
import { decodeDetail } from '../text/packed-detail.ts';
import { unpackText } from '../text/packed-text.ts';
import { RecentContents } from '../text/recent-contents.ts';
import { VectorSet } from '../vectors/vector-set.ts';
import type { MemoryContent } from './content-tree.ts';

/** The range of each term's entries in a content's postings; made once per content and shared by all questions. */
const directories = new WeakMap<BatchPostings, ReadonlyMap<string, readonly [from: number, to: number]>>();
const details = new WeakMap<MemoryContent['content'], StoredDetail>();

export class MemoryReader implements StoreReader {
  readonly path = '';
  readonly isInPlace = true;
  readonly #contents: readonly MemoryContent[];
  readonly #view: TreeView;
  readonly #vectors: VectorSet;
  readonly #recent = new RecentContents();
  readonly #terms = new Map<Space, readonly string[]>();

  constructor(
    contents: readonly MemoryContent[],
    view: TreeView,
    { modelId, dims }: { readonly modelId: string; readonly dims: number },
  ) {
    this.#contents = contents;
    this.#view = view;
    this.#vectors = new VectorSet(modelId, dims, (row) => contents[row]?.firstChunk ?? -1);
    contents.forEach(({ content, chunkCount }, row) => {
      if (content.vectors && chunkCount > 0) this.#vectors.add(row, chunkCount, content.vectors);
    });
  }

  postings(space: Space, term: string): Postings {
    const docs: number[] = [];
    const values: number[] = [];
    this.#contents.forEach(({ batch, firstChunk, firstSymbol }, row) => {
      const shift = { text: firstChunk, symbol: firstSymbol, reference: row }[space];
      const postings = batch.postings[space];
      const [from, to] = directoryOf(postings).get(term) ?? [0, 0];
      for (let i = from; i < to; i++) {
        docs.push(postings.docs[i]! + shift);
        values.push(postings.values[i]!);
      }
    });
    return { docs: Uint32Array.from(docs), values: Uint16Array.from(values) };
  }

  /** Lookups in memory need no filter. */
  termFilters(): null {
    return null;
  }

  termsWithPrefix(space: Space, prefix: string): readonly string[] {
    return this.allTerms(space).filter((term) => term.startsWith(prefix));
  }

  frequentTerms(space: Space, minDocs: number): readonly string[] {
    return this.allTerms(space).filter((term) => this.postings(space, term).docs.length >= minDocs);
  }

  allTerms(space: Space): readonly string[] {
    const known = this.#terms.get(space);
    if (known) return known;
    const all = new Set<string>();
    for (const { batch } of this.#contents) for (const term of batch.postings[space].terms) all.add(term);
    const terms = [...all].sort();
    this.#terms.set(space, terms);
    return terms;
  }

  scoreVectors(view: TreeView, query: Float32Array): Float32Array {
    const scores = new Float32Array(view.fileOfChunk.length);
    this.#vectors.score(query, view.fileOfChunk, scores);
    return scores;
  }

  /** There are so few vectors that all are scored. */
  signDifferences(): null {
    return null;
  }

  chunksWithin(): NearestChunks {
    return { chunks: [], scores: new Float32Array(0) };
  }

  nearestChunks(): NearestChunks | null {
    return null;
  }

  scoreContents(
    query: Float32Array,
    contents: readonly { readonly row: number; readonly chunks: number }[],
    take: (index: number, scores: Float32Array, from: number) => void,
  ): void {
    this.#vectors.scoreContents(query, contents, take);
  }

  vectors(contentRow: number): Int8Array | null {
    return this.#contents[contentRow]!.content.vectors;
  }

  text(contentRow: number): string {
    return unpackText(this.#contents[contentRow]!.content.text);
  }

  lines(contentRow: number, startLine: number, endLine: number): string {
    return this.#recent.lines(contentRow, startLine, endLine, () => this.#contents[contentRow]!.content.text);
  }

  detail(contentRow: number): StoredDetail {
    const { content } = this.#contents[contentRow]!;
    const known = details.get(content) ?? decodeDetail(content.detail);
    details.set(content, known);
    return known;
  }

  trees() {
    return [this.#view.info];
  }

  openTree(): TreeView {
    return this.#view;
  }

  jobs() {
    return [];
  }

  sizeBytes(): number {
    return 0;
  }

  check() {
    return [];
  }

  dump() {
    return [];
  }

  renewed(): StoreReader {
    return this;
  }

  close(): void {}
}

function directoryOf(postings: BatchPostings): ReadonlyMap<string, readonly [number, number]> {
  const known = directories.get(postings);
  if (known) return known;
  const directory = new Map<string, readonly [number, number]>();
  let from = 0;
  postings.terms.forEach((term, i) => {
    const to = from + postings.counts[i]!;
    directory.set(term, [from, to]);
    from = to;
  });
  directories.set(postings, directory);
  return directory;
}
