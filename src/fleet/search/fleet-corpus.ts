/**
 * Counts how often terms occur in all files that the subject may see, and in no others, so that features of files of
 * several repositories are comparable and counts reveal nothing of hidden ones.
 */
import type { CorpusStatistics } from '../../model/records/corpus-statistics.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import type { Query } from './candidate-queries.ts';
import { RecentlyUsed } from './recently-used.ts';
import type { RepositorySet } from './repository-set.ts';

type Totals = Omit<CorpusStatistics, 'chunksWith' | 'pathsWith' | 'contentsReferring'>;
/** What is counted: chunks with a term, files whose path has it, contents that refer to a name. */
type Kind = 'text' | 'paths' | 'references';
type Counts = Readonly<Record<Kind, ReadonlyMap<string, number>>>;
type Buckets = Readonly<Record<string, { readonly doc_count: number }>>;

interface TotalsReply {
  readonly hits: { readonly total: { readonly value: number } };
  readonly aggregations: Readonly<Record<'chunks' | 'names' | 'docs' | 'body', { readonly value: number }>> & {
    readonly depth: { readonly buckets: readonly { readonly key: number; readonly doc_count: number }[] };
  };
}

/** The counts of one request, pending or done. */
interface CountRequest {
  atMs: number;
  readonly counts: Promise<Counts>;
}

export interface CountedWords {
  readonly terms: readonly string[];
  /** Keys of the reference space: nameKey(), or a key with a prefix. */
  readonly references: readonly string[];
}

const FRESH_MS = 10_000;
const KEPT = 200;
const KEPT_COUNTS = 50_000;
const DEEPEST = 60;

export class FleetCorpus {
  readonly #cluster: SearchCluster;
  readonly #index: string;
  readonly #totals = new RecentlyUsed<{ readonly atMs: number; readonly totals: Promise<Totals> }>(KEPT, () => 1);
  readonly #counted = new RecentlyUsed<CountRequest>(KEPT_COUNTS, () => 1);

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'chunks');
  }

  /** Starts to count terms that will be needed, while other work is done. */
  prepare(corpus: RepositorySet, terms: readonly string[]): void {
    // The caller that needs the counts gets the failure.
    this.#totalsOf(corpus).catch(() => undefined);
    this.#request(corpus, { terms, references: [] });
  }

  /** `corpus` are the queried repositories. Terms that were not requested are counted by `otherwise`. */
  async of(
    corpus: RepositorySet,
    words: CountedWords,
    otherwise: Pick<CorpusStatistics, 'chunksWith' | 'pathsWith' | 'contentsReferring'>,
  ): Promise<CorpusStatistics> {
    const requests = this.#request(corpus, words);
    const [totals, ...counts] = await Promise.all([
      this.#totalsOf(corpus),
      ...[...requests].map((request) => request.counts),
    ]);
    const find = (kind: Kind, value: string) => {
      for (const one of counts) if (one[kind].has(value)) return one[kind].get(value);
      return undefined;
    };
    return {
      ...totals,
      chunksWith: (term) => find('text', term) ?? otherwise.chunksWith(term),
      pathsWith: (term) => find('paths', term) ?? otherwise.pathsWith(term),
      contentsReferring: (name) => find('references', name) ?? otherwise.contentsReferring(name),
    };
  }

  /** Counts unknown terms in one request; returns all requests that hold the terms. */
  #request(corpus: RepositorySet, { terms, references }: CountedWords): ReadonlySet<CountRequest> {
    const requests = new Set<CountRequest>();
    const keyOf = (kind: 'term' | 'reference', value: string) => `${corpus.id} ${kind} ${value}`;
    const missing = (kind: 'term' | 'reference', values: readonly string[]) =>
      values.filter((value) => {
        const known = this.#counted.get(keyOf(kind, value));
        if (!known || Date.now() - known.atMs >= FRESH_MS) return true;
        requests.add(known);
        return false;
      });
    const words = { terms: missing('term', terms), references: missing('reference', references) };
    if (words.terms.length + words.references.length === 0) return requests;
    const request: CountRequest = { atMs: Date.now(), counts: this.#count(corpus.within, words) };
    request.counts.catch(() => {
      request.atMs = Number.NEGATIVE_INFINITY;
    });
    for (const term of words.terms) this.#counted.set(keyOf('term', term), request);
    for (const name of words.references) this.#counted.set(keyOf('reference', name), request);
    return requests.add(request);
  }

  #totalsOf({ id, within }: RepositorySet): Promise<Totals> {
    const known = this.#totals.get(id);
    if (known && Date.now() - known.atMs < FRESH_MS) return known.totals;
    const totals = this.#readTotals(within);
    this.#totals.set(id, { atMs: Date.now(), totals });
    totals.catch(() => this.#totals.set(id, { atMs: 0, totals }));
    return totals;
  }

  async #readTotals(within: Query): Promise<Totals> {
    const sum = (field: string) => ({ sum: { field } });
    const { body } = await this.#cluster.ask<TotalsReply>({
      method: 'POST',
      path: `/${this.#index}/_search`,
      query: { allow_partial_search_results: false },
      body: {
        size: 0,
        track_total_hits: true,
        query: { bool: { filter: [within, { term: { kind: 'file' } }] } },
        aggs: {
          chunks: sum('chunks'),
          names: sum('namesTerms'),
          docs: sum('docsTerms'),
          body: sum('bodyTerms'),
          depth: { terms: { field: 'depth', size: DEEPEST } },
        },
      },
    });
    const { chunks, names, docs, body: inBody, depth } = body.aggregations;
    const files = body.hits.total.value;
    const filesByDepth = Array.from({ length: DEEPEST }, () => 0);
    for (const { key, doc_count } of depth.buckets) if (key < DEEPEST) filesByDepth[key] = doc_count;
    const perChunk = (total: number) => total / Math.max(1, chunks.value) || 1;
    return {
      files,
      chunks: chunks.value,
      averageTerms: {
        names: perChunk(names.value),
        docs: perChunk(docs.value),
        body: perChunk(inBody.value),
        file: inBody.value / Math.max(1, files) || 1,
      },
      filesByDepth,
    };
  }

  /**
   * Filters without sub-aggregations: OpenSearch then visits only the documents that have a term, instead of all
   * documents for each term.
   */
  async #count(within: Query, { terms, references }: CountedWords): Promise<Counts> {
    const inFields = (value: string) => ({
      bool: { should: ['body', 'names', 'docs'].map((field) => ({ term: { [field]: value } })) },
    });
    const isFile = { term: { kind: 'file' } };
    const isChunk = { bool: { filter: [{ term: { kind: 'chunk' } }], must_not: [{ term: { type: 'symbols' } }] } };
    const plans: readonly Plan[] = [
      { kind: 'text', values: terms, among: [isChunk], query: inFields },
      { kind: 'paths', values: terms, among: [isFile], query: (value) => ({ term: { pathTerms: value } }) },
      {
        kind: 'references',
        values: references,
        among: [isFile, { term: { isFirst: true } }],
        query: (value) => ({ term: { references: value } }),
      },
    ];
    const request = plans.filter(({ values }) => values.length > 0);
    const lines = request.flatMap(({ values, among, query }) => [
      { index: this.#index, allow_partial_search_results: false },
      {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter: [within, ...among] } },
        aggs: {
          counts: { filters: { filters: Object.fromEntries(values.map((value, i) => [`n${i}`, query(value)])) } },
        },
      },
    ]);
    const { body } = await this.#cluster.ask<{
      responses: { aggregations: { counts: { buckets: Buckets } } }[];
    }>({ method: 'POST', path: '/_msearch', lines, parts: true });
    const counts = {
      text: new Map<string, number>(),
      paths: new Map<string, number>(),
      references: new Map<string, number>(),
    };
    request.forEach(({ kind, values }, at) => {
      const { buckets } = body.responses[at]!.aggregations.counts;
      for (const [i, value] of values.entries()) counts[kind].set(value, buckets[`n${i}`]!.doc_count);
    });
    return counts;
  }
}

/** One search of a count. */
interface Plan {
  readonly kind: Kind;
  readonly values: readonly string[];
  readonly among: readonly Query[];
  readonly query: (value: string) => Query;
}
