/**
 * Searches recorded discoveries across repositories: OpenSearch finds the discoveries that share terms with the query,
 * and the code that ranks one project's memory ranks them beside the code of the repositories.
 */

import type { ContextRequest } from '../../engine/engine.ts';
import { transientMemory } from '../../engine/memory/passing-memory.ts';
import { searchKnown } from '../../engine/memory/search-known.ts';
import type { Models } from '../../engine/model-loader.ts';
import { checkQuery } from '../../engine/questions/check-request.ts';
import { discoveriesWithin } from '../../engine/workspaces/joined-memory.ts';
import type { ContextAnswer, Discovery } from '../../model/records/discovery.ts';
import type { SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import { understand } from '../../search/index.ts';
import { contentTree } from '../../store/index.ts';
import type { SharedDiscoveries, SharedDiscovery } from '../memory/shared-discoveries.ts';
import type { Derivation } from '../worker/derivation.ts';

export interface CrossMemoryParts {
  readonly models: Models;
  readonly derivation: Derivation;
  readonly shared: SharedDiscoveries;
}

export class CrossMemory {
  readonly #parts: CrossMemoryParts;

  constructor(parts: CrossMemoryParts) {
    this.#parts = parts;
  }

  /** `repositories` are the names of those that the subject may see. */
  async search(
    repositories: readonly string[],
    request: ContextRequest,
    searchCode: (request: SearchRequest) => Promise<SearchAnswer>,
  ): Promise<ContextAnswer> {
    checkQuery(request);
    const { models, derivation, shared } = this.#parts;
    const terms = understand(request.query).terms.map(({ term }) => term);
    const discoveries = named(await shared.matching(repositories, terms));
    const { modelId, dims } = derivation;
    const { view } = contentTree([], { root: 'the fleet', modelId, dims, publishedAtMs: 0 });
    let indexedAtMs = 0;
    let snapshot: string | undefined;
    const known = {
      memory: transientMemory(models.embedder),
      view,
      discoveries,
      moduleOf: (path: string) => path.slice(0, path.lastIndexOf('/')),
      dateOf: () => indexedAtMs,
    };
    const found = await searchKnown(models, known, request, async (wanted) => {
      const answer = await searchCode({ ...wanted, stateless: true });
      indexedAtMs = answer.freshness.indexedAtMs ?? 0;
      snapshot = answer.freshness.snapshot;
      return answer;
    });
    return { ...found, ...(snapshot === undefined ? {} : { snapshot }) };
  }

  /** The latest discoveries. */
  async list(repositories: readonly string[]): Promise<readonly Discovery[]> {
    return named(await this.#parts.shared.matching(repositories, []));
  }
}

function named(found: readonly SharedDiscovery[]): Discovery[] {
  const each = found.map(({ repository, discovery }) => ({
    place: { name: repository, root: repository, folder: '' },
    discoveries: [discovery],
  }));
  return discoveriesWithin(each);
}
