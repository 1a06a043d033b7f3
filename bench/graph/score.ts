/**
 * Computes two figures for each language. Precision: of the edges that a program calls certain, at judged calls, the
 * share whose target is the judge's. Recall: of the calls of a function, method, class or macro of the tree, the share
 * for which the program names exactly the right one. An edge into the tree at a call that leads outside, or to a
 * variable, is wrong.
 */
import type { CallEdge, CallEdges } from './edges.ts';
import type { JudgedSite } from './judged-sites.ts';

export interface Score {
  readonly judged: number;
  readonly resolvable: number;
  readonly sure: number;
  readonly sureRight: number;
  readonly decided: number;
  readonly decidedRight: number;
  /** Resolvable calls that are found: by a decided edge, by a certain edge, among the candidates. */
  readonly found: number;
  readonly foundSurely: number;
  readonly foundAmong: number;
}

/** The result for one call, to look for the reason of a miss. */
export interface Verdict {
  readonly site: JudgedSite;
  readonly edge: CallEdge | null;
  readonly right: boolean;
}

export interface Matching {
  /** Any right edge of the name on the line counts, for a program whose edges have no columns. */
  readonly anyOnLine: boolean;
}

export function judge(sites: readonly JudgedSite[], edges: CallEdges, matching: Matching): Verdict[] {
  return sites.map((site) => {
    const found = edgesAt(edges, site);
    const isRight = (edge: CallEdge) => edge.targets.some((target) => site.targets.includes(target));
    const lenient = matching.anyOnLine ? found.find(isRight) : undefined;
    const edge = lenient ?? nearest(found, site.column);
    return { site, edge, right: !!edge?.decided && isRight({ ...edge, targets: topOf(edge, matching) }) };
  });
}

/** An edge of the other program may list several lines of its target's head; ours has one line. */
function topOf(edge: CallEdge, { anyOnLine }: Matching): readonly string[] {
  return anyOnLine ? edge.targets : edge.targets.slice(0, 1);
}

function edgesAt(edges: CallEdges, { path, line, startLine, name }: JudgedSite): readonly CallEdge[] {
  const found = edges.at(path, line, name);
  return found.length > 0 || startLine === line ? found : edges.at(path, startLine, name);
}

function nearest(edges: readonly CallEdge[], column: number): CallEdge | null {
  let best: CallEdge | null = null;
  for (const edge of edges) if (!best || Math.abs(edge.column - column) < Math.abs(best.column - column)) best = edge;
  return best;
}

export function score(verdicts: readonly Verdict[]): Score {
  const decided = verdicts.filter(({ edge }) => edge?.decided);
  const sure = decided.filter(({ edge }) => edge!.sure);
  const resolvable = verdicts.filter(({ site }) => site.kind === 'function' && site.targets.length > 0);
  return {
    judged: verdicts.length,
    resolvable: resolvable.length,
    sure: sure.length,
    sureRight: sure.filter(({ right }) => right).length,
    decided: decided.length,
    decidedRight: decided.filter(({ right }) => right).length,
    found: resolvable.filter(({ right }) => right).length,
    foundSurely: resolvable.filter(({ right, edge }) => right && edge!.sure).length,
    foundAmong: resolvable.filter(({ site, edge }) => edge?.targets.some((target) => site.targets.includes(target)))
      .length,
  };
}

export function sum(scores: readonly Score[]): Score {
  const total: Record<keyof Score, number> = {
    judged: 0,
    resolvable: 0,
    sure: 0,
    sureRight: 0,
    decided: 0,
    decidedRight: 0,
    found: 0,
    foundSurely: 0,
    foundAmong: 0,
  };
  for (const each of scores) for (const key of Object.keys(total) as (keyof Score)[]) total[key] += each[key];
  return total;
}
