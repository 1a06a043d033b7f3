/** Finds the dependencies that close the cycles of a map: without them, all others lead one way. */
import type { MapDependency } from '../../../model/records/browse.ts';

/** Chooses light dependencies by the greedy order of Eades, Lin and Smyth, per cycle. Deterministic. */
export function closingDependencies(
  dependencies: readonly MapDependency[],
  cycles: readonly (readonly string[])[],
): ReadonlySet<MapDependency> {
  const closing = new Set<MapDependency>();
  for (const cycle of cycles) {
    const members = new Set(cycle);
    const inside = dependencies.filter(({ from, to }) => from !== to && members.has(from) && members.has(to));
    const place = new Map(orderOf([...members].sort(), inside).map((name, i) => [name, i]));
    for (const each of inside) if (place.get(each.from)! > place.get(each.to)!) closing.add(each);
  }
  return closing;
}

/**
 * Repeatedly takes modules without remaining dependants first, and modules without remaining dependencies last; between
 * them, the heaviest.
 */
function orderOf(names: readonly string[], dependencies: readonly MapDependency[]): string[] {
  const left = new Set(names);
  const [first, last]: [string[], string[]] = [[], []];
  while (left.size > 0) {
    const [out, into] = [new Map<string, number>(), new Map<string, number>()];
    for (const { from, to, count } of dependencies) {
      if (!left.has(from) || !left.has(to)) continue;
      out.set(from, (out.get(from) ?? 0) + count);
      into.set(to, (into.get(to) ?? 0) + count);
    }
    const rest = [...left];
    const end = rest.find((name) => !out.has(name));
    const surplus = (name: string) => (out.get(name) ?? 0) - (into.get(name) ?? 0);
    const next =
      end ??
      rest.find((name) => !into.has(name)) ??
      rest.reduce((best, name) => (surplus(name) > surplus(best) ? name : best));
    if (end === undefined) first.push(next);
    else last.unshift(next);
    left.delete(next);
  }
  return [...first, ...last];
}
