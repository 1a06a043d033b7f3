/** Cycles and hubs of the small graph that an answer contains. */

export interface Arrow {
  readonly from: string;
  readonly to: string;
}

const MAX_CYCLES = 10;
const MAX_HUBS = 10;
const HUB_DEGREE = 3;

/** Each cycle as the ids along it; the last is the first again. */
export function findCycles(arrows: readonly Arrow[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to]);
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (id: string) => {
    const at = trail.indexOf(id);
    if (at >= 0) {
      if (cycles.length < MAX_CYCLES) cycles.push([...trail.slice(at), id]);
      return;
    }
    if (done.has(id)) return;
    trail.push(id);
    for (const other of next.get(id) ?? []) visit(other);
    trail.pop();
    done.add(id);
  };
  for (const id of [...next.keys()].sort()) visit(id);
  return cycles;
}

/** The nodes with the most edges, most first. */
export function findHubs(arrows: readonly Arrow[]): { id: string; degree: number }[] {
  const degree = new Map<string, number>();
  for (const { from, to } of arrows) for (const id of [from, to]) degree.set(id, (degree.get(id) ?? 0) + 1);
  return [...degree]
    .filter(([, count]) => count >= HUB_DEGREE)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_HUBS)
    .map(([id, count]) => ({ id, degree: count }));
}
