/** Sorts modules into layers: each layer depends on those below it, and the lowest on none of the others. */
import { stronglyConnected } from '../../map/strongly-connected.ts';

export interface WeightedDependency {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/**
 * Layers from top to bottom, each sorted by name. Of two modules that depend on each other, the one with more
 * references stands above. Modules of a longer cycle share a layer.
 */
export function findLayers(dependencies: readonly WeightedDependency[]): string[][] {
  const counts = new Map(dependencies.map(({ from, to, count }) => [`${from}\n${to}`, count]));
  const below = new Map<string, string[]>();
  for (const { from, to, count } of dependencies) {
    if (!below.has(to)) below.set(to, []);
    const lower = below.get(from) ?? [];
    below.set(from, lower);
    if (count > (counts.get(`${to}\n${from}`) ?? 0)) lower.push(to);
  }
  const cycles = stronglyConnected(below);
  const cycleOf = new Map(cycles.flatMap((members) => members.map((name) => [name, members] as const)));
  const heights = new Map<readonly string[], number>();
  const heightOf = (cycle: readonly string[]): number => {
    const known = heights.get(cycle);
    if (known !== undefined) return known;
    const lower = new Set(cycle.flatMap((name) => below.get(name)!).map((name) => cycleOf.get(name)!));
    lower.delete(cycle as string[]);
    const height = lower.size === 0 ? 0 : 1 + Math.max(...[...lower].map(heightOf));
    heights.set(cycle, height);
    return height;
  };
  const layers: string[][] = [];
  for (const cycle of cycles) {
    const height = heightOf(cycle);
    while (layers.length <= height) layers.push([]);
    layers[height]!.push(...cycle);
  }
  return layers.map((names) => names.sort()).reverse();
}
