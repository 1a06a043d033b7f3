/**
 * Finds the places that depend on the touched symbols of a change: their users, and the callers of those, within a
 * budget. Confident edges are followed, ambiguous ones are reported only, and references that nothing resolves are
 * reported as unresolved.
 */
import type { Confidence } from '../../model/records/query.ts';
import type { ReferenceKind } from '../../model/records/symbol.ts';
import { nameOf, stemOf } from '../../model/text/path-text.ts';
import { CALLS, callersOf, type Step, USES } from '../research/walk.ts';
import type { Site } from '../resolving/resolution.ts';
import type { SymbolGraph, SymbolPlace } from '../symbol-graph.ts';
import { keyOf } from '../symbol-place.ts';
import type { RemovedSymbol, TouchedPlace } from './touched-symbols.ts';

/** Hops that are followed: a test further away seldom fails for the change. */
const MAX_HOPS = 3;
/** Symbols whose users are searched for, touched ones first. */
const MAX_NODES = 600;
const MAX_TOUCHED = 300;
/** A symbol with more uses is a utility of the whole program: its users are listed and not followed. */
const MAX_FOLLOWED = 60;
const MAX_UNRESOLVED = 200;

export interface AffectedPlace {
  readonly site: Site;
  readonly confidence: Confidence | 'unresolved';
  readonly hop: number;
  /** The touched symbol that the place depends on. */
  readonly target: string;
  /** The symbol that the place names: the target, or one that depends on it. */
  readonly uses: string;
}

export interface AffectedPlaces {
  readonly places: readonly AffectedPlace[];
  /** The walk stopped at a limit. */
  readonly isPartial: boolean;
  /** Touched symbols whose users were not searched for. */
  readonly leftOut: number;
}

export interface AffectedPlacesOptions {
  /** Yields to the event loop, and throws if the call was cancelled. */
  readonly pause: () => Promise<void>;
}

interface Node {
  readonly place: SymbolPlace;
  readonly target: string;
  readonly hop: number;
}

export async function findAffectedPlaces(
  graph: SymbolGraph,
  touched: readonly TouchedPlace[],
  gone: readonly RemovedSymbol[],
  { pause }: AffectedPlacesOptions,
): Promise<AffectedPlaces> {
  const starts = programFirst(graph, touched).slice(0, MAX_TOUCHED);
  const places: AffectedPlace[] = [];
  const seen = new Set(starts.map(({ place }) => keyOf(place)));
  let queue: Node[] = starts.map(({ place }) => ({ place, target: graph.symbol(place).name, hop: 1 }));
  let nodes = 0;
  let isPartial = starts.length < touched.length;
  while (queue.length > 0) {
    const next: Node[] = [];
    for (const { place, target, hop } of queue) {
      if (nodes++ >= MAX_NODES) {
        isPartial = true;
        break;
      }
      if (nodes % 8 === 0) await pause();
      const steps = usersOf(graph, place, hop);
      const uses = graph.symbol(place).name;
      for (const { edge, confidence } of steps) places.push({ site: edge.site, confidence, hop, target, uses });
      if (hop === 1) places.push(...unresolvedOf(graph, place, target));
      if (hop >= MAX_HOPS) continue;
      const onward = steps.filter((step) => isFollowed(graph, step));
      if (onward.length > MAX_FOLLOWED) continue;
      for (const { next: user } of onward) {
        if (!user || seen.has(keyOf(user))) continue;
        seen.add(keyOf(user));
        next.push({ place: user, target, hop: hop + 1 });
      }
    }
    queue = nodes >= MAX_NODES ? [] : next;
  }
  for (const each of gone) places.push(...namingGone(graph, each));
  return { places, isPartial, leftOut: touched.length - starts.length };
}

/** Only calls are followed beyond the first hop: using a type that uses a type is no dependency. */
function usersOf(graph: SymbolGraph, place: SymbolPlace, hop: number): readonly Step[] {
  const kinds: ReadonlySet<ReferenceKind> = hop === 1 ? USES : CALLS;
  const seen = new Set<string>();
  return callersOf(graph, place, kinds, hop === 1).filter(({ edge: { site } }) => {
    const key = `${site.file}:${site.reference.line}:${site.reference.column}`;
    if (seen.has(key) || isWithin(graph, site, place)) return false;
    seen.add(key);
    return true;
  });
}

/** The use is inside of the symbol itself: recursion, a field of its own. */
function isWithin(graph: SymbolGraph, { file, reference }: Site, place: SymbolPlace): boolean {
  if (file !== place.file) return false;
  const { startLine, endLine } = graph.symbol(place);
  return startLine <= reference.line && reference.line <= endLine;
}

function isFollowed(graph: SymbolGraph, { edge, confidence, next }: Step): boolean {
  return next !== null && confidence !== 'ambiguous' && !graph.isTest(edge.site);
}

function unresolvedOf(graph: SymbolGraph, place: SymbolPlace, target: string): AffectedPlace[] {
  return graph
    .unresolved(place, CALLS)
    .filter((site) => !graph.isSuperCall(site))
    .slice(0, MAX_UNRESOLVED)
    .map((site) => ({ site, confidence: 'unresolved', hop: 1, target, uses: target }));
}

/** Places that name a removed symbol and do not resolve to anything else. */
function namingGone(graph: SymbolGraph, { name, path }: RemovedSymbol): AffectedPlace[] {
  const stem = stemOf(nameOf(path));
  // The file imports the name from the place where it was, also if that file no longer exists.
  const imports = (file: number) =>
    graph.files
      .imports(file)
      .some(({ record }) => record.names.some(({ local }) => local === name) && leadsTo(record.source, stem));
  return graph.sites
    .named(name, USES)
    .filter((site) => {
      const { targets, elsewhere } = graph.resolve(site);
      return targets.length === 0 && (!elsewhere || imports(site.file));
    })
    .slice(0, MAX_UNRESOLVED)
    .map((site) => ({ site, confidence: 'unresolved', hop: 1, target: name, uses: name }));
}

function leadsTo(source: string, stem: string): boolean {
  return source.split(/[./\\:]+/).includes(stem);
}

function programFirst(graph: SymbolGraph, touched: readonly TouchedPlace[]): readonly TouchedPlace[] {
  const isTest = ({ place: { file, ordinal } }: TouchedPlace) =>
    graph.isTest({ file, reference: { kind: 'call', name: '', receiver: '', line: 1, column: 1, from: ordinal } });
  return [...touched.filter((each) => !isTest(each)), ...touched.filter(isTest)];
}
