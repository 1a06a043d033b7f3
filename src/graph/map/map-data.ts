/** The repository map as data: modules with their rank, dependencies between them, entry points and central files. */
import type { CentralFile, MapDependency, MapModule, RepositoryMap } from '../../model/records/browse.ts';
import { compareText, folderOf } from '../../model/text/path-text.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { isOwnProgram } from '../program-files.ts';
import type { SymbolGraph } from '../symbol-graph.ts';
import { findModuleDependencies } from './module-dependencies.ts';
import { centralSymbols, entryPoints, productRanks } from './repo-map.ts';
import { stronglyConnected } from './strongly-connected.ts';

export interface MapDataInput {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly title: string;
  readonly moduleOf: (path: string) => string;
}

/** A picture of the map with more nodes is unreadable. */
const MAX_MODULES = 40;
const MAX_FILES = 6_000;
const MAX_CENTRAL = 12;
const ROOT = '(root)';

export async function buildMap(input: MapDataInput): Promise<RepositoryMap> {
  const { graph, reader, view, title } = input;
  const moduleOf = (path: string) => input.moduleOf(path) || ROOT;
  const ranks = productRanks(graph, reader, view);
  const modules = weighModules(view, moduleOf, ranks);
  const shown = modules.slice(0, MAX_MODULES);
  const names = new Set(shown.map(({ name }) => name));
  const files = view.files.flatMap((file, index) => (isOwnProgram(file) ? [index] : [])).slice(0, MAX_FILES);
  const pause = () => new Promise<void>((resume) => setImmediate(resume));
  const found = await findModuleDependencies({ graph, view, moduleOf }, files, pause);
  const dependencies: MapDependency[] = found.dependencies
    .filter(({ from, to }) => names.has(from) && names.has(to))
    .map(({ from, to, count, path, line }) => ({ from, to, count, path, line }))
    .sort((a, b) => b.count - a.count || compareText(a.from + a.to, b.from + b.to));
  const circular = found.dependencies.filter(
    ({ from, to, isCircular }) => isCircular && names.has(from) && names.has(to),
  );
  return {
    title,
    modules: shown,
    moreModules: modules.length - shown.length,
    dependencies,
    cycles: findModuleCycles(circular),
    entryPoints: entryPoints(view, reader),
    centralFiles: mostCentral(view, reader, ranks),
    partial: found.partial,
  };
}

function weighModules(
  view: TreeView,
  moduleOf: (path: string) => string,
  ranks: ReadonlyMap<number, number>,
): MapModule[] {
  const modules = new Map<string, { files: number[]; lines: number; rank: number }>();
  for (const [index, rank] of ranks) {
    const { path, lines } = view.files[index]!;
    const module = modules.get(moduleOf(path)) ?? { files: [], lines: 0, rank: 0 };
    module.files.push(index);
    module.lines += lines;
    module.rank += rank;
    modules.set(moduleOf(path), module);
  }
  const total = [...modules.values()].reduce((sum, { rank }) => sum + rank, 0) || 1;
  return [...modules]
    .map(([name, { files, lines, rank }]) => ({
      name,
      files: files.length,
      lines,
      rank: rank / total,
      topFile: view.files[files.reduce((top, file) => (ranks.get(file)! > ranks.get(top)! ? file : top))]!.path,
      folder: sharedFolder(files.map((file) => view.files[file]!.path)),
    }))
    .sort((a, b) => b.rank - a.rank || compareText(a.name, b.name));
}

function sharedFolder(paths: readonly string[]): string {
  let shared = folderOf(paths[0]!).split('/');
  for (const path of paths) {
    const folders = folderOf(path).split('/');
    const differs = shared.findIndex((name, i) => folders[i] !== name);
    if (differs >= 0) shared = shared.slice(0, differs);
  }
  return shared.join('/');
}

function mostCentral(view: TreeView, reader: StoreReader, ranks: ReadonlyMap<number, number>): CentralFile[] {
  return [...ranks]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_CENTRAL)
    .map(([file, rank]) => ({
      path: view.files[file]!.path,
      rank,
      lines: view.files[file]!.lines,
      symbols: centralSymbols(file, view, reader, ranks).map(({ name, startLine, signature }) => ({
        name,
        line: startLine,
        signature: signature || name,
      })),
    }));
}

/** Groups of modules that depend on one another, largest first. */
function findModuleCycles(arrows: readonly { readonly from: string; readonly to: string }[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to]);
  return stronglyConnected(next)
    .filter((modules) => modules.length > 1)
    .map((modules) => modules.sort())
    .sort((a, b) => b.length - a.length || compareText(a[0]!, b[0]!));
}
