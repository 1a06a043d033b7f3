/** The catalogue: the fleet's repositories, who may see them, which wait for a worker, and their last failure. */
import { randomUUID } from 'node:crypto';
import { EngineError } from '../../model/records/engine-errors.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import { VersionedDocuments } from '../opensearch/versioned-document.ts';

export interface RepositoryRecord {
  readonly kind: 'repo';
  /** The name that people and agents use: "github.com/acme/billing". */
  readonly name: string;
  readonly url: string;
  /** Null for the remote's HEAD branch. */
  readonly ref: string | null;
  /** Groups that may see it; empty for every subject of the fleet. */
  readonly groups: readonly string[];
  readonly addedAtMs: number;
  /** When it began to wait for a worker; null if it does not wait. */
  readonly wantedAtMs: number | null;
  /** When a worker last compared it with its remote. */
  readonly checkedAtMs: number | null;
  /** The branch that was indexed: `ref`, or what HEAD named. */
  readonly branch: string | null;
  readonly failure: string | null;
  /** Its number in the search documents: assigned once by the first worker, and never reused. */
  readonly number?: number;
}

export type NewRepository = Pick<RepositoryRecord, 'name' | 'url' | 'ref' | 'groups'>;
type Change = (record: RepositoryRecord) => Partial<RepositoryRecord>;

const UPDATE_ATTEMPTS = 20;

/** The next repository number. */
interface Counter {
  readonly kind: 'counter';
  readonly next: number;
  /** A token of the writer, so that two writers that count to the same number do not both take it. */
  readonly token: string;
}

const COUNTER_ID = 'counter';

/** The repositories that changed last, and the total number. */
export interface LatestChanges {
  readonly total: number;
  /** Latest first. */
  readonly changed: readonly { readonly record: RepositoryRecord; readonly seqNo: number }[];
}

export class Repositories {
  readonly #cluster: SearchCluster;
  readonly #index: string;
  readonly #documents: VersionedDocuments<RepositoryRecord>;
  readonly #counter: VersionedDocuments<Counter>;

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'repos');
    this.#documents = new VersionedDocuments(cluster, this.#index);
    this.#counter = new VersionedDocuments(cluster, this.#index);
  }

  /**
   * Registers a repository; it then waits for a worker. Returns false if it was registered: its URL and groups are
   * updated.
   */
  async add(given: NewRepository): Promise<boolean> {
    const now = Date.now();
    const since = { addedAtMs: now, wantedAtMs: now, checkedAtMs: null, branch: null, failure: null };
    const record: RepositoryRecord = { kind: 'repo', ...given, ...since };
    const before = await this.#documents.read(repositoryId(given.name));
    const isOurs = ({ addedAtMs, url }: RepositoryRecord) => addedAtMs === now && url === given.url;
    if (!before.document && (await this.#documents.replace(repositoryId(given.name), before, record, isOurs)))
      return true;
    await this.update(given.name, () => ({ ...given, wantedAtMs: now }));
    return false;
  }

  async find(name: string): Promise<RepositoryRecord | null> {
    return (await this.#documents.read(repositoryId(name))).document;
  }

  /** Changes the record, also under concurrent writes; returns false if the repository was removed. */
  async update(name: string, change: Change): Promise<boolean> {
    for (let attempt = 0; attempt < UPDATE_ATTEMPTS; attempt++) {
      const before = await this.#documents.read(repositoryId(name));
      if (!before.document) return false;
      const changed = { ...before.document, ...change(before.document) };
      // If the reply to a successful change was lost, the next attempt finds nothing left to do.
      if (await this.#documents.replace(repositoryId(name), before, changed, () => false)) return true;
    }
    throw new EngineError('fleet_unavailable', { reason: `${name} is changed by many at once`, seconds: 1 });
  }

  /** The number of a registered repository; assigns one if it has none. */
  async numberOf(name: string): Promise<number> {
    let number = (await this.find(name))?.number;
    if (number !== undefined) return number;
    const free = await this.#nextNumber();
    await this.update(name, (record) => {
      number = record.number ?? free;
      return { number };
    });
    return number ?? free;
  }

  async #nextNumber(): Promise<number> {
    for (let attempt = 0; attempt < UPDATE_ATTEMPTS; attempt++) {
      const before = await this.#counter.read(COUNTER_ID);
      const number = before.document?.next ?? 0;
      const counter: Counter = { kind: 'counter', next: number + 1, token: randomUUID() };
      const isOurs = ({ token }: Counter) => token === counter.token;
      if (await this.#counter.replace(COUNTER_ID, before, counter, isOurs)) return number;
    }
    throw new EngineError('fleet_unavailable', { reason: 'repositories are numbered by many at once', seconds: 1 });
  }

  async remove(name: string): Promise<boolean> {
    return this.#documents.remove(repositoryId(name));
  }

  /** All repositories, sorted by name. */
  async list(): Promise<readonly RepositoryRecord[]> {
    return this.#documents.find({ term: { kind: 'repo' } }, [{ name: 'asc' }]);
  }

  /** The last changes, up to a second old. One request, whatever the size of the catalogue. */
  async latestChanges(limit: number): Promise<LatestChanges> {
    interface Found {
      readonly total: { readonly value: number };
      readonly hits: readonly { readonly _source: RepositoryRecord; readonly _seq_no: number }[];
    }
    const { body } = await this.#cluster.ask<{ hits: Found }>({
      method: 'POST',
      path: `/${this.#index}/_search`,
      query: { allow_partial_search_results: false },
      body: {
        size: limit,
        track_total_hits: true,
        seq_no_primary_term: true,
        query: { term: { kind: 'repo' } },
        sort: [{ _seq_no: 'desc' }],
      },
    });
    const { total, hits } = body.hits;
    return {
      total: total.value,
      changed: hits.map(({ _source, _seq_no }) => ({ record: _source, seqNo: _seq_no })),
    };
  }

  /** The repositories that wait for a worker, longest first. */
  async wanted(): Promise<readonly RepositoryRecord[]> {
    const filter = [{ term: { kind: 'repo' } }, { exists: { field: 'wantedAtMs' } }];
    return this.#documents.find({ bool: { filter } }, [{ wantedAtMs: 'asc' }, { name: 'asc' }]);
  }
}

function repositoryId(name: string): string {
  return `repo ${name}`;
}
