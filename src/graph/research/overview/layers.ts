/** Modules in layers: each layer depends on those below it, and the lowest on none of the others. */

export interface Tie {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/**
 * From the top to the bottom, each layer in the order of names. Of two modules that depend on each other the one that
 * does so more often stands above; what is circular all the same shares a layer.
 */
export function layersOf(ties: readonly Tie[]): string[][] {
  const counts = new Map(ties.map(({ from, to, count }) => [`${from}\n${to}`, count]));
  const below = new Map<string, string[]>();
  for (const { from, to, count } of ties) {
    if (!below.has(to)) below.set(to, []);
    const own = below.get(from) ?? [];
    below.set(from, own);
    if (count > (counts.get(`${to}\n${from}`) ?? 0)) own.push(to);
  }
  const parts = circularParts(below);
  const partOf = new Map(parts.flatMap((members) => members.map((name) => [name, members] as const)));
  const heights = new Map<readonly string[], number>();
  const heightOf = (part: readonly string[]): number => {
    const known = heights.get(part);
    if (known !== undefined) return known;
    const others = new Set(part.flatMap((name) => below.get(name)!).map((name) => partOf.get(name)!));
    others.delete(part as string[]);
    const height = others.size === 0 ? 0 : 1 + Math.max(...[...others].map(heightOf));
    heights.set(part, height);
    return height;
  };
  const layers: string[][] = [];
  for (const part of parts) {
    const height = heightOf(part);
    while (layers.length <= height) layers.push([]);
    layers[height]!.push(...part);
  }
  return layers.map((names) => names.sort()).reverse();
}

/** Strongly connected parts (Tarjan), each with the modules that reach each other. */
function circularParts(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const parts: string[][] = [];
  const visit = (name: string) => {
    order.set(name, order.size);
    lowest.set(name, order.get(name)!);
    open.push(name);
    isOpen.add(name);
    for (const other of next.get(name)!) {
      if (!order.has(other)) visit(other);
      if (isOpen.has(other)) lowest.set(name, Math.min(lowest.get(name)!, lowest.get(other)!));
    }
    if (lowest.get(name) !== order.get(name)) return;
    const part = open.splice(open.indexOf(name));
    for (const each of part) isOpen.delete(each);
    parts.push(part);
  };
  for (const name of [...next.keys()].sort()) if (!order.has(name)) visit(name);
  return parts;
}
