/**
 * Removes derived contents that no published snapshot names: those of removed repositories, changed files, and versions
 * of Sextant no longer in use. No worker may run meanwhile (COLLECTING), because a worker relies on contents that it
 * has found.
 */
import { indexName } from '../opensearch/indices.ts';
import type { Reply, SearchCluster } from '../opensearch/search-cluster.ts';
import type { PublishedSnapshots, SnapshotHead } from '../snapshots/published-snapshots.ts';
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

/** Name of the lease that locks all repositories. */
export const COLLECTING = ' collecting';
const PAGE = 5_000;
/** Content ids held in memory at once; with more of them, the snapshots are read several times. */
const NAMED_AT_ONCE = 2_000_000;

export async function collectGarbage(
  cluster: SearchCluster,
  prefix: string,
  snapshots: PublishedSnapshots,
  beat: () => Promise<void>,
  namedAtOnce = NAMED_AT_ONCE,
): Promise<Collected> {
  const index = indexName(prefix, 'blobs');
  await cluster.ask({ method: 'POST', path: `/${index}/_refresh` });
  const heads = await snapshots.heads();
  const removed = { contents: 0, bytes: 0 };
  for (const beginning of idPrefixes(heads, namedAtOnce)) {
    const named = await namedContents(snapshots, heads, beginning, beat);
    for await (const hits of contentsFrom(cluster, index, beginning)) {
      const gone = hits.filter(({ _id }) => !named.has(_id));
      if (gone.length > 0) {
        const lines = gone.map(({ _id }) => ({ delete: { _index: index, _id } }));
        await cluster.ask({ method: 'POST', path: '/_bulk', lines });
      }
      removed.contents += gone.length;
      removed.bytes += gone.reduce((sum, { _source }) => sum + _source.bytes, 0);
      await beat();
    }
  }
  return removed;
}

/** Splits all ids into groups of about `namedAtOnce` by their first digits, which are equally distributed. */
function idPrefixes(heads: readonly SnapshotHead[], namedAtOnce: number): readonly string[] {
  const files = heads.reduce((sum, { summary }) => sum + summary.files, 0);
  let beginnings = [''];
  while (files / beginnings.length > namedAtOnce)
    beginnings = beginnings.flatMap((beginning) => [...'0123456789abcdef'].map((digit) => beginning + digit));
  return beginnings;
}

async function* contentsFrom(
  cluster: SearchCluster,
  index: string,
  beginning: string,
): AsyncGenerator<Page['hits']['hits']> {
  for (let after: readonly unknown[] | undefined; ; ) {
    const { body }: Reply<Page> = await cluster.ask({
      method: 'POST',
      path: `/${index}/_search`,
      query: { allow_partial_search_results: false },
      body: {
        size: PAGE,
        _source: ['bytes'],
        query: { prefix: { blob: beginning } },
        sort: [{ blob: 'asc' }, { language: 'asc' }, { extractor: 'asc' }],
        ...(after ? { search_after: after } : {}),
      },
    });
    const hits: Page['hits']['hits'] = body.hits.hits;
    yield hits;
    if (hits.length < PAGE) return;
    after = hits.at(-1)!.sort;
  }
}

async function namedContents(
  snapshots: PublishedSnapshots,
  heads: readonly SnapshotHead[],
  beginning: string,
  beat: () => Promise<void>,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const { repository, ref } of heads) {
    const snapshot = await snapshots.read(repository, ref);
    const extractor = String(snapshot?.options.extractor);
    for (const file of snapshot?.files ?? [])
      if (file.blobId.startsWith(beginning)) named.add(contentIdOf(file, extractor));
    await beat();
  }
  return named;
}
