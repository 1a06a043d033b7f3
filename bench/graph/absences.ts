/**
 * Judges claims of absence: functions for which Sextant says that no call was found. A claim is false if the judge has
 * a call of the function from outside of it.
 */
import { FUNCTION_KINDS } from '../../src/graph/resolving/kinds.ts';
import type { JudgedSite } from './judged-sites.ts';
import type { OpenGraph } from './open-graph.ts';

export interface Absences {
  readonly claimed: number;
  readonly wrong: readonly string[];
}

const CALLS = new Set(['call'] as const);

export function judgeAbsences({ reader, view, graph, at }: OpenGraph, sites: readonly JudgedSite[]): Absences {
  const called = new Map<string, JudgedSite[]>();
  const judged = new Set(sites.map(({ path }) => path));
  for (const site of sites)
    for (const target of site.targets) called.set(target, [...(called.get(target) ?? []), site]);
  let claimed = 0;
  const wrong: string[] = [];
  for (let file = 0; file < view.files.length; file++) {
    const { path } = view.files[file]!;
    if (!judged.has(path)) continue;
    const { symbols } = reader.detail(view.contentOf[file]!);
    for (let ordinal = 0; ordinal < symbols.length; ordinal++) {
      const symbol = symbols[ordinal]!;
      const place = { file, ordinal };
      if (!FUNCTION_KINDS.has(symbol.kind) || graph.isConstructor(place)) continue;
      if (graph.references(place, CALLS).length > 0 || graph.unresolved(place, CALLS).length > 0) continue;
      if (graph.mentions(place).length > 0 || graph.overridden(place).length > 0) continue;
      claimed++;
      const inside = (site: JudgedSite) =>
        site.path === path && site.line >= symbol.startLine && site.line <= symbol.endLine;
      const call = called.get(at(place))?.find((site) => !inside(site));
      if (call) wrong.push(`${symbol.qualifiedName} (${at(place)}) is called at ${call.path}:${call.line}`);
    }
  }
  return { claimed, wrong };
}
