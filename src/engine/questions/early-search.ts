/**
 * Searches the files that a first index has read so far, for the page. Every other caller waits for the published tree.
 */
import type { EarlyAnswer, SearchAnswer, SearchRequest } from '../../model/records/query.ts';
import { hasTree, type OpenProjects } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import type { IndexRuns } from '../runs/index-runs.ts';
import type { PartialTree } from '../runs/run-preview.ts';
import { checkQuery } from './check-request.ts';
import { MAX_HITS, type SearchCalls } from './search-calls.ts';

interface EarlyParts {
  readonly projects: OpenProjects;
  readonly runs: IndexRuns;
  readonly searching: SearchCalls<OpenedProject>;
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
    // A provider embeds only when all files are read, so there may be no vectors yet.
    const searchable: SearchRequest = vectorCount > 0 ? request : { ...request, mode: 'keyword' };
    const ranked = await this.#parts.searching.rank(presenter, searchable, []);
    const answer: SearchAnswer = {
      ...ranked,
      cacheHit: false,
      freshness: { status: 'syncing', pending: [], ref: branch ?? 'live', indexedAtMs: publishedAtMs },
      durationMs: performance.now() - started,
    };
    return { answer, filesDone: done, filesTotal: total };
  }
}
