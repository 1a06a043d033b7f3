/** The calls that make an index, wait for it, watch it and report its state. */
import { join } from 'node:path';
import { removeDamaged } from '../../memory/notebook/derived-file.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Engine, IndexOptions, IndexReport, JobInfo, OnChange } from '../engine.ts';
import type { IndexFreshness } from '../freshness/index-freshness.ts';
import type { Models } from '../model-loader.ts';
import { isLargeTree } from '../projects/cache-path.ts';
import { hasTree, type OpenProjects, viewOrNull } from '../projects/open-projects.ts';
import type { OpenedProject } from '../projects/opened-project.ts';
import { checkIsProject, describeProject } from '../projects/project-registry.ts';
import { checkFields, checkRef } from '../questions/check-request.ts';
import type { IndexRuns } from './index-runs.ts';
import { buildStatus } from './project-status.ts';

/** How often a call that waits for a first index checks for it. */
const POLL_MS = 100;
/**
 * A call that indexes waits this long for a run of this engine's own watch: many times longer than indexing a changed
 * file takes. A watch's first index of a large project takes longer; then the call is refused with index_in_progress.
 */
const OWN_RUN_WAIT_MS = 5_000;

interface IndexParts {
  readonly projects: OpenProjects;
  readonly runs: IndexRuns;
  readonly indexFreshness: IndexFreshness;
  readonly models: Models;
}

export class IndexCalls {
  readonly #parts: IndexParts;

  constructor(parts: IndexParts) {
    this.#parts = parts;
  }

  async index(path: string, options: IndexOptions = {}): Promise<IndexReport> {
    const report = await this.run(path, options, OWN_RUN_WAIT_MS);
    removeDamaged(join(report.project.storeFolder, 'mined'));
    return report;
  }

  /** `ownRunWaitMs`: how long to wait for a run of this engine's own watch. */
  async run(path: string, options: IndexOptions, ownRunWaitMs = 0): Promise<IndexReport> {
    const { projects, runs, indexFreshness } = this.#parts;
    const opened = await this.#openForIndexing(path, options);
    await indexFreshness.waitForOwnRun(opened.resolved.root, ownRunWaitMs);
    const report = await runs.run(opened, options);
    indexFreshness.forget(opened.resolved.root);
    if (!hasTree(opened, options.ref)) return report;
    const view = opened.view(options.ref);
    // Derives the modules now, so that the next short command reads them from the cache.
    await projects.modulesOf(opened, view);
    if (report.mode === 'full' && isLargeTree(view)) {
      // Loaded on demand: an index run needs no other code of the search room.
      const { cachePathStats: keepPathStats } = await import('../projects/path-cache.ts');
      keepPathStats(opened.resolved.storeFolder, view);
    }
    return report;
  }

  async startIndex(path: string, options: IndexOptions = {}): Promise<JobInfo> {
    const { projects, runs, indexFreshness } = this.#parts;
    const opened = await this.#openForIndexing(path, options);
    await indexFreshness.waitForOwnRun(opened.resolved.root, OWN_RUN_WAIT_MS);
    const job = await runs.start(opened, options);
    // From now on the folder is a project of its own: its status must not be that of an enclosing project.
    projects.treatAsProject(opened.resolved.root);
    return job;
  }

  async #openForIndexing(path: string, options: IndexOptions): Promise<OpenedProject> {
    const { projects } = this.#parts;
    checkFields(options, 'options');
    // The branch may have changed since the last call, or the folder may have become a repository.
    projects.forgetResolved(path);
    const opened = await (options.enclosing ? projects.around(path) : projects.at(path));
    checkIsProject(opened.resolved);
    return opened;
  }

  async firstIndex(path: string, options: Parameters<Engine['firstIndex']>[1]): Promise<boolean> {
    checkFields(options, 'options');
    const { timeoutMs, signal } = options;
    const until = performance.now() + timeoutMs;
    for (;;) {
      const opened = await this.#parts.projects.around(path);
      const { root } = opened.resolved;
      const isBeingMade = this.#isBeingMade(root);
      // The run is checked before the tree: a run that ends in between has published one.
      if (hasTree(opened)) return true;
      if (!isBeingMade) return false;
      if (signal?.aborted) throw new EngineError('cancelled');
      if (performance.now() >= until) throw new EngineError('index_not_ready', { path: root });
      const looking = this.#parts.indexFreshness.activeWatchOf(root);
      await (looking ? looking.waitSettled(POLL_MS) : new Promise((resolve) => setTimeout(resolve, POLL_MS)));
    }
  }

  /** Whether this process is indexing the folder or about to. */
  #isBeingMade(root: string): boolean {
    return this.#parts.indexFreshness.activeWatchOf(root) !== null || this.#parts.runs.isIndexing(root);
  }

  async status(path: string, ref?: string) {
    const { projects, runs, indexFreshness, models } = this.#parts;
    checkRef(ref);
    const opened = await projects.around(path);
    const view = viewOrNull(opened, ref);
    if (!view && ref) await opened.checkRef(ref);
    return buildStatus({
      project: describeProject(opened.resolved),
      opened,
      ref,
      freshness: view ? await indexFreshness.of(opened, view) : null,
      watching: indexFreshness.watchMode(opened.resolved.root),
      isFirst: !hasTree(opened) && this.#isBeingMade(opened.resolved.root),
      progress: runs.progressAt(opened.resolved.root),
      modelId: models.embedder.id,
    });
  }

  async watch(
    path: string,
    onChange: OnChange = () => undefined,
    { onceIndexed = false }: { readonly onceIndexed?: boolean } = {},
  ): Promise<() => Promise<void>> {
    const { projects, indexFreshness } = this.#parts;
    projects.forgetResolved(path);
    const { resolved } = await projects.at(path);
    if (onceIndexed) return indexFreshness.onceIndexed(resolved.root, () => this.watch(path, onChange));
    projects.treatAsProject(resolved.root);
    return indexFreshness.watch(resolved, onChange);
  }
}
