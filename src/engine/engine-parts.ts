/** The engine's parts, created once and connected with one another. */
import { toEngineError } from '../model/records/engine-errors.ts';
import { Browsing } from './browse/browsing.ts';
import { CONTEXT_BOUND, type EngineConfig } from './engine-config.ts';
import { FileCalls } from './files/file-calls.ts';
import { IndexFreshness } from './freshness/index-freshness.ts';
import { DiscoveryCalls } from './memory/discovery-calls.ts';
import type { Memories } from './memory/memory-calls.ts';
import { Models } from './model-loader.ts';
import { OpenProjects } from './projects/open-projects.ts';
import type { OpenedProject } from './projects/opened-project.ts';
import { Assistance } from './questions/assistance.ts';
import { Changes } from './questions/change-calls.ts';
import { EarlySearch } from './questions/early-search.ts';
import { Histories } from './questions/history-calls.ts';
import { SearchCalls } from './questions/search-calls.ts';
import { StructureCalls } from './questions/structure-calls.ts';
import { IndexCalls } from './runs/index-calls.ts';
import { IndexRuns } from './runs/index-runs.ts';

export class EngineParts {
  readonly config: EngineConfig;
  readonly models: Models;
  readonly assistance: Assistance;
  readonly projects: OpenProjects;
  readonly runs: IndexRuns;
  readonly indexFreshness: IndexFreshness;
  readonly indexing: IndexCalls;
  readonly searching: SearchCalls<OpenedProject>;
  readonly earlySearch: EarlySearch;
  readonly structure: StructureCalls<OpenedProject>;
  readonly files: FileCalls;
  readonly browsing: Browsing;
  readonly changes: Changes;
  readonly histories: Histories;
  readonly discoveries: DiscoveryCalls;
  #memoriesPromise: Promise<Memories> | null = null;

  constructor(config: EngineConfig) {
    this.config = config;
    this.models = new Models(config);
    this.assistance = new Assistance(config);
    this.projects = new OpenProjects(config.home, () => this.models.embedder, {
      isBusy: (root) => this.runs.isIndexing(root) || this.files.isExporting(root),
      onClosed: (root) => this.#closeMemory(root),
    });
    this.runs = new IndexRuns(config, this.models, (root) => this.indexFreshness.onIndexed(root));
    this.indexFreshness = this.#createIndexFreshness();
    const { projects, runs, indexFreshness, models, assistance } = this;
    const memories = () => this.memories();
    this.indexing = new IndexCalls({ projects, runs, indexFreshness, models });
    this.searching = new SearchCalls({
      config,
      projects,
      indexFreshness,
      models,
      assistance,
      memoriesIf: async (wanted) => (wanted || this.#memoriesPromise ? this.memories() : null),
    });
    this.earlySearch = new EarlySearch({ projects, runs, searching: this.searching });
    const search: SearchCalls<OpenedProject>['answer'] = (path, request) => this.searching.answer(path, request);
    this.structure = new StructureCalls({ projects, indexFreshness, memories, search });
    this.files = new FileCalls({ config, projects, indexFreshness, models, memories });
    this.browsing = new Browsing({ projects, memories });
    this.changes = new Changes(projects, indexFreshness);
    this.histories = new Histories(projects);
    this.discoveries = new DiscoveryCalls({ projects, memories, search });
  }

  #createIndexFreshness(): IndexFreshness {
    const { config, projects, runs, models } = this;
    // No caller awaits the runs of a watch, so their errors are converted here.
    const index = (root: string, ref?: string) =>
      this.indexing.run(root, ref === undefined ? {} : { ref }).catch((error: unknown) => {
        throw toEngineError(error);
      });
    return new IndexFreshness(
      config,
      index,
      {
        open: (root) => projects.at(root),
        wait: async (root, isCurrent) => {
          const opened = await projects.at(root);
          return runs.mustIndex(opened, () => isCurrent(opened));
        },
        prepare: (root, paths) =>
          void projects
            .at(root)
            .then((opened) => runs.warmWorker(opened, paths))
            .catch(() => undefined),
      },
      (info) => models.isOutdated(info),
    );
  }

  /** Loaded on first use: a plain search does not need the code that reads and mines discoveries. */
  memories(): Promise<Memories> {
    this.#memoriesPromise ??= import('./memory/memory-calls.ts').then(
      ({ Memories }) => new Memories(this.projects, this.models, this.config.contextBound ?? CONTEXT_BOUND),
    );
    return this.#memoriesPromise;
  }

  #closeMemory(root: string): void {
    void this.#memoriesPromise?.then((memories) => memories.closeAt(root)).catch(() => undefined);
  }

  async close(): Promise<void> {
    // At the same time: a watch waits for the end of its run, and closing the runs stops that run.
    await Promise.all([this.indexFreshness.close(), this.runs.close()]);
    (await this.#memoriesPromise)?.close();
    this.projects.close();
    await this.models.close();
  }
}
