/** Deletes documents by query, in requests that each end well before their timeout, however many documents match. */
import type { SearchCluster } from './search-cluster.ts';

interface Deleted {
  /** Documents that the request selected. */
  readonly total: number;
}

const AT_ONCE = 2_000;

/** Resolves when searches no longer find them. Documents that another writer changes meanwhile are skipped. */
export async function deleteMatching(
  cluster: SearchCluster,
  index: string,
  query: unknown,
  atOnce = AT_ONCE,
): Promise<void> {
  for (let total = atOnce; total >= atOnce; ) {
    const { body } = await cluster.ask<Deleted>({
      method: 'POST',
      path: `/${index}/_delete_by_query`,
      query: { conflicts: 'proceed', refresh: 'true', max_docs: atOnce, scroll_size: Math.min(atOnce, 1_000) },
      body: { query },
    });
    total = body.total;
  }
}
