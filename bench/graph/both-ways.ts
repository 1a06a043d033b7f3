/**
 * Checks that imports and calls are found from both ends: a file is a dependant of each file that it imports, and a
 * call is a reference of its target. A link that is lost on the way back makes answers say "nothing imports it" or "no
 * call was found".
 */
import type { SymbolPlace } from '../../src/graph/index.ts';
import type { OpenGraph } from './open-graph.ts';

export interface BothWays {
  readonly imports: number;
  readonly lostImports: readonly string[];
  /** Calls with one target, exact or likely. */
  readonly calls: number;
  readonly lostCalls: readonly string[];
}

const CALLS = new Set(['call'] as const);

export function lookBothWays({ graph, view, at }: OpenGraph): BothWays {
  const lostImports: string[] = [];
  let imports = 0;
  const called = new Map<string, { readonly place: SymbolPlace; readonly sites: string[] }>();
  let calls = 0;
  for (const [file, { path }] of view.files.entries()) {
    for (const other of graph.files.importedBy(file)) {
      if (other === file) continue;
      imports++;
      if (!graph.files.dependants(other).includes(file)) lostImports.push(`${path} imports ${view.files[other]!.path}`);
    }
    for (const { site, confidence, candidates } of graph.outgoingOf(file, ({ kind }) => kind === 'call')) {
      if (confidence === 'ambiguous' || candidates.length !== 1) continue;
      calls++;
      const [place] = candidates;
      const key = `${place!.file}:${place!.ordinal}`;
      const known = called.get(key) ?? { place: place!, sites: [] };
      known.sites.push(`${path}:${site.reference.line}:${site.reference.column}`);
      called.set(key, known);
    }
  }
  const lostCalls = [...called.values()].flatMap(({ place, sites }) => {
    const found = new Set(
      graph
        .references(place, CALLS)
        .map(({ site }) => `${view.files[site.file]!.path}:${site.reference.line}:${site.reference.column}`),
    );
    return sites.filter((site) => !found.has(site)).map((site) => `${site} calls ${at(place)}`);
  });
  return { imports, lostImports, calls, lostCalls };
}
