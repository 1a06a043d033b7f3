/** The open projects, and what questions about a published tree share: its modules and its graph. */
import { basename } from 'node:path';
import type { Embedder } from '../../embed/embedder.ts';
import type { SymbolGraph } from '../../graph/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Presenter } from '../../search/index.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { deriveModules, type Modules } from '../../walk/index.ts';
import type { GraphContext } from '../questions/symbol-detail.ts';
import { loadModules, saveModules } from './module-cache.ts';
import { OpenedProject } from './opened-project.ts';
import { ancestors, describeProject, projectAt, type ResolvedProject, resolveProject } from './project-registry.ts';

const RESOLVED_TTL_MS = 500;

/** When an open project is closed; the next call opens it again. */
interface IdleLimits {
  /** A project is closed after this long without a call. */
  readonly idleMs: number;
  /** While more projects are open, the least recently used are closed after `quietMs` without a call. */
  readonly maxOpen: number;
  /** Longer than any question may take. */
  readonly quietMs: number;
}

const IDLE_LIMITS: IdleLimits = { idleMs: 600_000, maxOpen: 16, quietMs: 60_000 };

/** One project, or several queried as one, as questions see it. */
export interface AnsweringProject {
  readonly resolved: Pick<ResolvedProject, 'root' | 'storeFolder'>;
  find(ref?: string): Promise<TreeView>;
}

/** Opens projects for questions and caches what is derived from their trees. */
export interface ProjectAccess<P extends AnsweringProject> {
  resolve(path: string): Promise<Pick<ResolvedProject, 'root' | 'git'>>;
  around(path: string): Promise<P>;
  presenter(opened: P, view: TreeView): Promise<Presenter>;
  graphContext(opened: P, view: TreeView): Promise<GraphContext>;
  /** The heading of the project's map. */
  titleOf(opened: P): string;
}

interface OpenProjectsOptions {
  /** Whether a run or an export is using the folder. */
  readonly isBusy?: (root: string) => boolean;
  readonly onClosed?: (root: string) => void;
  readonly limits?: IdleLimits;
  readonly nowMs?: () => number;
}

export class OpenProjects implements ProjectAccess<OpenedProject> {
  readonly #home: string;
  readonly #model: () => Pick<Embedder, 'id' | 'dims'>;
  readonly #options: Required<OpenProjectsOptions>;
  /** Least recently used first. */
  readonly #opened = new Map<string, OpenedProject>();
  readonly #usedAtMs = new Map<string, number>();
  #closeTimer: NodeJS.Timeout | null = null;
  readonly #ownProjects = new Set<string>();
  readonly #resolved = new Map<string, { readonly project: Promise<ResolvedProject>; readonly atMs: number }>();
  /** A view may outlive the reader that its graph uses, so the graph is built again for another reader of the store. */
  readonly #graphs = new WeakMap<TreeView, { readonly graph: SymbolGraph; readonly reader: StoreReader }>();
  /** The last graph of each tree; the graph of the next tree reuses what has not changed. */
  readonly #previousGraphs = new Map<string, SymbolGraph>();
  readonly #modules = new WeakMap<TreeView, Promise<Modules>>();

  /** `model`: returns the model whose vectors are read, called when a project is opened. */
  constructor(home: string, model: () => Pick<Embedder, 'id' | 'dims'>, options: OpenProjectsOptions = {}) {
    this.#home = home;
    this.#model = model;
    this.#options = {
      isBusy: () => false,
      onClosed: () => undefined,
      limits: IDLE_LIMITS,
      nowMs: () => performance.now(),
      ...options,
    };
  }

  /** Cached for a moment: the parts of one call, and several calls in a row, resolve the same folder. */
  resolve(path: string): Promise<ResolvedProject> {
    const known = this.#resolved.get(path);
    if (known && performance.now() - known.atMs < RESOLVED_TTL_MS) return known.project;
    const resolution = { project: resolveProject(this.#home, path), atMs: performance.now() };
    this.#resolved.set(path, resolution);
    // A failure is not cached: the folder may exist at the next call.
    resolution.project.catch(() => {
      if (this.#resolved.get(path) === resolution) this.#resolved.delete(path);
    });
    return resolution.project;
  }

  /** Drops the cached result of resolve(), for a caller that needs the current branch. */
  forgetResolved(path: string): void {
    this.#resolved.delete(path);
  }

  /** The project of exactly this folder, as indexing treats it. */
  async at(path: string): Promise<OpenedProject> {
    const resolved = await this.resolve(path);
    return this.#remember(this.#openAt(resolved));
  }

  /**
   * Treats the folder as a project of its own before it has an index: the meaning of its paths must not change when the
   * first index is published.
   */
  treatAsProject(root: string): void {
    this.#ownProjects.add(root);
  }

  /** The project to read from: for a folder inside an indexed project, that project. */
  async around(path: string): Promise<OpenedProject> {
    const resolved = await this.resolve(path);
    for (const root of ancestors(resolved.root, resolved.git?.workTree ?? null)) {
      const project = projectAt(this.#home, root, resolved.git);
      const opened = this.#openAt(project);
      if (hasTree(opened) || this.#ownProjects.has(root)) return this.#remember(opened);
    }
    return this.at(path);
  }

  #openAt(resolved: ResolvedProject): OpenedProject {
    const known = this.#opened.get(resolved.root);
    // A folder that becomes a repository, or stops being one, has another store.
    if (known?.resolved.storeFolder === resolved.storeFolder) return known.refresh(resolved);
    const { id, dims } = this.#model();
    return new OpenedProject(resolved, { modelId: id, dims }, () => this.#forgetGraphs(resolved.root));
  }

  #forgetGraphs(root: string): void {
    for (const key of this.#previousGraphs.keys()) if (key.startsWith(`${root}\n`)) this.#previousGraphs.delete(key);
  }

  #remember(opened: OpenedProject): OpenedProject {
    const before = this.#opened.get(opened.resolved.root);
    if (before !== opened) before?.replaceReader();
    this.#opened.delete(opened.resolved.root);
    this.#opened.set(opened.resolved.root, opened);
    this.#usedAtMs.set(opened.resolved.root, this.#options.nowMs());
    this.#closeTimer ??= setInterval(() => this.closeIdle(), this.#options.limits.quietMs).unref();
    return opened;
  }

  /**
   * Closes idle projects. Their watches continue: a watch holds no store open, and a change opens the project again.
   */
  closeIdle(): void {
    const { isBusy, onClosed, limits, nowMs } = this.#options;
    for (const [root, opened] of this.#opened) {
      const idleMs = nowMs() - this.#usedAtMs.get(root)!;
      if (idleMs < (this.#opened.size > limits.maxOpen ? limits.quietMs : limits.idleMs)) break;
      if (isBusy(root)) continue;
      opened.replaceReader();
      this.#opened.delete(root);
      this.#usedAtMs.delete(root);
      onClosed(root);
    }
    for (const path of this.#resolved.keys()) if (!this.#opened.has(path)) this.#resolved.delete(path);
  }

  /** Roots of the open projects, least recently used first. */
  get roots(): readonly string[] {
    return [...this.#opened.keys()];
  }

  async presenter(opened: OpenedProject, view: TreeView): Promise<Presenter> {
    return { reader: opened.readerOf(view), view, moduleOf: (await this.modulesOf(opened, view)).moduleOf };
  }

  async graphContext(opened: OpenedProject, view: TreeView): Promise<GraphContext> {
    // Loaded on demand: a search needs no graph, and its command starts faster without it.
    const { SymbolGraph } = await import('../../graph/index.ts');
    const reader = opened.readerOf(view);
    let known = this.#graphs.get(view);
    if (known?.reader !== reader) {
      const key = `${view.info.root}\n${view.info.ref}`;
      known = { graph: new SymbolGraph(reader, view, this.#previousGraphs.get(key)), reader };
      this.#graphs.set(view, known);
      this.#previousGraphs.set(key, known.graph);
    }
    return { graph: known.graph, ...(await this.presenter(opened, view)) };
  }

  titleOf({ resolved }: OpenedProject): string {
    return describeProject(resolved).moduleName;
  }

  /** The modules of a tree, derived once. */
  modulesOf(opened: OpenedProject, view: TreeView): Promise<Modules> {
    let modules = this.#modules.get(view);
    if (!modules) {
      const { root, storeFolder } = opened.resolved;
      const cached = loadModules(storeFolder, view, basename(root));
      modules = cached ? Promise.resolve(cached) : this.#derive(opened, view);
      this.#modules.set(view, modules);
    }
    return modules;
  }

  async #derive(opened: OpenedProject, view: TreeView): Promise<Modules> {
    const { root, storeFolder } = opened.resolved;
    const textOf = (path: string) => {
      const index = view.indexOfPath(path);
      return index < 0 ? null : opened.readerOf(view).text(view.contentOf[index]!);
    };
    const paths = view.files.map((file) => file.path);
    const modules = await deriveModules(paths, textOf, basename(root));
    saveModules(storeFolder, view, basename(root), modules);
    return modules;
  }

  close(): void {
    if (this.#closeTimer) clearInterval(this.#closeTimer);
    for (const opened of this.#opened.values()) opened.close();
    this.#opened.clear();
  }
}

export function hasTree(opened: OpenedProject, ref?: string): boolean {
  try {
    opened.view(ref);
    return true;
  } catch (error) {
    // A damaged store, or one of another version, is still this project's store: the call that uses it gets the error.
    return !(error instanceof EngineError && error.code === 'not_indexed');
  }
}

/** The tree, or null if there is none or the store cannot be read, which status() reports. */
export function viewOrNull(opened: OpenedProject, ref: string | undefined): TreeView | null {
  try {
    return opened.view(ref);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
