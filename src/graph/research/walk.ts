/** Steps along the graph: callers and callees of a symbol, also through the methods that it overrides. */
import type { Confidence } from '../../model/records/query.ts';
import { type ReferenceKind, TYPE_KINDS } from '../../model/records/symbol.ts';
import { CONFIDENCE_ORDER, type Edge, type SymbolGraph, type SymbolPlace } from '../symbol-graph.ts';
import { keyOf } from '../symbol-place.ts';
import type { EvidenceTrail } from './evidence-trail.ts';

export interface Step {
  /** The symbol at the other end; null for a call outside of all symbols. */
  readonly next: SymbolPlace | null;
  readonly edge: Edge;
  readonly confidence: Confidence;
  /** The overridden or overriding method that the call goes through. */
  readonly through: SymbolPlace | null;
  /** The route, rpc or field that both sides of a network call name. */
  readonly wire?: string;
}

/** The step by which a search reached a place. */
export interface Arrival {
  readonly from: SymbolPlace;
  readonly step: Step;
}

export const CALLS: ReadonlySet<ReferenceKind> = new Set(['call']);
export const USES: ReadonlySet<ReferenceKind> = new Set(['call', 'type', 'inherit', 'conform', 'read']);
const READS: ReadonlySet<ReferenceKind> = new Set(['read']);
const MAX_AMBIGUOUS = 3;

/** `withMentions`: also searches texts for reads and functions passed as values, which takes longer. */
export function callersOf(
  graph: SymbolGraph,
  place: SymbolPlace,
  kinds: ReadonlySet<ReferenceKind>,
  withMentions = false,
): Step[] {
  const steps: Step[] = [];
  const add = (target: SymbolPlace, through: SymbolPlace | null) => {
    const mentions = withMentions && through === null ? graph.mentions(target) : [];
    for (const edge of [...graph.references(target, kinds), ...mentions]) {
      if (through && graph.isSuperCall(edge.site)) continue;
      const { from } = edge.site.reference;
      const next = from >= 0 ? { file: edge.site.file, ordinal: from } : null;
      // Which implementation an interface call runs is decided at run time.
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

/** The network calls of a symbol, or those that it makes. */
export function wireSteps(graph: SymbolGraph, place: SymbolPlace, isCallers: boolean): Step[] {
  const edges = isCallers ? graph.joins.callers(place) : graph.joins.callees(place);
  return edges.map(({ site, next, wire }) => {
    const candidates = isCallers ? [place] : next ? [next] : [];
    return { next, edge: { site, confidence: 'likely', candidates }, confidence: 'likely', through: null, wire };
  });
}

/**
 * Keeps each call site once, with its most confident target: a call may mean any of several symbols of a name, or an
 * interface method and its implementations.
 */
export function uniqueSteps(steps: ReadonlyMap<string, readonly Step[]>): Map<string, readonly Step[]> {
  const mostConfident = new Map<string, Step>();
  for (const step of [...steps.values()].flat()) {
    const known = mostConfident.get(siteOf(step));
    if (!known || CONFIDENCE_ORDER[step.confidence] < CONFIDENCE_ORDER[known.confidence])
      mostConfident.set(siteOf(step), step);
  }
  return new Map(
    [...steps].map(([key, list]) => [key, list.filter((step) => mostConfident.get(siteOf(step)) === step)]),
  );
}

function siteOf({ edge: { site } }: Step): string {
  const { kind, line, column } = site.reference;
  return `${site.file}:${line}:${column}:${kind}`;
}

/** Places that name a function without calling it: in a table, as an argument, as a handler. */
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
 * `reached`: a walk reached the place by a call. Of a type that was reached, only the calls of its construction follow.
 * `maxOverrides`: overrides of a called method that are followed.
 */
export function calleesOf(
  graph: SymbolGraph,
  place: SymbolPlace,
  kinds: ReadonlySet<ReferenceKind>,
  reached = false,
  maxOverrides?: number,
): Step[] {
  const isConstructed = reached && TYPE_KINDS.has(graph.symbol(place).kind);
  return (isConstructed ? graph.constructing(place, kinds) : graph.outgoing(place, kinds)).flatMap((edge) => {
    const { confidence, candidates } = edge;
    const direct = candidates.slice(0, confidence === 'ambiguous' ? MAX_AMBIGUOUS : 1);
    const steps: Step[] = direct.map((next) => ({ next, edge, confidence, through: null }));
    if (confidence === 'exact' && !graph.isSuperCall(edge.site))
      for (const below of graph.overriding(direct[0]!, maxOverrides))
        steps.push({ next: below, edge, confidence: 'likely', through: direct[0]! });
    return steps;
  });
}

/** The steps from the start of a search to a place. */
export function chainTo(end: SymbolPlace, before: ReadonlyMap<string, Arrival>): readonly Arrival[] {
  const chain: Arrival[] = [];
  for (let arrival = before.get(keyOf(end)); arrival; arrival = before.get(keyOf(arrival.from))) chain.unshift(arrival);
  return chain;
}

/** Walks breadth first and passes every step to `found` and the end of every hop to `ended`. */
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
        // An ambiguous step is reported and not followed.
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
