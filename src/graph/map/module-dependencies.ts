/**
 * Dependencies between the modules of a tree: imports and, in languages that need none, uses of names. Each dependency
 * has the first line that shows it.
 */
import type { ReferenceKind } from '../../model/records/symbol.ts';
import { folderOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import type { SymbolGraph } from '../symbol-graph.ts';

/**
 * Names that are resolved, divided evenly among the files. Only names without a receiver: those are cheap to resolve.
 */
const MAX_NAMES = 24_000;
const MAX_TIME_MS = 8_000;
const FILES_PER_PAUSE = 200;
const USES: ReadonlySet<ReferenceKind> = new Set(['call', 'type', 'inherit', 'conform', 'read']);

export interface ModuleDependency {
  readonly from: string;
  readonly to: string;
  readonly kind: 'imports' | 'uses';
  readonly path: string;
  readonly line: number;
  readonly file: number;
  count: number;
  /**
   * The dependency is part of a cycle. The root module of a repository is often several unrelated folders; a cycle
   * through two of them is none. Cycles are therefore found between the folders of the root module and the other
   * modules.
   */
  isCircular: boolean;
}

export interface ModuleTree {
  readonly graph: SymbolGraph;
  readonly view: TreeView;
  readonly moduleOf: (path: string) => string;
}

/** `pause` yields to the event loop. `partial`: the time limit was reached before all files were read. */
export async function findModuleDependencies(
  { graph, view, moduleOf }: ModuleTree,
  files: readonly number[],
  pause: (found: number) => Promise<void>,
): Promise<{ readonly dependencies: readonly ModuleDependency[]; readonly partial: boolean }> {
  const dependencies = new Map<string, ModuleDependency>();
  const arrows = new Arrows();
  const rootModule = moduleOf('');
  const unitOf = (path: string) => (moduleOf(path) === rootModule ? `folder ${folderOf(path)}` : moduleOf(path));
  const add = (kind: ModuleDependency['kind'], file: number, other: number, line: number) => {
    const [path, target] = [view.files[file]!.path, view.files[other]!.path];
    const [from, to] = [moduleOf(path), moduleOf(target)];
    arrows.add(unitOf(path), unitOf(target), `${from}\n${to}`);
    if (to === from || to === '' || from === '') return;
    const known = dependencies.get(`${from}\n${to}`);
    if (!known) dependencies.set(`${from}\n${to}`, { from, to, kind, path, line, file, count: 1, isCircular: false });
    else if (known.kind === kind) known.count++;
  };
  const deadline = performance.now() + MAX_TIME_MS;
  let partial = false;
  const visitFiles = async (some: readonly number[], visit: (file: number) => void) => {
    for (const [i, file] of some.entries()) {
      if (i % FILES_PER_PAUSE === FILES_PER_PAUSE - 1) await pause(dependencies.size);
      partial ||= performance.now() > deadline;
      if (partial) return;
      visit(file);
    }
  };
  await visitFiles(files, (file) => {
    for (const { record, resolved } of graph.files.imports(file)) {
      const targets = new Map(resolved.files.map((other) => [unitOf(view.files[other]!.path), other]));
      for (const other of targets.values()) add('imports', file, other, record.line);
    }
  });
  // Imports are visited first, so the line that shows a dependency is that of an import where there is one.
  const importFree = files.filter((file) => graph.files.seesOtherFiles(file));
  const namesPerFile = Math.ceil(MAX_NAMES / Math.max(1, importFree.length));
  await visitFiles(importFree, (file) => {
    const names = new Set<string>();
    const isNew = (name: string) => names.size < namesPerFile && names.size < names.add(name).size;
    const edges = graph.outgoingOf(
      file,
      ({ kind, receiver, name }) => USES.has(kind) && receiver === '' && isNew(name),
    );
    for (const { site, confidence, candidates } of edges)
      if (confidence === 'exact') add('uses', file, candidates[0]!.file, site.reference.line);
  });
  for (const key of arrows.circular()) {
    const dependency = dependencies.get(key);
    if (dependency) dependency.isCircular = true;
  }
  return { dependencies: [...dependencies.values()], partial };
}

/** A directed graph of units; each arrow carries the key of the module dependency that it belongs to. */
class Arrows {
  readonly #next = new Map<string, Map<string, string>>();

  add(from: string, to: string, key: string): void {
    if (from === to) return;
    const next = this.#next.get(from) ?? new Map<string, string>();
    this.#next.set(from, next.set(to, key));
  }

  circular(): string[] {
    return [...this.#next].flatMap(([from, next]) =>
      [...next].flatMap(([to, key]) => (this.#leadsTo(to, from) ? [key] : [])),
    );
  }

  #leadsTo(from: string, to: string): boolean {
    const seen = new Set([from]);
    for (const unit of seen) for (const next of this.#next.get(unit)?.keys() ?? []) seen.add(next);
    return seen.has(to);
  }
}
