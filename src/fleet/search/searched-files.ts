/**
 * Keeps the index `chunks` consistent with the published snapshots. Documents of new files are written, and searchable,
 * before the snapshot is published; those of deleted files are removed after it. The index itself tells which documents
 * exist, so the next worker repairs what a killed one left. A question checks each candidate against the published
 * snapshot.
 */
import type { FileEntry } from '../../model/records/source-file.ts';
import type { ContentSource } from '../../store/snapshot-source.ts';
import type { ContentBatch } from '../../store/store.ts';
import { type BulkDocument, createDocuments } from '../opensearch/bulk-write.ts';
import { deleteMatching } from '../opensearch/delete-matching.ts';
import { indexName, VECTOR_DIMS } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { fileDocuments, fileId, type Written } from './file-documents.ts';

const PAGE = 10_000;
const NAMED_AT_ONCE = 50_000;
const SENT_AT_ONCE = 4 << 20;

export interface NumberedRepository {
  readonly name: string;
  readonly number: number;
}

export class SearchedFiles {
  readonly #cluster: SearchCluster;
  readonly #index: string;

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'chunks');
  }

  /**
   * Writes the missing documents of these files; resolves when searches find them. Returns the number of files that
   * were missing.
   */
  async add(
    repository: NumberedRepository,
    files: readonly FileEntry[],
    extractor: string,
    contents: Pick<ContentSource, 'read'>,
  ): Promise<number> {
    const there = new Set(await this.#fileIds(repository.name));
    const written = writtenOf(repository, files, extractor);
    const missing = files.filter((file) => !there.has(fileId(file, written(file))));
    if (missing.length === 0) return 0;
    const byContent = new Map<string, FileEntry[]>();
    for (const file of missing) byContent.set(keyOf(file), [...(byContent.get(keyOf(file)) ?? []), file]);
    const keys = [...byContent.values()].map(([first]) => first!);
    let waiting: BulkDocument[] = [];
    let size = 0;
    const send = async () => {
      await createDocuments(this.#cluster, waiting);
      waiting = [];
      size = 0;
    };
    for await (const batch of contents.read(keys)) {
      for (const document of this.#documents(byContent, batch, written)) {
        waiting.push(document);
        size += document.size;
      }
      if (size > SENT_AT_ONCE) await send();
    }
    await send();
    await this.#cluster.ask({ method: 'POST', path: `/${this.#index}/_refresh` });
    return missing.length;
  }

  #documents(
    byContent: ReadonlyMap<string, readonly FileEntry[]>,
    batch: ContentBatch,
    written: (file: FileEntry) => Written,
  ): BulkDocument[] {
    const files = byContent.get(keyOf(batch.contents[0]!)) ?? [];
    return files.flatMap((file) =>
      fileDocuments(file, batch, written(file), VECTOR_DIMS).map((document) => ({ index: this.#index, ...document })),
    );
  }

  /**
   * Whether the numbers of file and chunk documents are right. A worker that is killed after publishing leaves old
   * documents, and one that is killed while removing them leaves chunks without a file.
   */
  async hasExpectedCounts(repository: string, files: number): Promise<boolean> {
    const count = (kind: string, condition: unknown) => ({
      filter: { bool: { filter: [{ term: { kind } }], must_not: [condition] } },
    });
    const overview = { term: { type: 'symbols' } };
    interface Counts {
      readonly files: { readonly doc_count: number; readonly chunks: { readonly value: number } };
      readonly chunks: { readonly doc_count: number };
    }
    const { body } = await this.#cluster.ask<{ aggregations: Counts }>({
      method: 'POST',
      path: `/${this.#index}/_search`,
      query: { allow_partial_search_results: false },
      body: {
        size: 0,
        query: { term: { repository } },
        aggs: {
          files: { ...count('file', overview), aggs: { chunks: { sum: { field: 'chunks' } } } },
          chunks: count('chunk', overview),
        },
      },
    });
    const { files: found, chunks } = body.aggregations;
    return found.doc_count === files && found.chunks.value === chunks.doc_count;
  }

  /** Removes all documents of the repository except those of these files. */
  async keepOnly(repository: NumberedRepository, files: readonly FileEntry[], extractor: string): Promise<void> {
    const written = writtenOf(repository, files, extractor);
    const keptIds = files.map((file) => fileId(file, written(file)));
    // A query may list 65,536 ids.
    for (const beginning of keptIds.length < NAMED_AT_ONCE ? [''] : [...'0123456789abcdef']) {
      const file = keptIds.filter((id) => id.startsWith(beginning));
      const filter = [{ term: { repository: repository.name } }, { prefix: { file: beginning } }];
      await deleteMatching(this.#cluster, this.#index, { bool: { filter, must_not: [{ terms: { file } }] } });
    }
  }

  async drop(repository: string): Promise<void> {
    await deleteMatching(this.#cluster, this.#index, { term: { repository } });
  }

  /** Reads in pages of at most 10,000. A file's own document is written last, so it implies the chunks. */
  async #fileIds(repository: string): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | undefined; ; after = ids.at(-1)) {
      const { body } = await this.#cluster.ask<{ hits: { hits: { sort: [string] }[] } }>({
        method: 'POST',
        path: `/${this.#index}/_search`,
        query: { allow_partial_search_results: false },
        body: {
          size: PAGE,
          _source: false,
          query: { bool: { filter: [{ term: { repository } }, { term: { kind: 'file' } }] } },
          sort: [{ file: 'asc' }],
          ...(after === undefined ? {} : { search_after: [after] }),
        },
      });
      for (const { sort } of body.hits.hits) ids.push(sort[0]);
      if (body.hits.hits.length < PAGE) return ids;
    }
  }
}

function writtenOf(
  { name, number }: NumberedRepository,
  files: readonly FileEntry[],
  extractor: string,
): (file: FileEntry) => Written {
  const firstOf = new Map<string, string>();
  for (const file of files) {
    const first = firstOf.get(keyOf(file));
    if (first === undefined || file.path < first) firstOf.set(keyOf(file), file.path);
  }
  return (file) => ({ repository: name, number, extractor, isFirst: firstOf.get(keyOf(file)) === file.path });
}

function keyOf({ blobId, language }: { readonly blobId: string; readonly language: string }): string {
  return `${blobId} ${language}`;
}
