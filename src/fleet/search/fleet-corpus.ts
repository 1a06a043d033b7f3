/**
 * How often words stand in everything that is asked: counts over all files that the subject may see, and no others, so
 * that features of files of several repositories can be compared and counts reveal nothing of hidden ones.
 */
import type { CorpusStatistics } from '../../model/records/corpus-statistics.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import type { Query } from './candidate-queries.ts';
import { RecentlyUsed } from './recently-used.ts';

type Totals = Omit<CorpusStatistics, 'chunksWith' | 'pathsWith' | 'contentsReferring'>;
type Buckets = Readonly<Record<string, { readonly doc_count: number; readonly contents?: { readonly value: number } }>>;

interface TotalsReply {
  readonly hits: { readonly total: { readonly value: number } };
  readonly aggregations: Readonly<Record<'chunks' | 'names' | 'docs' | 'body', { readonly value: number }>> & {
    readonly depth: { readonly buckets: readonly { readonly key: number; readonly doc_count: number }[] };
  };
}

export interface CountedWords {
  readonly terms: readonly string[];
  /** Keys of the reference space: nameKey(), or behind a mark. */
  readonly references: readonly string[];
}

const FRESH_MS = 10_000;
const KEPT = 200;
const DEEPEST = 60;
/** Counts of different contents are exact up to about here. */
const EXACT_CONTENTS = 200;

export class FleetCorpus {
  readonly #cluster: SearchCluster;
  readonly #index: string;
  readonly #totals = new RecentlyUsed<{ readonly atMs: number; readonly totals: Promise<Totals> }>(KEPT, () => 1);

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'chunks');
  }

  /** `repositories`: those that are asked. Words that were not counted are counted by `otherwise`. */
  async of(
    repositories: readonly string[],
    { terms, references }: CountedWords,
    otherwise: Pick<CorpusStatistics, 'chunksWith' | 'pathsWith' | 'contentsReferring'>,
  ): Promise<CorpusStatistics> {
    const within = { terms: { repository: repositories } };
    const [totals, counts] = await Promise.all([
      this.#totalsOf(repositories, within),
      this.#count(within, terms, references),
    ]);
    const inText = countsBy(terms, counts.text);
    const inPaths = countsBy(terms, counts.paths);
    const referring = countsBy(references, counts.references);
    return {
      ...totals,
      chunksWith: (term) => inText.get(term) ?? otherwise.chunksWith(term),
      pathsWith: (term) => inPaths.get(term) ?? otherwise.pathsWith(term),
      contentsReferring: (name) => referring.get(name) ?? otherwise.contentsReferring(name),
    };
  }

  #totalsOf(repositories: readonly string[], within: Query): Promise<Totals> {
    const key = repositories.join('\n');
    const known = this.#totals.get(key);
    if (known && Date.now() - known.atMs < FRESH_MS) return known.totals;
    const totals = this.#readTotals(within);
    this.#totals.set(key, { atMs: Date.now(), totals });
    totals.catch(() => this.#totals.set(key, { atMs: 0, totals }));
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

  async #count(within: Query, terms: readonly string[], references: readonly string[]) {
    const filters = (values: readonly string[], query: (value: string) => Query) => ({
      filters: { filters: Object.fromEntries(values.map((value, i) => [`n${i}`, query(value)])) },
    });
    const contents = { aggs: { contents: { cardinality: { field: 'blob', precision_threshold: EXACT_CONTENTS } } } };
    const inFields = (value: string) => ({
      bool: { should: ['body', 'names', 'docs'].map((field) => ({ term: { [field]: value } })) },
    });
    const search = (conditions: readonly Query[], aggs: Query) => [
      { index: this.#index, allow_partial_search_results: false },
      { size: 0, track_total_hits: false, query: { bool: { filter: [within, ...conditions] } }, aggs },
    ];
    const isFile = { term: { kind: 'file' } };
    const isCounted = { bool: { filter: [{ term: { kind: 'chunk' } }], must_not: [{ term: { type: 'symbols' } }] } };
    const ofPaths = filters(terms, (value) => ({ term: { pathTerms: value } }));
    const ofReferences = filters(references, (value) => ({ term: { references: value } }));
    const lines = [
      ...(terms.length > 0 ? search([isCounted], { counts: filters(terms, inFields) }) : []),
      ...(terms.length > 0 ? search([isFile], { counts: ofPaths }) : []),
      ...(references.length > 0 ? search([isFile], { counts: { ...ofReferences, ...contents } }) : []),
    ];
    if (lines.length === 0) return { text: {}, paths: {}, references: {} };
    const { body } = await this.#cluster.ask<{
      responses: { aggregations: { counts: { buckets: Buckets } } }[];
    }>({ method: 'POST', path: '/_msearch', lines, parts: true });
    const found = body.responses.map(({ aggregations }) => aggregations.counts.buckets);
    const [text = {}, paths = {}] = terms.length > 0 ? found : [];
    return { text, paths, references: (references.length > 0 && found.at(-1)) || {} };
  }
}

function countsBy(values: readonly string[], buckets: Buckets): ReadonlyMap<string, number> {
  return new Map(
    values.flatMap((value, i) => {
      const bucket = buckets[`n${i}`];
      return bucket ? [[value, bucket.contents?.value ?? bucket.doc_count] as const] : [];
    }),
  );
}
