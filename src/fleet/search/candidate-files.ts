/**
 * Turns OpenSearch results into files that can be ranked: checks each candidate against the published snapshot of its
 * repository and fetches its derived content. Recently used file lists and contents stay in memory.
 */
import type { FileEntry } from '../../model/records/source-file.ts';
import type { MemoryFile } from '../../store/index.ts';
import type { ContentSource } from '../../store/snapshot-source.ts';
import type { ContentBatch } from '../../store/store.ts';
import type { RepositoryRecord } from '../catalogue/repositories.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import type { PublishedSnapshots, SnapshotHead } from '../snapshots/published-snapshots.ts';
import type { CandidateSearch } from './candidate-queries.ts';
import { RecentlyUsed } from './recently-used.ts';
import { repositorySet } from './repository-set.ts';

export interface Candidates {
  /** Paths begin with the name of their repository. */
  readonly files: readonly MemoryFile[];
  /** Snapshot heads of the files' repositories. */
  readonly heads: readonly SnapshotHead[];
  /** Files found but not fetched, because more than `limit` were found. */
  readonly left: number;
}

interface Found {
  readonly hits: {
    readonly hits: readonly { readonly fields: { readonly repository: [string]; readonly path: [string] } }[];
  };
}

/** The usual constant of reciprocal rank fusion. */
const RANK_CONSTANT = 60;
const MAX_CACHED_FILES = 400_000;
const MAX_CACHED_BYTES = 256 << 20;

export class CandidateFiles {
  readonly #cluster: SearchCluster;
  readonly #index: string;
  readonly #snapshots: PublishedSnapshots;
  readonly #contents: Pick<ContentSource, 'read'>;
  readonly #lists = new RecentlyUsed<ReadonlyMap<string, FileEntry>>(MAX_CACHED_FILES, (files) => files.size + 1);
  readonly #batches = new RecentlyUsed<ContentBatch>(MAX_CACHED_BYTES, bytesOf);

  constructor(
    cluster: SearchCluster,
    prefix: string,
    snapshots: PublishedSnapshots,
    contents: Pick<ContentSource, 'read'>,
  ) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'chunks');
    this.#snapshots = snapshots;
    this.#contents = contents;
  }

  /** The best `limit` files over all searches. A repository without a snapshot has none. */
  async find(
    searches: readonly CandidateSearch[],
    repositories: readonly RepositoryRecord[],
    limit: number,
  ): Promise<Candidates> {
    const ranked = await this.#search(searches);
    const known = new Map(repositories.map((record) => [record.name, record]));
    const wanted = [...ranked].filter(([, { repository }]) => known.has(repository));
    const best = wanted.sort((a, b) => b[1].worth - a[1].worth || (a[0] < b[0] ? -1 : 1)).slice(0, limit);
    const names = [...new Set(best.map(([, { repository }]) => repository))];
    const { heads, lists } = await this.#listsOf(names.map((name) => known.get(name)!));
    const entries = best.flatMap(([path, { repository }]) => {
      const entry = lists.get(repository)?.get(path.slice(repository.length + 1));
      return entry ? [{ ...entry, path }] : [];
    });
    const files = await this.#hold(entries);
    return { files, heads, left: wanted.length - best.length };
  }

  /**
   * Names of repositories with results, best first. Each search counts one result per repository, so that a large
   * repository does not win by its size.
   */
  async repositories(searches: readonly CandidateSearch[], limit: number): Promise<readonly string[]> {
    const each = searches.map((search) => ({ ...search, size: limit, collapse: { field: 'repository' } }));
    const worth = new Map<string, number>();
    for (const { hits } of await this.#hits(each))
      hits.hits.forEach(({ fields }, rank) => {
        const [name] = fields.repository;
        worth.set(name, (worth.get(name) ?? 0) + 1 / (RANK_CONSTANT + rank + 1));
      });
    const ranked = [...worth].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return ranked.slice(0, limit).map(([name]) => name);
  }

  /** Paths of published files that contain `part`, sorted. */
  async paths(repositories: readonly RepositoryRecord[], part: string, limit: number): Promise<readonly string[]> {
    const known = new Map(repositories.map((record) => [record.name, record]));
    const value = `*${part.replace(/[*?\\]/g, '\\$&')}*`;
    const filter = [
      repositorySet(repositories).within,
      { term: { kind: 'file' } },
      { wildcard: { path: { value, case_insensitive: true } } },
    ];
    const ranked = await this.#search([{ query: { bool: { filter } }, size: limit }]);
    const names = [...new Set([...ranked.values()].map(({ repository }) => repository))];
    const { lists } = await this.#listsOf(names.flatMap((name) => known.get(name) ?? []));
    const isPublished = (path: string, repository: string) =>
      lists.get(repository)?.has(path.slice(repository.length + 1)) === true;
    const published = [...ranked].filter(([path, { repository }]) => isPublished(path, repository));
    return published.map(([path]) => path).sort();
  }

  async #hits(searches: readonly Readonly<Record<string, unknown>>[]): Promise<readonly Found[]> {
    // Loading stored fields, including the document id, takes longer than finding the documents.
    const shown = { stored_fields: '_none_', docvalue_fields: ['repository', 'path'], track_total_hits: false };
    const lines = searches.flatMap((search) => [
      { index: this.#index, allow_partial_search_results: false },
      { ...search, ...shown },
    ]);
    const ask = { method: 'POST', path: '/_msearch', lines, parts: true } as const;
    return (await this.#cluster.ask<{ responses: Found[] }>(ask)).body.responses;
  }

  async #search(searches: readonly CandidateSearch[]) {
    const ranked = new Map<string, { repository: string; worth: number }>();
    for (const { hits } of await this.#hits(searches.map(({ query, size }) => ({ query, size })))) {
      const seen = new Set<string>();
      for (const { fields } of hits.hits) {
        const path = fields.path[0];
        if (seen.has(path)) continue;
        seen.add(path);
        const known = ranked.get(path) ?? { repository: fields.repository[0], worth: 0 };
        known.worth += 1 / (RANK_CONSTANT + seen.size);
        ranked.set(path, known);
      }
    }
    return ranked;
  }

  async #listsOf(records: readonly RepositoryRecord[]) {
    const refs = records.flatMap(({ name, branch, ref }) => {
      const indexed = branch ?? ref;
      return indexed === null ? [] : [{ repository: name, ref: indexed }];
    });
    const heads = await this.#snapshots.headsOf(refs);
    const lists = new Map<string, ReadonlyMap<string, FileEntry>>();
    await Promise.all(
      heads.map(async (head) => {
        const known = this.#lists.get(head.manifest);
        const files = known ?? (await this.#read(head));
        if (files) lists.set(head.repository, files);
      }),
    );
    return { heads, lists };
  }

  async #read(head: SnapshotHead): Promise<ReadonlyMap<string, FileEntry> | null> {
    const files =
      (await this.#snapshots.filesOf(head)) ?? (await this.#snapshots.read(head.repository, head.ref))?.files;
    if (!files) return null;
    const list = new Map(files.map((file) => [file.path, file]));
    this.#lists.set(head.manifest, list);
    return list;
  }

  async #hold(entries: readonly FileEntry[]): Promise<MemoryFile[]> {
    const batches = new Map<string, ContentBatch>();
    const missing = new Map<string, FileEntry>();
    for (const entry of entries) {
      const batch = this.#batches.get(keyOf(entry));
      if (batch) batches.set(keyOf(entry), batch);
      else missing.set(keyOf(entry), entry);
    }
    for await (const batch of this.#contents.read([...missing.values()])) {
      const key = keyOf(batch.contents[0]!);
      batches.set(key, batch);
      this.#batches.set(key, batch);
    }
    return entries.flatMap((entry) => {
      const batch = batches.get(keyOf(entry));
      return batch ? [{ entry, batch }] : [];
    });
  }
}

function keyOf({ blobId, language }: { readonly blobId: string; readonly language: string }): string {
  return `${blobId} ${language}`;
}

/** An estimate: unpacked postings take several times their packed size. */
function bytesOf({ contents, postings }: ContentBatch): number {
  const content = contents[0]!;
  const entries = postings.text.docs.length + postings.symbol.docs.length + postings.reference.docs.length;
  const terms = postings.text.terms.length + postings.symbol.terms.length + postings.reference.terms.length;
  return content.text.length + content.detail.length + (content.vectors?.length ?? 0) + entries * 6 + terms * 100;
}
