/** Answers "how does A reach B": the shortest chain of calls, else of uses, else how far calls lead from both ends. */
import type { ReferenceKind } from '../../../model/records/symbol.ts';
import type { SymbolPlace } from '../../symbol-graph.ts';
import { keyOf } from '../../symbol-place.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import { type Arrival, CALLS, calleesOf, chainTo, USES } from '../walk.ts';
import { describeBroken } from './broken-chain.ts';

const MAX_SEEN = 4_000;
const MAX_STEPS = 8;
const NEAR_HOPS = 3;
const NEAR_PLACES = 300;
const MAX_DESCRIBED = 2;
/** Words of a description that do not identify a symbol. */
const SORTS = new Set('the a an function method class type handler code actual real right'.split(' '));
/** An interface of handlers may have dozens of implementations, and the chain leads through one of them. */
const MAX_OVERRIDES = 40;

export async function describePath(
  trail: EvidenceTrail,
  names: readonly [string, string],
  starts: readonly SymbolPlace[],
  goals: readonly SymbolPlace[],
): Promise<string[]> {
  const from = `${names[0]} (${trail.at(starts[0]!)})`;
  const reached = new Map<string, Arrival>();
  // First only confident calls, then all calls, then all uses.
  for (const [kinds, confidentOnly] of [
    [CALLS, true],
    [CALLS, false],
    [USES, false],
  ] as const) {
    const { chain, before } = await search(trail, starts, goals, kinds, confidentOnly);
    if (chain) return describeChain(trail, chain);
    if (confidentOnly) for (const [key, arrival] of before) reached.set(key, arrival);
  }
  for (const place of [...starts, ...goals]) trail.node(place, 0);
  return [
    `No chain of calls from ${from} to ${names[1]} (${trail.at(goals[0]!)}) was found within ${MAX_STEPS} steps.`,
    ...(await describeBroken(trail, starts, goals, reached)),
  ];
}

/**
 * Functions that a description may mean ("the view function"): those in the files that a short walk from the starts
 * reaches, whose names or documentation contain the words.
 */
export function findDescribed(
  trail: EvidenceTrail,
  starts: readonly SymbolPlace[],
  description: string,
): SymbolPlace[] {
  const { graph, reader, view } = trail.input;
  const words = description
    .toLowerCase()
    .split(' ')
    .filter((word) => !SORTS.has(word));
  if (words.length === 0) return [];
  const files = new Map(starts.map(({ file }) => [file, 0]));
  let frontier = [...starts];
  const seen = new Set(starts.map(keyOf));
  for (let hop = 1; hop <= NEAR_HOPS && seen.size < NEAR_PLACES; hop++) {
    const next: SymbolPlace[] = [];
    for (const place of frontier)
      for (const { next: to, confidence } of calleesOf(graph, place, CALLS)) {
        if (!to || confidence === 'ambiguous' || seen.has(keyOf(to))) continue;
        seen.add(keyOf(to));
        next.push(to);
        if (!files.has(to.file)) files.set(to.file, hop);
      }
    frontier = next;
  }
  const isStart = new Set(starts.map(keyOf));
  const found: { readonly place: SymbolPlace; readonly weight: number }[] = [];
  for (const [file, hop] of files)
    reader.detail(view.contentOf[file]!).symbols.forEach(({ kind, name, doc }, ordinal) => {
      const place = { file, ordinal };
      if (!['function', 'method'].includes(kind) || isStart.has(keyOf(place))) return;
      const has = (text: string) => words.every((word) => new RegExp(`(?:^|[^a-z])${word}`, 'i').test(text));
      const weight = has(name) ? 4 : has(doc) ? 2 : 0;
      if (weight > 0) found.push({ place, weight: weight - hop + (saysItCalls(doc) ? 2 : 0) });
    });
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_DESCRIBED)
    .map(({ place }) => place);
}

/** The documentation says that the function calls or runs something. */
function saysItCalls(doc: string): boolean {
  return /\b(?:call|invoke|run|execute|dispatch)(?:s|es)?\b/i.test(doc);
}

async function search(
  trail: EvidenceTrail,
  starts: readonly SymbolPlace[],
  goals: readonly SymbolPlace[],
  kinds: ReadonlySet<ReferenceKind>,
  confidentOnly: boolean,
): Promise<{ readonly chain: readonly Arrival[] | null; readonly before: ReadonlyMap<string, Arrival> }> {
  const { graph } = trail.input;
  const wanted = new Set(goals.map(keyOf));
  const before = new Map<string, Arrival>();
  const seen = new Set(starts.map(keyOf));
  let frontier = [...starts];
  for (let hop = 1; hop <= MAX_STEPS && frontier.length > 0; hop++) {
    const next: SymbolPlace[] = [];
    for (const place of frontier) {
      trail.checkAbort();
      for (const step of calleesOf(graph, place, kinds, hop > 1, MAX_OVERRIDES)) {
        if (!step.next || seen.has(keyOf(step.next)) || (confidentOnly && step.confidence === 'ambiguous')) continue;
        seen.add(keyOf(step.next));
        before.set(keyOf(step.next), { from: place, step });
        if (wanted.has(keyOf(step.next))) return { chain: chainTo(step.next, before), before };
        next.push(step.next);
      }
      if (seen.size > MAX_SEEN) {
        trail.truncated = true;
        return { chain: null, before };
      }
    }
    await trail.hop(hop, MAX_STEPS, next.length);
    // Of a method and its type, the method is followed first.
    const isType = (place: SymbolPlace) => Number(!['function', 'method', 'macro'].includes(graph.symbol(place).kind));
    frontier = next.sort((a, b) => isType(a) - isType(b));
  }
  return { chain: null, before };
}

function describeChain(trail: EvidenceTrail, chain: readonly Arrival[]): string[] {
  return chain.map(({ from, step }, i) => {
    const { reference, file } = step.edge.site;
    const path = trail.path(file);
    const to = step.next!;
    const kind = reference.kind === 'call' ? 'calls' : 'uses';
    const note = `${kind === 'calls' ? '' : ' (named, not called)'}${hedge(step.confidence)}`;
    trail.edge(trail.node(from, i), trail.node(to, i + 1), kind, step.confidence, path, reference.line);
    trail.prove(file, reference.line, `step ${i + 1}: ${trail.name(from)} → ${trail.name(to)}${note}`, i + 1);
    return `${i + 1}. ${trail.name(from)} → ${trail.name(to)} at ${path}:${reference.line}${note}`;
  });
}
