/**
 * Stores recorded discoveries in the index `memory`, one document each, with repository and author. A removed discovery
 * leaves a tombstone, so that nodes with a copy learn of the removal.
 */
import type { Discovery } from '../../model/records/discovery.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { textTerms } from '../../model/text/terms.ts';
import { deleteMatching } from '../opensearch/delete-matching.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { VersionedDocuments } from '../opensearch/versioned-document.ts';

export interface SharedDiscovery {
  readonly repository: string;
  readonly id: string;
  readonly author: string;
  readonly type: string;
  readonly writtenAtMs: number;
  readonly isRemoved: boolean;
  /** The discovery's terms, which questions across repositories search. */
  readonly words: string;
  readonly discovery: Discovery;
}

const ATTEMPTS = 20;
/** Maximum discoveries that a question across repositories ranks. */
const MAX_FOUND = 300;

export class SharedDiscoveries {
  readonly #cluster: SearchCluster;
  readonly #index: string;
  readonly #documents: VersionedDocuments<SharedDiscovery>;

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'memory');
    this.#documents = new VersionedDocuments(cluster, this.#index);
  }

  /** Documents written at this time or later, oldest first, tombstones included. */
  since(repository: string, writtenAtMs: number): Promise<readonly SharedDiscovery[]> {
    const filter = [{ term: { repository } }, { range: { writtenAtMs: { gte: writtenAtMs } } }];
    return this.#documents.find({ bool: { filter } }, [{ writtenAtMs: 'asc' }, { id: 'asc' }]);
  }

  /** Returns null for an unknown or removed discovery. */
  async find(repository: string, id: string): Promise<SharedDiscovery | null> {
    const { document } = await this.#documents.read(documentId(repository, id));
    return document && !document.isRemoved ? document : null;
  }

  /** The discoveries of several repositories with most of the query's terms; all if the query has none. */
  async matching(repositories: readonly string[], terms: readonly string[]): Promise<readonly SharedDiscovery[]> {
    const filter = [{ terms: { repository: repositories } }, { term: { isRemoved: false } }];
    const should = terms.map((term) => ({ term: { words: term } }));
    const query = { bool: { filter, should, minimum_should_match: should.length > 0 ? 1 : 0 } };
    const { body } = await this.#cluster.ask<{ hits: { hits: { _source: SharedDiscovery }[] } }>({
      method: 'POST',
      path: `/${this.#index}/_search`,
      query: { allow_partial_search_results: false },
      body: { size: MAX_FOUND, query, sort: ['_score', { writtenAtMs: 'desc' }, { id: 'asc' }] },
    });
    return body.hits.hits.map(({ _source }) => _source);
  }

  /**
   * Writes the result of `next` on the current document and repeats on a conflict; null writes nothing. Returns the
   * stored document.
   */
  async change(
    repository: string,
    id: string,
    next: (now: SharedDiscovery | null) => { readonly discovery: Discovery; readonly isRemoved: boolean } | null,
  ): Promise<SharedDiscovery | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await this.#documents.read(documentId(repository, id));
      const wanted = next(before.document);
      if (!wanted) return before.document;
      const written = documentOf(repository, wanted.discovery, wanted.isRemoved, before.document);
      const isOurs = (now: SharedDiscovery) =>
        now.writtenAtMs === written.writtenAtMs && now.discovery.content === written.discovery.content;
      if (await this.#documents.replace(documentId(repository, id), before, written, isOurs)) return written;
    }
    throw new EngineError('fleet_unavailable', { reason: `${id} is changed by many at once`, seconds: 1 });
  }

  async drop(repository: string): Promise<void> {
    await deleteMatching(this.#cluster, this.#index, { term: { repository } });
  }
}

/** Nodes keep the newer of two documents, so a later write must not get an earlier time from a slow clock. */
function documentOf(
  repository: string,
  discovery: Discovery,
  isRemoved: boolean,
  before: SharedDiscovery | null,
): SharedDiscovery {
  const later = Math.max(Date.now(), (before?.writtenAtMs ?? 0) + 1);
  const dateMs = Math.max(discovery.dateMs, (before?.discovery.dateMs ?? 0) + 1);
  const { id, type, content, module, author = '' } = discovery;
  return {
    repository,
    id,
    author,
    type,
    writtenAtMs: later,
    isRemoved,
    words: textTerms(`${content} ${module}`).join(' '),
    discovery: { ...discovery, dateMs },
  };
}

function documentId(repository: string, id: string): string {
  return `${repository} ${id}`;
}
