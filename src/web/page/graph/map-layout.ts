/**
 * Lays out the modules of a repository: dependants to the left of their dependencies, except for the dependencies that
 * close a cycle. Pure.
 */
import type { MapDependency, MapModule, RepositoryMap } from '../../../model/records/browse.ts';
import { closingDependencies } from './closing-dependencies.ts';

export interface PlacedModule extends MapModule {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isInCycle: boolean;
}

export interface PlacedDependency extends MapDependency {
  /** An SVG path. */
  readonly curve: string;
  /** True for a dependency that closes a cycle. */
  readonly isClosing: boolean;
  /** True if a longer path implies it: A uses B, B uses C, and A uses C, too. */
  readonly isImplied: boolean;
  readonly thickness: number;
}

export interface MapLayout {
  readonly modules: readonly PlacedModule[];
  readonly dependencies: readonly PlacedDependency[];
  readonly width: number;
  readonly height: number;
}

const MARGIN = 20;
/** Margin for arrows of cycles, which bend around the outer columns. */
const SIDE = 46;
const GAP_X = 58;
const GAP_Y = 16;
const LETTER = 7.6;
const SMALLEST = { width: 88, height: 38 };
const LARGEST = { width: 150, height: 120 };
const WIDEST_WORDS = 190;
const SWEEPS = 6;
/** Maximum modules per column, so that the picture is not taller than a screen. */
const MAX_ROWS = 9;

export function layoutMap(map: RepositoryMap): MapLayout {
  const inCycles = new Set(map.cycles.flat());
  const closing = closingDependencies(map.dependencies, map.cycles);
  const onward = map.dependencies.filter((each) => each.from !== each.to && !closing.has(each));
  const columns = orderColumns(map, columnsOf(map.modules, onward)).flatMap(split);
  const maxLines = Math.max(1, ...map.modules.map(({ lines }) => lines));
  const tallest = Math.max(...columns.map((column) => heightOf(column, maxLines)), 0);
  const placed = new Map<string, PlacedModule>();
  let x = SIDE;
  for (const column of columns) {
    const sizes = column.map((module) => sizeOf(module, maxLines));
    const width = Math.max(...sizes.map((size) => size.width));
    let y = MARGIN + (tallest - heightOf(column, maxLines)) / 2;
    for (const [i, module] of column.entries()) {
      const size = sizes[i]!;
      const isInCycle = inCycles.has(module.name);
      placed.set(module.name, { ...module, x: x + (width - size.width) / 2, y, ...size, isInCycle });
      y += size.height + GAP_Y;
    }
    x += width + GAP_X;
  }
  return {
    modules: [...placed.values()],
    dependencies: placeDependencies(map, placed, closing, impliedOnes(onward)),
    width: x - GAP_X + SIDE,
    height: tallest + 2 * MARGIN,
  };
}

function placeDependencies(
  { dependencies }: RepositoryMap,
  placed: ReadonlyMap<string, PlacedModule>,
  closing: ReadonlySet<MapDependency>,
  implied: ReadonlySet<MapDependency>,
): PlacedDependency[] {
  const heaviest = Math.max(1, ...dependencies.map(({ count }) => count));
  return dependencies.flatMap((dependency) => {
    const [from, to] = [placed.get(dependency.from), placed.get(dependency.to)];
    if (!from || !to) return [];
    return [
      {
        ...dependency,
        curve: curveOf(from, to),
        isClosing: closing.has(dependency),
        isImplied: implied.has(dependency),
        thickness: 1 + 2.5 * (Math.log1p(dependency.count) / Math.log1p(heaviest)),
      },
    ];
  });
}

/** The box's area is proportional to the module's lines, with a minimum for its name. */
function sizeOf({ lines, name }: MapModule, maxLines: number): { readonly width: number; readonly height: number } {
  const scale = Math.sqrt(lines / maxLines);
  const words = Math.min(WIDEST_WORDS, name.length * LETTER + 26);
  return {
    width: Math.round(Math.max(words, SMALLEST.width, scale * LARGEST.width)),
    height: Math.round(Math.max(SMALLEST.height, scale * LARGEST.height)),
  };
}

function heightOf(column: readonly MapModule[], maxLines: number): number {
  return column.reduce((sum, module) => sum + sizeOf(module, maxLines).height + GAP_Y, -GAP_Y);
}

/** A module's column is its longest path from the left. */
function columnsOf(modules: readonly MapModule[], onward: readonly MapDependency[]): MapModule[][] {
  const before = new Map<string, string[]>();
  for (const { from, to } of onward) before.set(to, [...(before.get(to) ?? []), from]);
  const depths = new Map<string, number>();
  const depthOf = (name: string): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    // Set before recursion: a cycle that the map does not list must not recurse forever.
    depths.set(name, 0);
    const depth = Math.max(-1, ...(before.get(name) ?? []).map(depthOf)) + 1;
    depths.set(name, depth);
    return depth;
  };
  const columns: MapModule[][] = [];
  for (const module of modules) {
    const depth = depthOf(module.name);
    columns[depth] = [...(columns[depth] ?? []), module];
  }
  return columns.filter(Boolean);
}

/** Orders columns so that modules are near their neighbours, in a few sweeps in both directions. */
function orderColumns(map: RepositoryMap, columns: readonly MapModule[][]): MapModule[][] {
  const sorted = columns.map((column) => [...column].sort((a, b) => (a.name < b.name ? -1 : 1)));
  const tied = new Map<string, { other: string; weight: number }[]>();
  const tie = (a: string, other: string, weight: number) => tied.set(a, [...(tied.get(a) ?? []), { other, weight }]);
  for (const { from, to, count } of map.dependencies) {
    tie(from, to, Math.log1p(count));
    tie(to, from, Math.log1p(count));
  }
  const place = new Map<string, number>();
  const note = (column: readonly MapModule[]) => {
    for (const [i, { name }] of column.entries()) place.set(name, (i + 0.5) / column.length);
  };
  sorted.forEach(note);
  const meanOf = (name: string) => {
    const ties = tied.get(name) ?? [];
    const total = ties.reduce((sum, { weight }) => sum + weight, 0);
    if (total === 0) return place.get(name)!;
    return ties.reduce((sum, { other, weight }) => sum + (place.get(other) ?? 0.5) * weight, 0) / total;
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const column of sweep % 2 === 0 ? sorted : [...sorted].reverse()) {
      const means = new Map(column.map(({ name }) => [name, meanOf(name)]));
      column.sort((a, b) => means.get(a.name)! - means.get(b.name)! || (a.name < b.name ? -1 : 1));
      note(column);
    }
  return sorted;
}

function split(column: MapModule[]): MapModule[][] {
  const parts = Math.ceil(column.length / MAX_ROWS);
  const size = Math.ceil(column.length / parts);
  return Array.from({ length: parts }, (_, i) => column.slice(i * size, (i + 1) * size));
}

/** Dependencies that a longer path implies (the transitive reduction omits them). */
function impliedOnes(onward: readonly MapDependency[]): ReadonlySet<MapDependency> {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of onward) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reached = new Map<string, Set<string>>();
  const reachedFrom = (name: string): ReadonlySet<string> => {
    const known = reached.get(name);
    if (known) return known;
    const all = new Set<string>();
    reached.set(name, all);
    for (const other of next.get(name) ?? []) {
      all.add(other);
      for (const further of reachedFrom(other)) all.add(further);
    }
    return all;
  };
  return new Set(
    onward.filter(({ from, to }) => [...next.get(from)!].some((other) => other !== to && reachedFrom(other).has(to))),
  );
}

/** A curve from the right side to the left side; within a column, a bow beside it. */
function curveOf(from: PlacedModule, to: PlacedModule): string {
  const p = (x: number, y: number) => `${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
  const middle = ({ y, height }: PlacedModule) => y + height / 2;
  // Shifts the ends towards each other, so that the arrows of one module do not all meet in one point.
  const lean = Math.max(-0.35, Math.min(0.35, (middle(to) - middle(from)) / 500));
  const y1 = middle(from) + lean * from.height;
  const y2 = middle(to) - lean * to.height;
  if (from.x + from.width <= to.x) {
    const [x1, x2] = [from.x + from.width, to.x - 3];
    const bend = Math.max(20, (x2 - x1) / 2);
    return `M${p(x1, y1)} C${p(x1 + bend, y1)} ${p(x2 - bend, y2)} ${p(x2, y2)}`;
  }
  if (to.x + to.width <= from.x) {
    const [x1, x2] = [from.x, to.x + to.width + 3];
    const bend = Math.max(20, (x1 - x2) / 2);
    // Below the forward arrow, which it would otherwise cover.
    const [low1, low2] = [y1 + from.height / 4, y2 + to.height / 4];
    return `M${p(x1, low1)} C${p(x1 - bend, low1)} ${p(x2 + bend, low2)} ${p(x2, low2)}`;
  }
  // Downward arrows are on the right, upward ones on the left.
  const isDown = to.y > from.y;
  const [x1, x2] = isDown ? [from.x + from.width, to.x + to.width + 3] : [from.x, to.x - 3];
  const out = (isDown ? 1 : -1) * (GAP_X - 16);
  return `M${p(x1, middle(from))} C${p(x1 + out, middle(from))} ${p(x2 + out, middle(to))} ${p(x2, middle(to))}`;
}
