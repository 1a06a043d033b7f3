/** Steps along the graph: who calls a symbol, what it calls, and the other way round through what it overrides. */
import type { Confidence } from '../../model/records/query.ts';
import { type ReferenceKind, TYPE_KINDS } from '../../model/records/symbol.ts';
import { CONFIDENCE_ORDER, type Edge, type SymbolGraph, type SymbolPlace } from '../symbol-graph.ts';
import { keyOf } from '../symbol-place.ts';
import type { EvidenceTrail } from './evidence-trail.ts';

export interface Step {
  /** The symbol at the other end; null where the call stands outside of all symbols. */
  readonly next: SymbolPlace | null;
  readonly edge: Edge;
  readonly confidence: Confidence;
  /** The overridden or overriding method that the call goes through. */
  readonly through: SymbolPlace | null;
  /** Of a call over a wire: what both sides name. */
  readonly wire?: string;
}

/** How a search came to a place. */
export interface Arrival {
  readonly from: SymbolPlace;
  readonly step: Step;
}

export const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
export const USES: ReadonlySet<ReferenceKind> = new Set(['call', 'type', 'inherit', 'conform', 'read']);
const READS: ReadonlySet<ReferenceKind> = new Set(['read']);
const MAX_AMBIGUOUS = 3;

/** `whole`: places that only name it are looked for in the texts, too, which takes longer. */
export function callersOf(
  graph: SymbolGraph,
  place: SymbolPlace,
  kinds: ReadonlySet<ReferenceKind>,
  whole = false,
): Step[] {
  const steps: Step[] = [];
  const add = (target: SymbolPlace, through: SymbolPlace | null) => {
    const mentions = whole && through === null ? graph.mentions(target) : [];
    for (const edge of [...graph.references(target, kinds), ...mentions]) {
      if (through && graph.isSuperCall(edge.site)) continue;
      const { from } = edge.site.reference;
      const next = from >= 0 ? { file: edge.site.file, ordinal: from } : null;
      // Which body runs behind a call of an interface is decided when it runs.
      steps.push({
        next,
        edge,
        through,
        confidence: through && edge.confidence === 'exact' ? 'likely' : edge.confidence,
      });
    }
  };
  add(place, null);
  for (const above of graph.overridden(place)) add(above, above);
  return steps;
}

/** Calls of a symbol over a wire, and what it calls over one. */
export function wireSteps(graph: SymbolGraph, place: SymbolPlace, isCallers: boolean): Step[] {
  const edges = isCallers ? graph.joins.callers(place) : graph.joins.callees(place);
  return edges.map(({ site, next, wire }) => {
    const candidates = isCallers ? [place] : next ? [next] : [];
    return { next, edge: { site, confidence: 'likely', candidates }, confidence: 'likely', through: null, wire };
  });
}

/**
 * Steps to several symbols, with each place in the code once: a call that may mean any of eight namesakes, or an
 * interface and its implementers, is one call, shown for its most confident target.
 */
export function uniqueSteps(steps: ReadonlyMap<string, readonly Step[]>): Map<string, readonly Step[]> {
  const surest = new Map<string, Step>();
  for (const step of [...steps.values()].flat()) {
    const known = surest.get(siteOf(step));
    if (!known || CONFIDENCE_ORDER[step.confidence] < CONFIDENCE_ORDER[known.confidence])
      surest.set(siteOf(step), step);
  }
  return new Map([...steps].map(([key, own]) => [key, own.filter((step) => surest.get(siteOf(step)) === step)]));
}

function siteOf({ edge: { site } }: Step): string {
  const { kind, line, column } = site.reference;
  return `${site.file}:${line}:${column}:${kind}`;
}

/** Who names a function without calling it: in a table, as an argument, as a handler. */
export function findPassers(
  graph: SymbolGraph,
  place: SymbolPlace,
): { readonly place: SymbolPlace; readonly step: Step }[] {
  return [...graph.references(place, READS), ...graph.mentions(place)].map((edge) => {
    const { from } = edge.site.reference;
    const next = from >= 0 ? { file: edge.site.file, ordinal: from } : null;
    return { place, step: { next, edge, through: null, confidence: edge.confidence } };
  });
}

/**
 * `reached`: the place was come to on the way. Of a type that is, only what constructing it does follows. `most`
 * overrides of a call are followed.
 */
export function calleesOf(
  graph: SymbolGraph,
  place: SymbolPlace,
  kinds: ReadonlySet<ReferenceKind>,
  reached = false,
  most?: number,
): Step[] {
  const isConstructed = reached && TYPE_KINDS.has(graph.symbol(place).kind);
  return (isConstructed ? graph.constructing(place, kinds) : graph.outgoing(place, kinds)).flatMap((edge) => {
    const { confidence, candidates } = edge;
    const direct = candidates.slice(0, confidence === 'ambiguous' ? MAX_AMBIGUOUS : 1);
    const steps: Step[] = direct.map((next) => ({ next, edge, confidence, through: null }));
    if (confidence === 'exact' && !graph.isSuperCall(edge.site))
      for (const below of graph.overriding(direct[0]!, most))
        steps.push({ next: below, edge, confidence: 'likely', through: direct[0]! });
    return steps;
  });
}

/** The steps to a place, from where the search began. */
export function chainTo(end: SymbolPlace, before: ReadonlyMap<string, Arrival>): readonly Arrival[] {
  const chain: Arrival[] = [];
  for (let came = before.get(keyOf(end)); came; came = before.get(keyOf(came.from))) chain.unshift(came);
  return chain;
}

/** Breadth first, with the steps of every hop handed over as they are found. */
export async function walk(
  trail: EvidenceTrail,
  starts: readonly SymbolPlace[],
  step: (place: SymbolPlace) => readonly Step[],
  found: (place: SymbolPlace, step: Step, hop: number) => void,
  ended: (hop: number) => void = () => {},
): Promise<void> {
  const seen = new Set(starts.map(keyOf));
  let frontier = [...starts];
  for (let hop = 1; hop <= trail.depth && frontier.length > 0 && !trail.full; hop++) {
    const next: SymbolPlace[] = [];
    let count = 0;
    for (const place of frontier) {
      trail.checkAbort();
      for (const each of step(place)) {
        if (trail.full) break;
        found(place, each, hop);
        count++;
        // What is only possible is shown, and not followed.
        if (!each.next || each.confidence === 'ambiguous' || seen.has(keyOf(each.next))) continue;
        seen.add(keyOf(each.next));
        next.push(each.next);
      }
    }
    ended(hop);
    await trail.hop(hop, trail.depth, count);
    frontier = next;
  }
}
