/**
 * Keeps the index `chunks` in step with the published snapshots. Documents of new files are written, and can be found,
 * before the snapshot is published; those of files that are gone are removed after it. What is there is asked of the
 * index itself, so that whatever a killed worker left behind is put right by the next one. A question checks each
 * candidate against the published snapshot.
 */
import type { FileEntry } from '../../model/records/source-file.ts';
import type { ContentSource } from '../../store/snapshot-source.ts';
import type { ContentBatch } from '../../store/store.ts';
import { type BulkDocument, createDocuments } from '../opensearch/bulk-write.ts';
import { indexName, VECTOR_DIMS } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { fileDocuments, fileId } from './file-documents.ts';

const PAGE = 10_000;
const NAMED_AT_ONCE = 50_000;
const SENT_AT_ONCE = 4 << 20;

export class SearchedFiles {
  readonly #cluster: SearchCluster;
  readonly #index: string;

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'chunks');
  }

  /**
   * Writes what is missing of these files; resolves when searches find it. Returns the number of files that were
   * missing.
   */
  async add(
    repository: string,
    files: readonly FileEntry[],
    extractor: string,
    contents: Pick<ContentSource, 'read'>,
  ): Promise<number> {
    const there = new Set(await this.#fileIds(repository));
    const missing = files.filter((file) => !there.has(fileId(repository, file, extractor)));
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
      for (const document of this.#documents(repository, byContent, batch, extractor)) {
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
    repository: string,
    byContent: ReadonlyMap<string, readonly FileEntry[]>,
    batch: ContentBatch,
    extractor: string,
  ): BulkDocument[] {
    const files = byContent.get(keyOf(batch.contents[0]!)) ?? [];
    const options = { extractor, dims: VECTOR_DIMS };
    return files.flatMap((file) =>
      fileDocuments(repository, file, batch, options).map((document) => ({ index: this.#index, ...document })),
    );
  }

  /** Removes whatever is there of the repository beside these files. */
  async keepOnly(repository: string, files: readonly FileEntry[], extractor: string): Promise<void> {
    const kept = files.map((file) => fileId(repository, file, extractor));
    // A query may name 65,536 files.
    for (const beginning of kept.length < NAMED_AT_ONCE ? [''] : [...'0123456789abcdef']) {
      const file = kept.filter((id) => id.startsWith(beginning));
      const filter = [{ term: { repository } }, { prefix: { file: beginning } }];
      await this.#remove({ bool: { filter, must_not: [{ terms: { file } }] } });
    }
  }

  async drop(repository: string): Promise<void> {
    await this.#remove({ term: { repository } });
  }

  async #remove(query: unknown): Promise<void> {
    await this.#cluster.ask({
      method: 'POST',
      path: `/${this.#index}/_delete_by_query`,
      query: { conflicts: 'proceed', refresh: 'true' },
      body: { query },
    });
  }

  /**
   * By pages: one answer of OpenSearch holds 10,000 at most. A file's own document is written last: where it is, the
   * chunks are.
   */
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

function keyOf({ blobId, language }: { readonly blobId: string; readonly language: string }): string {
  return `${blobId} ${language}`;
}
