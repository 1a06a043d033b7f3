/** The parts of a repository and how they hang together: imports and uses between modules, each with the line that first shows it. */
import { FileFlag } from '../../model/records/source-file.ts';
import { findCycles } from './cycles.ts';
import type { Trail } from './trail.ts';
import { USES } from './walk.ts';

const MAX_FILES = 6_000;
/** Names that are followed, shared out among the files: types, and functions that are called without a receiver, which cost little to look up. */
const MAX_NAMES = 24_000;
const MAX_MODULES = 20;
const MAX_TIES = 20;
const MAX_CYCLES = 5;
const TIME_MS = 8_000;
const ASIDE = FileFlag.Test | FileFlag.Example | FileFlag.Vendored | FileFlag.Generated;
const NO_CODE = FileFlag.Documentation | FileFlag.Config;

interface Tie {
  readonly from: string;
  readonly to: string;
  readonly kind: 'imports' | 'uses';
  readonly path: string;
  readonly line: number;
  readonly file: number;
  count: number;
}

export async function tellArchitecture(trail: Trail): Promise<string[]> {
  const files = trail.input.view.files.flatMap(({ flags }, index) => ((flags & ASIDE) === 0 ? [index] : []));
  if (files.length > MAX_FILES) trail.truncated = true;
  const modules = tellModules(trail, files);
  const ties = await moduleTies(trail, files.slice(0, MAX_FILES));
  const sorted = [...ties].sort((a, b) => b.count - a.count || compare(a.from + a.to, b.from + b.to));
  const shown = sorted.slice(0, MAX_TIES);
  for (const { from, to, kind, path, line, file } of shown) {
    const [a, b] = [trail.moduleNode(from, path, line), trail.moduleNode(to, path, line)];
    trail.edge(a, b, kind, 'exact', path, line);
    trail.prove(file, line, `module ${from} ${kind} module ${to}`, 1);
  }
  const lines = shown.map(({ from, to, kind, count, path, line }) => {
    const times = `${count} ${kind === 'imports' ? 'time' : 'name'}${count === 1 ? '' : 's'}`;
    return `- module ${from} ${kind} module ${to}, ${times}, first at ${path}:${line}`;
  });
  const cycles = findCycles(sorted).slice(0, MAX_CYCLES);
  for (const cycle of cycles) {
    const steps = cycle.slice(1).map((to, i) => sorted.find((tie) => tie.from === cycle[i] && tie.to === to)!);
    lines.push(`- cycle: ${cycle.join(' → ')}, by ${steps.map(({ path, line }) => `${path}:${line}`).join(', ')}`);
  }
  if (lines.length === 0) return modules;
  return [
    ...modules,
    `How the modules depend on each other, the heaviest at ${shown[0]!.path}:${shown[0]!.line}:`,
    ...lines,
  ];
}

/** The modules with code in them, the largest first. */
function tellModules(trail: Trail, files: readonly number[]): string[] {
  const { view, moduleOf } = trail.input;
  const members = new Map<string, string[]>();
  for (const file of files) {
    const { path, flags } = view.files[file]!;
    const name = moduleOf(path);
    if (name !== '' && (flags & NO_CODE) === 0 && view.symbolCountOf[file]! > 0)
      members.set(name, [...(members.get(name) ?? []), path]);
  }
  const sorted = [...members].sort((a, b) => b[1].length - a[1].length || compare(a[0], b[0]));
  if (sorted.length === 0) return [];
  const shown = sorted.slice(0, MAX_MODULES);
  for (const [name, [first]] of shown) trail.moduleNode(name, first!, 1);
  return [
    `${sorted.length} module${sorted.length === 1 ? '' : 's'}, the largest at ${shown[0]![1][0]}:1:`,
    ...shown.map(([name, paths]) => `- ${name}: ${paths.length} file${paths.length === 1 ? '' : 's'}, ${paths[0]}:1`),
  ];
}

async function moduleTies(trail: Trail, files: readonly number[]): Promise<Tie[]> {
  const { graph, view, moduleOf } = trail.input;
  const ties = new Map<string, Tie>();
  const add = (kind: Tie['kind'], file: number, other: number, line: number) => {
    const { path } = view.files[file]!;
    const [from, to] = [moduleOf(path), moduleOf(view.files[other]!.path)];
    if (to === from || to === '' || from === '') return;
    const known = ties.get(`${from}\n${to}`);
    if (!known) ties.set(`${from}\n${to}`, { from, to, kind, path, line, file, count: 1 });
    else if (known.kind === kind) known.count++;
  };
  const deadline = performance.now() + TIME_MS;
  for (const [i, file] of files.entries()) {
    if (i % 200 === 199) await trail.hop(1, trail.depth, ties.size);
    if (performance.now() > deadline) {
      trail.truncated = true;
      break;
    }
    for (const { record, resolved } of graph.files.imports(file)) {
      const targets = new Map(resolved.files.map((other) => [moduleOf(view.files[other]!.path), other]));
      for (const other of targets.values()) add('imports', file, other, record.line);
    }
  }
  // Imports come first; where a language does without, names tell the same.
  const open = files.filter((file) => graph.files.seesOthers(file));
  const share = Math.ceil(MAX_NAMES / Math.max(1, open.length));
  for (const [i, file] of open.entries()) {
    if (i % 200 === 199) await trail.hop(1, trail.depth, ties.size);
    if (performance.now() > deadline) {
      trail.truncated = true;
      break;
    }
    const names = new Set<string>();
    const isNew = (name: string) => names.size < share && names.size < names.add(name).size;
    const edges = graph.outgoingOf(
      file,
      ({ kind, receiver, name }) => USES.has(kind) && receiver === '' && isNew(name),
    );
    for (const { site, confidence, candidates } of edges)
      if (confidence === 'exact') add('uses', file, candidates[0]!.file, site.reference.line);
  }
  return [...ties.values()];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
