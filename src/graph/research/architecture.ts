/** The parts of a repository and how they hang together: imports between modules, each with the line that first shows it. */
import { FileFlag } from '../../model/source-file.ts';
import { findCycles } from './cycles.ts';
import type { Trail } from './trail.ts';

const MAX_FILES = 6_000;
const MAX_TIES = 20;
const MAX_CYCLES = 5;
const TIME_MS = 4_000;
const ASIDE = FileFlag.Test | FileFlag.Example | FileFlag.Vendored | FileFlag.Generated;

interface Tie {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly line: number;
  readonly file: number;
  count: number;
}

export async function tellArchitecture(trail: Trail): Promise<string[]> {
  const ties = await moduleTies(trail);
  const sorted = [...ties].sort((a, b) => b.count - a.count || compare(a.from + a.to, b.from + b.to));
  const shown = sorted.slice(0, MAX_TIES);
  for (const { from, to, path, line, file } of shown) {
    const [a, b] = [trail.moduleNode(from, path, line, 1), trail.moduleNode(to, path, line, 1)];
    trail.edge(a, b, 'imports', 'exact', path, line);
    trail.prove(file, line, `module ${from} imports module ${to}`, 1);
  }
  const lines = shown.map(
    ({ from, to, count, path, line }) =>
      `- module ${from} imports module ${to}, ${count} time${count === 1 ? '' : 's'}, first at ${path}:${line}`,
  );
  const cycles = findCycles(sorted).slice(0, MAX_CYCLES);
  for (const cycle of cycles) {
    const steps = cycle.slice(1).map((to, i) => sorted.find((tie) => tie.from === cycle[i] && tie.to === to)!);
    lines.push(`- cycle: ${cycle.join(' → ')}, by ${steps.map(({ path, line }) => `${path}:${line}`).join(', ')}`);
  }
  if (lines.length === 0) return [];
  return [`The modules, by their imports, the heaviest at ${shown[0]!.path}:${shown[0]!.line}:`, ...lines];
}

async function moduleTies(trail: Trail): Promise<Tie[]> {
  const { graph, view, moduleOf } = trail.input;
  const ties = new Map<string, Tie>();
  const deadline = performance.now() + TIME_MS;
  const files = view.files.flatMap(({ flags }, index) => ((flags & ASIDE) === 0 ? [index] : []));
  if (files.length > MAX_FILES) trail.truncated = true;
  for (const [i, file] of files.slice(0, MAX_FILES).entries()) {
    if (i % 200 === 199) await trail.hop(1, trail.depth, ties.size);
    if (performance.now() > deadline) {
      trail.truncated = true;
      break;
    }
    const { path } = view.files[file]!;
    const from = moduleOf(path);
    for (const { record, resolved } of graph.imports(file)) {
      for (const to of new Set(resolved.files.map((other) => moduleOf(view.files[other]!.path)))) {
        if (to === from || to === '' || from === '') continue;
        const known = ties.get(`${from}\n${to}`);
        if (known) known.count++;
        else ties.set(`${from}\n${to}`, { from, to, path, line: record.line, file, count: 1 });
      }
    }
  }
  return [...ties.values()];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
