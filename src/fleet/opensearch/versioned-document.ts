/**
 * Reads and replaces a document by compare-and-set: `seq_no` and `primary_term` tell whether it is still the one that
 * was read.
 */
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Reply, SearchCluster } from './search-cluster.ts';

export interface Versioned<T> {
  readonly document: T | null;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

interface Page<T> {
  readonly hits: { readonly hits: readonly { readonly _source: T; readonly sort: readonly unknown[] }[] };
}

type Condition = Readonly<Record<string, string | number>>;

export class VersionedDocuments<T extends object> {
  readonly #cluster: SearchCluster;
  readonly #index: string;

  constructor(cluster: SearchCluster, index: string) {
    this.#cluster = cluster;
    this.#index = index;
  }

  /** Reads the last written version, even if searches do not find it yet. */
  async read(id: string): Promise<Versioned<T>> {
    const { status, body } = await this.#cluster.ask<{ _seq_no: number; _primary_term: number; _source: T }>({
      method: 'GET',
      path: this.#path(id),
      expected: [404],
    });
    if (status !== 404) return { document: body._source, seqNo: body._seq_no, primaryTerm: body._primary_term };
    // For a missing index, OpenSearch returns an error object instead of "not found".
    if ('error' in body) throw new EngineError('fleet_not_set_up', {});
    return { document: null, seqNo: -1, primaryTerm: -1 };
  }

  /**
   * Replaces the document; returns false if it has changed since it was read. A request whose response was lost is sent
   * again and finds its own write, which `isOurs` recognises.
   */
  async replace(id: string, before: Versioned<T>, document: T, isOurs: (now: T) => boolean): Promise<boolean> {
    const condition: Condition = before.document
      ? { if_seq_no: before.seqNo, if_primary_term: before.primaryTerm }
      : { op_type: 'create' };
    if (await this.#write(id, condition, document)) return true;
    const now = await this.read(id);
    if (now.document === null || !isOurs(now.document)) return false;
    // The write is on the primary but may not be on any replica; without a quorum it would be lost. Writing it once
    // more gets an acknowledgement, or the error that the fleet is unavailable.
    const same: Condition = { if_seq_no: now.seqNo, if_primary_term: now.primaryTerm };
    if (await this.#write(id, same, document, true)) return true;
    const { document: later } = await this.read(id);
    return later !== null && isOurs(later);
  }

  async #write(id: string, condition: Condition, document: T, once = false): Promise<boolean> {
    const { status } = await this.#cluster.ask({
      method: 'PUT',
      path: this.#path(id),
      query: { ...condition, refresh: 'true' },
      body: document,
      expected: [409],
      ...(once ? { once: true as const } : {}),
    });
    return status !== 409;
  }

  /** Removes the document; returns false if there was none. */
  async remove(id: string): Promise<boolean> {
    const { status } = await this.#cluster.ask({
      method: 'DELETE',
      path: this.#path(id),
      query: { refresh: 'true' },
      expected: [404],
    });
    return status !== 404;
  }

  /** All matching documents, up to a second old. `sort` must end with a unique field. */
  async find(query: unknown, sort: unknown): Promise<T[]> {
    const found: T[] = [];
    for (let after: readonly unknown[] | undefined; ; ) {
      const { body }: Reply<Page<T>> = await this.#cluster.ask({
        method: 'POST',
        path: `/${this.#index}/_search`,
        query: { allow_partial_search_results: false },
        body: { size: PAGE, query, sort, ...(after ? { search_after: after } : {}) },
      });
      const { hits } = body.hits;
      for (const { _source } of hits) found.push(_source);
      if (hits.length < PAGE) return found;
      after = hits.at(-1)!.sort;
    }
  }

  #path(id: string): string {
    return `/${this.#index}/_doc/${encodeURIComponent(id)}`;
  }
}

/** OpenSearch's maximum per response. */
const PAGE = 10_000;
