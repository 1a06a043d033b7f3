/**
 * Answers "how does A reach B" where no chain of calls leads from A to B. It walks up from B, also through functions
 * that are passed as values, until it meets a symbol that A reaches; else it tells how far both ends lead. A function
 * that is passed as a value may run or not, so the answer calls such a step a bridge and never a call.
 */

import { FUNCTION_KINDS, VALUE_KINDS } from '../../resolving/kinds.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { keyOf } from '../../symbol-place.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import { type Arrival, CALLS, callersOf, chainTo, findPassers, type Step } from '../walk.ts';

const MAX_HOPS = 6;
/** Each place costs a search of the texts that contain its name. */
const MAX_PLACES = 150;
const MAX_LINES = 8;

/** A step upwards: `from` calls `to`, or may cause its call. */
interface Rise {
  readonly from: SymbolPlace;
  readonly to: SymbolPlace;
  readonly step: Step;
  /**
   * `name`: `from` names `to` without calling it. `stored`: `from` is a field, and `to` is assigned to a field of that
   * name. `handed`: `from` is a method of a type whose constructor receives `to`.
   */
  readonly way: 'call' | 'name' | 'stored' | 'handed';
}

interface Upwards {
  /** Steps by their upper end, nearest to the goal first. */
  readonly rises: ReadonlyMap<string, Rise>;
  /** A place that the calls from the start reach. */
  readonly met: SymbolPlace | null;
}

/** `reached`: the steps by which calls from the starts reached each place. */
export async function describeBroken(
  trail: EvidenceTrail,
  starts: readonly SymbolPlace[],
  goals: readonly SymbolPlace[],
  reached: ReadonlyMap<string, Arrival>,
): Promise<string[]> {
  const { rises, met } = await riseFrom(trail, starts, goals, reached);
  if (met) return describeBridge(trail, chainTo(met, reached), met, rises);
  return [...describeFromStart(trail, starts, goals, reached), ...describeUpwards(trail, goals, [...rises.values()])];
}

async function riseFrom(
  trail: EvidenceTrail,
  starts: readonly SymbolPlace[],
  goals: readonly SymbolPlace[],
  reached: ReadonlyMap<string, Arrival>,
): Promise<Upwards> {
  const isReached = new Set([...starts.map(keyOf), ...reached.keys()]);
  const rises = new Map<string, Rise>();
  const seen = new Set(goals.map(keyOf));
  let frontier = [...goals];
  for (let hop = 1; hop <= MAX_HOPS && frontier.length > 0 && seen.size < MAX_PLACES; hop++) {
    const next: SymbolPlace[] = [];
    for (const to of frontier) {
      trail.checkAbort();
      for (const rise of risesOf(trail, to)) {
        const key = keyOf(rise.from);
        if (seen.has(key) || seen.size >= MAX_PLACES) continue;
        seen.add(key);
        rises.set(key, rise);
        if (isReached.has(key)) return { rises, met: rise.from };
        next.push(rise.from);
      }
    }
    await trail.hop(hop, MAX_HOPS, next.length);
    frontier = next;
  }
  const stored =
    findStored(trail, [...goals, ...[...rises.values()].map(({ from }) => from)], reached) ??
    findHanded(trail, [...rises.values()], reached);
  if (stored) rises.set(keyOf(stored.from), stored);
  return { rises, met: stored?.from ?? null };
}

/** Calls come first: a call proves more than a function passed as a value. */
function risesOf({ input: { graph } }: EvidenceTrail, to: SymbolPlace): Rise[] {
  const calls = callersOf(graph, to, CALLS).map((step) => ({ step, way: 'call' as const }));
  const passes = findPassers(graph, to).map(({ step }) => ({ step, way: 'name' as const }));
  return [...calls, ...passes].flatMap(({ step, way }) =>
    step.next && step.confidence !== 'ambiguous' && !graph.isTest(step.edge.site)
      ? [{ from: step.next, to, step, way }]
      : [],
  );
}

/**
 * Joins a field that is called (`this.scheduler()`) with a function that is assigned to a field of that name
 * (`effect.scheduler = () => …`).
 */
function findStored(
  { input: { graph, reader, view } }: EvidenceTrail,
  above: readonly SymbolPlace[],
  reached: ReadonlyMap<string, Arrival>,
): Rise | undefined {
  const fields = new Map<string, Arrival>();
  for (const came of reached.values()) {
    const { kind, name } = graph.symbol(came.step.next!);
    if (VALUE_KINDS.has(kind) && !fields.has(name)) fields.set(name, came);
  }
  for (const to of above) {
    const { name, kind, nameLine } = graph.symbol(to);
    const arrival = fields.get(name);
    if (!arrival || !FUNCTION_KINDS.has(kind)) continue;
    const line = reader.text(view.contentOf[to.file]!).split('\n')[nameLine - 1] ?? '';
    const [, sign] = line.split(name, 2);
    if (sign !== undefined && /^\s*(?:=(?![=>])|:)/.test(sign))
      return { from: arrival.step.next!, to, step: arrival.step, way: 'stored' };
  }
  return undefined;
}

/** Joins a function that is passed to a constructor with a method of the constructed type that the calls reach. */
function findHanded(
  { input: { graph } }: EvidenceTrail,
  rises: readonly Rise[],
  reached: ReadonlyMap<string, Arrival>,
): Rise | undefined {
  const methods = new Map<string, Arrival>();
  for (const came of reached.values())
    for (const around of graph.around(came.step.next!).slice(1))
      if (!methods.has(keyOf(around))) methods.set(keyOf(around), came);
  for (const { to, step, way } of rises) {
    if (way !== 'name') continue;
    const { file, reference } = step.edge.site;
    const calls = graph.outgoingOf(file, ({ kind, line }) => kind === 'call' && line === reference.line);
    for (const { candidates, confidence } of calls) {
      const came = confidence === 'ambiguous' ? undefined : candidates[0] && methods.get(keyOf(candidates[0]));
      if (came) return { from: came.step.next!, to, step, way: 'handed' };
    }
  }
  return undefined;
}

function describeBridge(
  trail: EvidenceTrail,
  chain: readonly Arrival[],
  met: SymbolPlace,
  rises: ReadonlyMap<string, Rise>,
): string[] {
  const lines = chain.map(({ from, step }) => describeStep(trail, { from, to: step.next!, step, way: 'call' }, 1));
  let bridge: Rise | undefined;
  for (let rise = rises.get(keyOf(met)); rise; rise = rises.get(keyOf(rise.to))) {
    lines.push(describeStep(trail, rise, 2));
    bridge ??= rise.way === 'call' ? undefined : rise;
  }
  const head = bridge
    ? `A likely way leads over ${trail.name(bridge.to)} by ${atSite(trail, bridge)}, where no call of it is known:`
    : `Calls lead there in more steps, through ${trail.at(met)}:`;
  return [head, ...lines.map((line, i) => `${i + 1}. ${line}`)];
}

/** The functions that the starts call, those whose path is nearest to a goal first. */
function describeFromStart(
  trail: EvidenceTrail,
  starts: readonly SymbolPlace[],
  goals: readonly SymbolPlace[],
  reached: ReadonlyMap<string, Arrival>,
): string[] {
  const isStart = new Set(starts.map(keyOf));
  const direct = byCloseness(
    trail,
    [...reached.values()].filter(({ from }) => isStart.has(keyOf(from))),
    ({ step }) => step.next!,
    goals,
  );
  const at = trail.at(starts[0]!);
  if (direct.length === 0) return [`No call from ${at} can be followed.`];
  return [
    `Calls from ${at} lead to ${reached.size} symbol${reached.size === 1 ? '' : 's'}, through ` +
      `${direct.length > MAX_LINES ? `${direct.length} calls such as` : 'these'}:`,
    ...direct
      .slice(0, MAX_LINES)
      .map(({ from, step }) => `- ${describeStep(trail, { from, to: step.next!, step, way: 'call' }, 1)}`),
  ];
}

/** Sorts items by the number of leading path segments that they share with a goal, most first. */
export function byCloseness<T>(
  trail: EvidenceTrail,
  items: readonly T[],
  placeOf: (item: T) => SymbolPlace,
  goals: readonly SymbolPlace[],
): T[] {
  const shared = (file: number, goal: number) => {
    const [left, right] = [trail.path(file).split('/'), trail.path(goal).split('/')];
    const differs = left.findIndex((part, i) => part !== right[i]);
    return differs < 0 ? left.length : differs;
  };
  return items
    .map((item) => ({ item, shared: Math.max(...goals.map(({ file }) => shared(placeOf(item).file, file))) }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ item }) => item);
}

function describeUpwards(trail: EvidenceTrail, goals: readonly SymbolPlace[], rises: readonly Rise[]): string[] {
  const [first] = rises;
  if (!first)
    return [`Nothing in the index is known to call ${trail.name(goals[0]!)} (${trail.at(goals[0]!)}) or to name it.`];
  const rest = rises.length > MAX_LINES ? `, the first ${MAX_LINES} of ${rises.length}` : '';
  return [
    `What leads to ${trail.name(goals[0]!)}, from ${atSite(trail, first)} upwards${rest}:`,
    ...rises.slice(0, MAX_LINES).map((rise) => `- ${describeStep(trail, rise, 2)}`),
  ];
}

function describeStep(trail: EvidenceTrail, rise: Rise, hop: number): string {
  const { from, to, step, way } = rise;
  const { file, line } = siteOf(trail, rise);
  const [kind, confidence] = way === 'call' ? (['calls', step.confidence] as const) : (['passes', 'likely'] as const);
  trail.edge(trail.node(from, hop), trail.node(to, hop), kind, confidence, trail.path(file), line);
  const [a, b] = [trail.name(from), trail.name(to)];
  const sentence = {
    call: `${a} → ${b}${hedge(step.confidence)}`,
    name: `${a} names ${b} without calling it (likely bridge)`,
    handed: `${a} may run ${b}, which its type is given here (likely bridge)`,
    stored: `${a} may hold ${b}, which is stored under this name (likely bridge)`,
  }[way];
  trail.prove(file, line, sentence, hop);
  return `${sentence} at ${trail.path(file)}:${line}`;
}

/** The line that shows a step; for a stored function the line of the assignment. */
function siteOf(
  { input: { graph } }: EvidenceTrail,
  { to, step, way }: Rise,
): { readonly file: number; readonly line: number } {
  if (way === 'stored') return { file: to.file, line: graph.symbol(to).nameLine };
  return { file: step.edge.site.file, line: step.edge.site.reference.line };
}

function atSite(trail: EvidenceTrail, rise: Rise): string {
  const { file, line } = siteOf(trail, rise);
  return `${trail.path(file)}:${line}`;
}
