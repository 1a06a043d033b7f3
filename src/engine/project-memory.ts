/** The memory of one project: recorded and mined discoveries together, mined again when the tree changes. */
import { join } from 'node:path';
import type { Embedder } from '../embed/embedder.ts';
import { AccessLog, mine, Notebook, Recall } from '../memory/index.ts';
import type { ContextResult, Discovery } from '../model/discovery.ts';
import type { StoreReader, TreeView } from '../store/store.ts';
import { matchesModule, readHistory } from '../walk/index.ts';
import type { ContextRequest } from './engine.ts';
import type { ResolvedProject } from './projects.ts';

/** Commits that mining looks at. */
const HISTORY = 2_000;

export class ProjectMemory {
  readonly notebook: Notebook;
  readonly accesses: AccessLog;
  readonly #project: ResolvedProject;
  #mined: { readonly generation: number; readonly discoveries: readonly Discovery[] } | null = null;
  #recall: { readonly key: string; readonly recall: Recall } | null = null;

  constructor(project: ResolvedProject) {
    this.#project = project;
    this.accesses = new AccessLog(join(project.storeFolder, 'accesses.json'));
    this.notebook = new Notebook(join(project.storeFolder, 'memory'), join(project.root, '.sextant', 'memory'));
  }

  /** Recorded first, then mined; what somebody recorded stands for a mined one of the same wording. */
  async all(
    reader: StoreReader | null,
    view: TreeView | null,
    moduleOf: (path: string) => string,
  ): Promise<readonly Discovery[]> {
    const recorded = this.notebook.all();
    if (!reader || !view) return recorded;
    if (this.#mined?.generation !== view.info.generation) {
      const commits = this.#project.git ? await readHistory(this.#project.root, HISTORY) : [];
      this.#mined = { generation: view.info.generation, discoveries: mine({ reader, view, commits, moduleOf }) };
    }
    const known = new Set(recorded.map(({ id }) => id));
    return [...recorded, ...this.#mined.discoveries.filter(({ id }) => !known.has(id))];
  }

  async find(request: ContextRequest, discoveries: readonly Discovery[], embedder: Embedder): Promise<ContextResult[]> {
    const key = `${this.#mined?.generation ?? 0} ${this.notebook
      .all()
      .map(({ id, dateMs }) => `${id}@${dateMs}`)
      .join()}`;
    if (this.#recall?.key !== key) this.#recall = { key, recall: await Recall.build(discoveries, embedder) };
    const [vector] = await embedder.embed([request.query], 'query', request.signal);
    const wanted = request.type && request.type !== 'all' ? request.type : null;
    const { module } = request;
    const found = this.#recall.recall.find(
      request.query,
      vector ?? null,
      (discovery) => (!wanted || discovery.type === wanted) && (!module || matchesModule(discovery.module, module)),
    );
    return found.map(({ discovery, score }) => ({
      id: discovery.id,
      type: discovery.type,
      content: discovery.content,
      module: discovery.module,
      session: discovery.session,
      dateMs: discovery.dateMs,
      score: Math.round(score * 1e4) / 1e4,
      source: 'discovery',
      evidence: discovery.evidence,
    }));
  }
}
