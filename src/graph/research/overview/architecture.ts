/**
 * "Give me an overview": modules, entry points and the calls of main functions, the highest ranked files, dependencies
 * between modules, each with the first line that shows it, layers and cycles.
 */
import { FileFlag } from '../../../model/records/source-file.ts';
import { compareText } from '../../../model/text/path-text.ts';
import { findModuleDependencies, type ModuleDependency } from '../../map/module-dependencies.ts';
import { centralSymbols, declaredEntries, entryPoints, productRanks } from '../../map/repo-map.ts';
import { isOwnProgram } from '../../program-files.ts';
import type { EvidenceTrail } from '../evidence-trail.ts';
import { findCycles } from './cycles.ts';
import { findLayers } from './layers.ts';
import { describeFlows } from './main-flows.ts';

const MAX_FILES = 6_000;
const MAX_MODULES = 20;
const MAX_DEPENDENCIES = 20;
const MAX_CYCLES = 5;
const MAX_ENTRIES = 8;
const MAX_CENTRAL = 8;
const MAX_NAMES = 4;
const MAX_LAYERS = 8;
const MAX_IN_LAYER = 8;
const NO_CODE = FileFlag.Documentation | FileFlag.Config;

export async function describeArchitecture(trail: EvidenceTrail): Promise<string[]> {
  const files = trail.input.view.files.flatMap((file, index) => (isOwnProgram(file) ? [index] : []));
  if (files.length > MAX_FILES) trail.truncated = true;
  const modules = [...describeModules(trail, files), ...describeEntryPoints(trail), ...describeCentral(trail)];
  const { dependencies, partial } = await findModuleDependencies(trail.input, files.slice(0, MAX_FILES), (found) =>
    trail.hop(1, trail.depth, found),
  );
  if (partial) trail.truncated = true;
  const sorted = [...dependencies].sort((a, b) => b.count - a.count || compareText(a.from + a.to, b.from + b.to));
  const shown = sorted.slice(0, MAX_DEPENDENCIES);
  for (const { from, to, kind, path, line, file } of shown) {
    const [a, b] = [trail.moduleNode(from, path, line), trail.moduleNode(to, path, line)];
    trail.edge(a, b, kind, 'exact', path, line);
    trail.prove(file, line, `module ${from} ${kind} module ${to}`, 1);
  }
  const lines = shown.map(({ from, to, kind, count, path, line }) => {
    const times = `${count} ${kind === 'imports' ? 'time' : 'name'}${count === 1 ? '' : 's'}`;
    return `- module ${from} ${kind} module ${to}, ${times}, first at ${path}:${line}`;
  });
  const cycles = findCycles(sorted.filter(({ isCircular }) => isCircular)).slice(0, MAX_CYCLES);
  const circularEdges = shown.filter(({ isCircular }) => isCircular);
  trail.cycles = findCycles(circularEdges.map(({ from, to }) => ({ from: `module:${from}`, to: `module:${to}` })));
  for (const cycle of cycles) {
    const steps = cycle.slice(1).map((to, i) => sorted.find((each) => each.from === cycle[i] && each.to === to)!);
    lines.push(`- cycle: ${cycle.join(' → ')}, by ${steps.map(({ path, line }) => `${path}:${line}`).join(', ')}`);
  }
  if (lines.length === 0) return modules;
  return [
    ...modules,
    ...describeLayers(sorted),
    `How the modules depend on each other, the heaviest at ${shown[0]!.path}:${shown[0]!.line}:`,
    ...lines,
  ];
}

/** Each layer with its heaviest dependency on a lower one. No lines where all modules are one cycle. */
function describeLayers(dependencies: readonly ModuleDependency[]): string[] {
  const layers = findLayers(dependencies);
  if (layers.length < 2) return [];
  const lines = layers.slice(0, MAX_LAYERS).map((names, height) => {
    const isLowest = height === layers.length - 1;
    const { path, line } = dependencies.find(({ from, to }) =>
      isLowest ? names.includes(to) : names.includes(from) && !names.includes(to),
    )!;
    const more = names.length - MAX_IN_LAYER;
    const listed = `${names.slice(0, MAX_IN_LAYER).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return { listed, place: `${path}:${line}` };
  });
  const top = lines[0]!.place;
  const count = layers.length > lines.length ? `, the highest ${lines.length} of ${layers.length}` : '';
  return [
    `Layers, each above what it depends on${count}, from ${top} on:`,
    ...lines.map(({ listed, place }, i) => `- ${listed}, ${i === layers.length - 1 ? 'used' : 'shown'} at ${place}`),
  ];
}

/** The modules that contain code, largest first. */
function describeModules(trail: EvidenceTrail, files: readonly number[]): string[] {
  const { view, moduleOf } = trail.input;
  const members = new Map<string, string[]>();
  for (const file of files) {
    const { path, flags } = view.files[file]!;
    const name = moduleOf(path);
    if (name !== '' && (flags & NO_CODE) === 0 && view.symbolCountOf[file]! > 0)
      members.set(name, [...(members.get(name) ?? []), path]);
  }
  const sorted = [...members].sort((a, b) => b[1].length - a[1].length || compareText(a[0], b[0]));
  if (sorted.length === 0) return [];
  const shown = sorted.slice(0, MAX_MODULES);
  for (const [name, [first]] of shown) trail.moduleNode(name, first!, 1);
  return [
    `${sorted.length} module${sorted.length === 1 ? '' : 's'}, the largest at ${shown[0]![1][0]}:1:`,
    ...shown.map(([name, paths]) => `- ${name}: ${paths.length} file${paths.length === 1 ? '' : 's'}, ${paths[0]}:1`),
  ];
}

/** The entry points (the line of `main`, else the first line of the file) and the calls of main functions. */
function describeEntryPoints(trail: EvidenceTrail): string[] {
  const { view, reader } = trail.input;
  const all = entryPoints(view, reader);
  const names = declaredEntries(view, reader);
  const places = all.slice(0, MAX_ENTRIES).map((path) => {
    const file = view.indexOfPath(path);
    const { symbols } = reader.detail(view.contentOf[file]!);
    const begin = symbols.find(({ name }) => (names.get(path) ? name === names.get(path) : /^main$/i.test(name)));
    const line = begin?.nameLine ?? 1;
    trail.prove(file, line, `${path} is an entry point`, 0);
    return `${path}:${line}`;
  });
  if (places.length === 0) return [];
  const list = places.map((place) => `- ${place}`);
  return [`Entry points, the first at ${places[0]}:`, ...list, ...describeFlows(trail, all, names)];
}

/** The highest ranked files, each with its most used symbols. */
function describeCentral(trail: EvidenceTrail): string[] {
  const { graph, view, reader } = trail.input;
  const ranks = productRanks(graph, reader, view);
  const central = [...ranks.keys()].sort((a, b) => ranks.get(b)! - ranks.get(a)! || a - b);
  const lines: string[] = [];
  for (const file of central) {
    if (lines.length >= MAX_CENTRAL) break;
    const symbols = centralSymbols(file, view, reader, ranks).slice(0, MAX_NAMES);
    const [first] = symbols;
    if (!first) continue;
    const names = [...new Set(symbols.map(({ name }) => name))];
    lines.push(`- ${trail.path(file)}:${first.nameLine} (${names.join(', ')})`);
  }
  const [, top] = lines[0]?.split(' ') ?? [];
  return top ? [`Files that others refer to most, the first at ${top}:`, ...lines] : [];
}
