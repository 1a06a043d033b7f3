/**
 * Searching while the first index is made, over the files that were read by then: for people who look on. Everybody
 * else waits for the published tree.
 */
import type { EarlyAnswer, SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import type { IndexRuns } from '../runs/index-runs.ts';
import type { PartialTree } from '../runs/run-preview.ts';
import { checkQuery } from './check-request.ts';
import { MAX_HITS, type Searching } from './search-calls.ts';

interface EarlyParts {
  readonly projects: OpenProjects;
  readonly runs: IndexRuns;
  readonly searching: Searching<OpenedProject>;
}

export class EarlySearch {
  readonly #parts: EarlyParts;

  constructor(parts: EarlyParts) {
    this.#parts = parts;
  }

  async answer(path: string, request: SearchRequest, knownFiles = 0): Promise<EarlyAnswer | null> {
    checkQuery(request, MAX_HITS);
    const { projects, runs } = this.#parts;
    const opened = await projects.around(path);
    if (hasTree(opened)) return null;
    const preview = runs.previewAt(opened.resolved.root);
    if (!preview) return null;
    return preview.ask(async (tree) => (tree.done > knownFiles ? this.#ask(tree, request) : null));
  }

  async #ask({ presenter, done, total }: PartialTree, request: SearchRequest): Promise<EarlyAnswer> {
    const started = performance.now();
    const { branch, publishedAtMs, vectorCount } = presenter.view.info;
    // A provider is asked for vectors when all files are read.
    const wanted: SearchRequest = vectorCount > 0 ? request : { ...request, mode: 'keyword' };
    const made = await this.#parts.searching.rank(presenter, wanted, []);
    const answer: SearchAnswer = {
      ...made,
      cacheHit: false,
      freshness: { status: 'syncing', pending: [], ref: branch ?? 'live', indexedAtMs: publishedAtMs },
      durationMs: performance.now() - started,
    };
    return { answer, filesDone: done, filesTotal: total };
  }
}
