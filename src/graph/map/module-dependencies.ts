/**
 * How the modules of a tree depend on each other: imports, and names where a language needs no imports, each with the
 * line that first shows it.
 */
import type { ReferenceKind } from '../../model/records/symbol.ts';
import { folderOf } from '../../model/text/path-text.ts';
import type { TreeView } from '../../store/store.ts';
import type { SymbolGraph } from '../symbol-graph.ts';

/**
 * Names that are followed, shared out among the files: types, and functions that are called without a receiver, which
 * cost little to look up.
 */
const MAX_NAMES = 24_000;
const TIME_MS = 8_000;
/** Files between two pauses. */
const BATCH = 200;
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
   * Part of a cycle. A module that is made of several folders (`internal/*` beside the root's own files) is not what
   * any one of them depends on, so cycles are those between such folders and the other modules.
   */
  isCircular: boolean;
}

export interface ModuleTree {
  readonly graph: SymbolGraph;
  readonly view: TreeView;
  readonly moduleOf: (path: string) => string;
}

/** `pause` yields to the event loop every few hundred files. `partial`: the time was up before all files were read. */
export async function findModuleDependencies(
  { graph, view, moduleOf }: ModuleTree,
  files: readonly number[],
  pause: (found: number) => Promise<void>,
): Promise<{ readonly ties: readonly ModuleDependency[]; readonly partial: boolean }> {
  const ties = new Map<string, ModuleDependency>();
  const arrows = new Arrows();
  const around = moduleOf('');
  const unitOf = (path: string) => (moduleOf(path) === around ? `folder ${folderOf(path)}` : moduleOf(path));
  const add = (kind: ModuleDependency['kind'], file: number, other: number, line: number) => {
    const [path, target] = [view.files[file]!.path, view.files[other]!.path];
    const [from, to] = [moduleOf(path), moduleOf(target)];
    arrows.add(unitOf(path), unitOf(target), `${from}\n${to}`);
    if (to === from || to === '' || from === '') return;
    const known = ties.get(`${from}\n${to}`);
    if (!known) ties.set(`${from}\n${to}`, { from, to, kind, path, line, file, count: 1, isCircular: false });
    else if (known.kind === kind) known.count++;
  };
  const deadline = performance.now() + TIME_MS;
  let partial = false;
  const each = async (some: readonly number[], look: (file: number) => void) => {
    for (const [i, file] of some.entries()) {
      if (i % BATCH === BATCH - 1) await pause(ties.size);
      partial ||= performance.now() > deadline;
      if (partial) return;
      look(file);
    }
  };
  await each(files, (file) => {
    for (const { record, resolved } of graph.files.imports(file)) {
      const targets = new Map(resolved.files.map((other) => [unitOf(view.files[other]!.path), other]));
      for (const other of targets.values()) add('imports', file, other, record.line);
    }
  });
  // Imports come first; where a language does without, names tell the same.
  const open = files.filter((file) => graph.files.seesOthers(file));
  const share = Math.ceil(MAX_NAMES / Math.max(1, open.length));
  await each(open, (file) => {
    const names = new Set<string>();
    const isNew = (name: string) => names.size < share && names.size < names.add(name).size;
    const edges = graph.outgoingOf(
      file,
      ({ kind, receiver, name }) => USES.has(kind) && receiver === '' && isNew(name),
    );
    for (const { site, confidence, candidates } of edges)
      if (confidence === 'exact') add('uses', file, candidates[0]!.file, site.reference.line);
  });
  for (const tie of arrows.circular()) {
    const known = ties.get(tie);
    if (known) known.isCircular = true;
  }
  return { ties: [...ties.values()], partial };
}

/** Which units of a tree depend on which, each arrow with the tie of modules that it is a part of. */
class Arrows {
  readonly #next = new Map<string, Map<string, string>>();

  add(from: string, to: string, tie: string): void {
    if (from === to) return;
    const next = this.#next.get(from) ?? new Map<string, string>();
    this.#next.set(from, next.set(to, tie));
  }

  circular(): string[] {
    return [...this.#next].flatMap(([from, next]) =>
      [...next].flatMap(([to, tie]) => (this.#reach(to, from) ? [tie] : [])),
    );
  }

  #reach(from: string, to: string): boolean {
    const seen = new Set([from]);
    for (const unit of seen) for (const next of this.#next.get(unit)?.keys() ?? []) seen.add(next);
    return seen.has(to);
  }
}
