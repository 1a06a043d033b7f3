/**
 * Counts in which repositories, languages and kinds of symbols the terms of a question occur, over everything that the
 * subject may see.
 */
import type { Understood } from '../../search/index.ts';
import { indexName } from '../opensearch/indices.ts';
import type { SearchCluster } from '../opensearch/search-cluster.ts';
import type { Query } from './candidate-queries.ts';

interface Counted {
  readonly buckets: readonly { readonly key: string; readonly doc_count: number }[];
}

const SHOWN = 5;
const FACETS = { repositories: 'repository', languages: 'language', kinds: 'symbolKind' } as const;
/** Minimum weight of a term that counts as a part of the question. */
const WHOLE_WEIGHT = 1;

export class Facets {
  readonly #cluster: SearchCluster;
  readonly #index: string;

  constructor(cluster: SearchCluster, prefix: string) {
    this.#cluster = cluster;
    this.#index = indexName(prefix, 'chunks');
  }

  /** One line of text per facet; counts chunks that have most of the question's terms. Empty without such chunks. */
  async of({ terms }: Understood, filter: readonly Query[]): Promise<string[]> {
    const whole = terms.filter(({ weight }) => weight >= WHOLE_WEIGHT).map(({ term }) => term);
    if (whole.length === 0) return [];
    const should = whole.map((value) => ({
      bool: { should: ['body', 'names', 'docs'].map((field) => ({ term: { [field]: value } })) },
    }));
    const mostTerms = { bool: { should, minimum_should_match: Math.ceil(whole.length * 0.6) } };
    const { body } = await this.#cluster.ask<{ aggregations: Readonly<Record<keyof typeof FACETS, Counted>> }>({
      method: 'POST',
      path: `/${this.#index}/_search`,
      query: { allow_partial_search_results: false },
      body: {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter: [...filter, { term: { kind: 'chunk' } }, mostTerms] } },
        aggs: Object.fromEntries(
          Object.entries(FACETS).map(([name, field]) => [name, { terms: { field, size: SHOWN, shard_size: 50 } }]),
        ),
      },
    });
    return Object.keys(FACETS).flatMap((name) => {
      const { buckets } = body.aggregations[name as keyof typeof FACETS];
      return buckets.length > 0
        ? [`${name}: ${buckets.map(({ key, doc_count }) => `${key} ${doc_count}`).join(', ')}`]
        : [];
    });
  }
}
