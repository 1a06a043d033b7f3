/**
 * The projects that are open, and what is derived from a published tree once and shared by its questions: modules, the
 * graph.
 */
import { basename } from 'node:path';
import type { Embedder } from '../../embed/embedder.ts';
import type { SymbolGraph } from '../../graph/index.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import type { Presenter } from '../../search/index.ts';
import type { TreeView } from '../../store/store.ts';
import { deriveModules, type Modules } from '../../walk/index.ts';
import type { GraphContext } from '../questions/symbol-detail.ts';
import { loadModules, saveModules } from './module-cache.ts';
import { OpenedProject } from './opened-project.ts';
import { ancestors, describeProject, projectAt, type ResolvedProject, resolveProject } from './project-registry.ts';

const RESOLVED_MS = 500;

/** A project, or several as one, as questions see it. */
export interface AnsweringProject {
  readonly resolved: Pick<ResolvedProject, 'root' | 'storeFolder'>;
  find(ref?: string): Promise<TreeView>;
}

/** Opens projects for questions and keeps what is derived from their trees. */
export interface ProjectAccess<P extends AnsweringProject> {
  resolve(path: string): Promise<Pick<ResolvedProject, 'root' | 'git'>>;
  around(path: string): Promise<P>;
  presenter(opened: P, view: TreeView): Promise<Presenter>;
  graphContext(opened: P, view: TreeView): Promise<GraphContext>;
  /** What a map of it is headed by. */
  titleOf(opened: P): string;
}

export class OpenProjects implements ProjectAccess<OpenedProject> {
  readonly #home: string;
  readonly #model: () => Pick<Embedder, 'id' | 'dims'>;
  readonly #opened = new Map<string, OpenedProject>();
  readonly #followed = new Set<string>();
  readonly #resolved = new Map<string, { readonly project: Promise<ResolvedProject>; readonly atMs: number }>();
  readonly #graphs = new WeakMap<TreeView, SymbolGraph>();
  /** The last graph of each tree: the next one takes over what has not changed. */
  readonly #lastGraphs = new Map<string, SymbolGraph>();
  readonly #modules = new WeakMap<TreeView, Promise<Modules>>();

  /** `model`: whose vectors are read; asked for when a project is opened. */
  constructor(home: string, model: () => Pick<Embedder, 'id' | 'dims'>) {
    this.#home = home;
    this.#model = model;
  }

  /** Remembered for a moment: the parts of one call, and several calls in a row, ask about the same folder. */
  resolve(path: string): Promise<ResolvedProject> {
    const known = this.#resolved.get(path);
    if (known && performance.now() - known.atMs < RESOLVED_MS) return known.project;
    const resolution = { project: resolveProject(this.#home, path), atMs: performance.now() };
    this.#resolved.set(path, resolution);
    // A refusal is not remembered: the folder may be there at the next call.
    resolution.project.catch(() => {
      if (this.#resolved.get(path) === resolution) this.#resolved.delete(path);
    });
    return resolution.project;
  }

  /** A caller that needs the branch of this very moment calls it before `resolve`. */
  lookAgain(path: string): void {
    this.#resolved.delete(path);
  }

  /** The project of exactly this folder: what indexing means. */
  async at(path: string): Promise<OpenedProject> {
    const resolved = await this.resolve(path);
    return this.#keep(this.#openedAt(resolved));
  }

  /**
   * From now on the folder is a project of its own, before it has an index, too: what paths mean must not change with
   * the first one.
   */
  follow(root: string): void {
    this.#followed.add(root);
  }

  /** For reading, a folder inside an indexed project means that project. */
  async around(path: string): Promise<OpenedProject> {
    const resolved = await this.resolve(path);
    for (const root of ancestors(resolved.root, resolved.git?.workTree ?? null)) {
      const project = projectAt(this.#home, root, resolved.git);
      const opened = this.#openedAt(project);
      if (hasTree(opened) || this.#followed.has(root)) return this.#keep(opened);
    }
    return this.at(path);
  }

  #openedAt(resolved: ResolvedProject): OpenedProject {
    const known = this.#opened.get(resolved.root);
    // A folder that becomes a repository, or is one no more, has another store.
    if (known?.resolved.storeFolder === resolved.storeFolder) return known.refresh(resolved);
    const { id, dims } = this.#model();
    return new OpenedProject(resolved, { modelId: id, dims }, () => this.#forgetGraphs(resolved.root));
  }

  #forgetGraphs(root: string): void {
    for (const key of this.#lastGraphs.keys()) if (key.startsWith(`${root}\n`)) this.#lastGraphs.delete(key);
  }

  #keep(opened: OpenedProject): OpenedProject {
    const before = this.#opened.get(opened.resolved.root);
    if (before !== opened) before?.leave();
    this.#opened.set(opened.resolved.root, opened);
    return opened;
  }

  async presenter(opened: OpenedProject, view: TreeView): Promise<Presenter> {
    return { reader: opened.readerOf(view), view, moduleOf: (await this.modulesOf(opened, view)).moduleOf };
  }

  async graphContext(opened: OpenedProject, view: TreeView): Promise<GraphContext> {
    // Loaded by those who follow calls: a search needs no graph, and a command starts the faster for it.
    const { SymbolGraph } = await import('../../graph/index.ts');
    let graph = this.#graphs.get(view);
    if (!graph) {
      const key = `${view.info.root}\n${view.info.ref}`;
      graph = new SymbolGraph(opened.readerOf(view), view, this.#lastGraphs.get(key));
      this.#graphs.set(view, graph);
      this.#lastGraphs.set(key, graph);
    }
    return { graph, ...(await this.presenter(opened, view)) };
  }

  titleOf({ resolved }: OpenedProject): string {
    return describeProject(resolved).moduleName;
  }

  /** Modules of a tree, derived once and kept. */
  modulesOf(opened: OpenedProject, view: TreeView): Promise<Modules> {
    let modules = this.#modules.get(view);
    if (!modules) {
      const { root, storeFolder } = opened.resolved;
      const kept = loadModules(storeFolder, view, basename(root));
      modules = kept ? Promise.resolve(kept) : this.#derive(opened, view);
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
    for (const opened of this.#opened.values()) opened.close();
    this.#opened.clear();
  }
}

export function hasTree(opened: OpenedProject, ref?: string): boolean {
  try {
    opened.view(ref);
    return true;
  } catch (error) {
    // A damaged or foreign store is still this project's store: a call that uses it gets the error.
    return !(error instanceof EngineError && error.code === 'not_indexed');
  }
}

/** Null where there is no tree, and where the store cannot be read: a status says so in its own words. */
export function openableView(opened: OpenedProject, ref: string | undefined): TreeView | null {
  try {
    return opened.view(ref);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
