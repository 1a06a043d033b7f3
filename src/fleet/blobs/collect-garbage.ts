/**
 * Removes derived contents that no published snapshot names: of removed repositories, changed files, and versions of
 * Sextant no longer in use. No worker may run meanwhile (COLLECTING), because a worker relies on the contents that it
 * found.
 */
import { indexName } from '../opensearch/indices.ts';
import type { Reply, SearchCluster } from '../opensearch/search-cluster.ts';
import type { PublishedSnapshots } from '../snapshots/published-snapshots.ts';
import { contentIdOf } from './fleet-contents.ts';

export interface Collected {
  readonly contents: number;
  readonly bytes: number;
}

interface Page {
  readonly hits: {
    readonly hits: readonly { _id: string; readonly _source: { readonly bytes: number }; readonly sort: unknown[] }[];
  };
}

/** The lease that stands for all repositories. */
export const COLLECTING = ' collecting';
const PAGE = 5_000;

export async function collectGarbage(
  cluster: SearchCluster,
  prefix: string,
  snapshots: PublishedSnapshots,
  beat: () => Promise<void>,
): Promise<Collected> {
  const named = await namedContents(snapshots, beat);
  const index = indexName(prefix, 'blobs');
  await cluster.ask({ method: 'POST', path: `/${index}/_refresh` });
  let [contents, bytes] = [0, 0];
  let after: readonly unknown[] | null = null;
  for (;;) {
    const { body }: Reply<Page> = await cluster.ask({
      method: 'POST',
      path: `/${index}/_search`,
      query: { allow_partial_search_results: false },
      body: {
        size: PAGE,
        _source: ['bytes'],
        query: { match_all: {} },
        sort: [{ blob: 'asc' }, { language: 'asc' }, { extractor: 'asc' }],
        ...(after ? { search_after: after } : {}),
      },
    });
    const hits: Page['hits']['hits'] = body.hits.hits;
    const gone = hits.filter(({ _id }) => !named.has(_id));
    if (gone.length > 0) {
      const lines = gone.map(({ _id }) => ({ delete: { _index: index, _id } }));
      await cluster.ask({ method: 'POST', path: '/_bulk', lines });
    }
    contents += gone.length;
    bytes += gone.reduce((sum, { _source }) => sum + _source.bytes, 0);
    await beat();
    if (hits.length < PAGE) return { contents, bytes };
    after = hits.at(-1)!.sort;
  }
}

async function namedContents(snapshots: PublishedSnapshots, beat: () => Promise<void>): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const { repository, ref } of await snapshots.heads()) {
    const snapshot = await snapshots.read(repository, ref);
    const extractor = String(snapshot?.options.extractor);
    for (const file of snapshot?.files ?? []) named.add(contentIdOf(file, extractor));
    await beat();
  }
  return named;
}
