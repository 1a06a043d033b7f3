/** Answers "all implementations of X": types and extensions that inherit, implement or conform, also indirectly. */
import type { Implementer, SymbolPlace } from '../../symbol-graph.ts';
import { keyOf } from '../../symbol-place.ts';
import { type EvidenceTrail, hedge } from '../evidence-trail.ts';
import { findPlaces } from '../find-places.ts';
import { bareName, segmentsOf } from '../question.ts';
import { describeUnknown } from './unknown-name.ts';

/** The question asks for all implementations, so each gets a line. The graph and the snippets have the usual limits. */
const MAX_SENTENCES = 1_000;
/** Levels of indirect implementations, unless the request sets a depth. */
const MAX_HOPS = 5;
const NO_TYPES = new Set(['function', 'method', 'field', 'variable', 'constant', 'property', 'macro', 'extension']);

/** A type whose implementers are listed; a type without a place is not in the index. */
interface Target {
  readonly name: string;
  readonly place: SymbolPlace | null;
}

interface Line {
  readonly text: string;
  readonly hop: number;
  readonly isTest: boolean;
}

export async function describeImplementations(trail: EvidenceTrail, query: string): Promise<string[]> {
  const { graph } = trail.input;
  const { shownName, places } = findPlaces(trail.input, query, (place) => !NO_TYPES.has(graph.symbol(place).kind));
  const name = bareName(shownName);
  const roots = places.filter((place) => !NO_TYPES.has(graph.symbol(place).kind));
  for (const root of roots) trail.node(root, 0);
  const where = roots.length > 0 ? `, defined at ${roots.map((place) => trail.at(place)).join(', ')}` : '';
  const targets = roots.map((place) => ({ name: graph.symbol(place).name, place }));
  const seen = new Set<string>();
  const inTree = targets.length > 0 ? await describeTargets(trail, targets, seen, `${name}${where}`) : [];
  // An unqualified name may also mean a library type: a nested type of the same name hides it only inside of its owner.
  const outside =
    targets.length === 0 || segmentsOf(shownName).length === 1
      ? await describeTargets(
          trail,
          [{ name, place: null }],
          seen,
          targets.length > 0 ? `${name} from outside of the index` : name,
        )
      : [];
  if (inTree.length + outside.length > 0)
    return inTree.length >= outside.length ? [...inTree, ...outside] : [...outside, ...inTree];
  const open = roots.find((place) => graph.isOpenInterface(place));
  if (open)
    return [
      `No type in the index says that it implements ${name}${where}. It takes methods from outside of the index ` +
        `(${trail.at(open)}), so the types that have all of them are unknown.`,
    ];
  const unknown = roots.length > 0 ? [] : describeUnknown(trail, shownName, true);
  return unknown.length > 0 ? unknown : [`Nothing in the index implements or inherits ${name}${where}.`];
}

/** The implementers of some types, level by level. */
async function describeTargets(
  trail: EvidenceTrail,
  targets: readonly Target[],
  seen: Set<string>,
  title: string,
): Promise<string[]> {
  const { graph } = trail.input;
  const lines: Line[] = [];
  const hops = trail.input.request.depth === undefined ? MAX_HOPS : trail.depth;
  let frontier = targets;
  let first: SymbolPlace | null = null;
  for (let hop = 1; hop <= hops && frontier.length > 0 && !trail.truncated; hop++) {
    const next: Target[] = [];
    for (const target of frontier) {
      trail.checkAbort();
      for (const found of graph.implementers(target.name, target.place)) {
        if (seen.has(keyOf(found.place))) continue;
        seen.add(keyOf(found.place));
        first ??= found.place;
        const text = record(trail, target, found, hop);
        lines.push({ text: `${'  '.repeat(hop - 1)}- ${text}`, hop, isTest: graph.isTest(found.site) });
        const whole = graph.wholeType(found.place);
        next.push({ name: graph.symbol(whole).name, place: whole });
      }
    }
    await trail.hop(hop, hops, next.length);
    frontier = next;
  }
  if (!first) return [];
  const direct = lines.filter(({ hop }) => hop === 1).length;
  const through = lines.length - direct;
  const s = direct === 1 ? 's' : '';
  const more =
    through > 0 ? `; ${through} more do${through === 1 ? 'es' : ''} so through ${direct === 1 ? 'it' : 'them'}` : '';
  const place = title.includes(', defined at ') ? '' : `, the first at ${trail.at(first)}`;
  return [
    `${direct} place${direct === 1 ? '' : 's'} implement${s} or inherit${s} ${title}${place}${more}:`,
    ...shown(trail, lines),
    ...describeBeyond(trail, frontier, seen),
  ];
}

/**
 * Implementations in the program, then those in tests as one line: they are many, and the question rarely means them.
 */
function shown(trail: EvidenceTrail, lines: readonly Line[]): string[] {
  const program = lines.filter(({ isTest }) => !isTest);
  const listed = program.length > 0 ? program : lines;
  if (listed.length > MAX_SENTENCES) trail.truncated = true;
  const texts = listed.slice(0, MAX_SENTENCES).map(({ text }) => text);
  const tests = lines.length - listed.length;
  const [first] = lines.filter(({ isTest }) => isTest);
  if (tests > 0)
    texts.push(`${tests} more in tests${tests > 1 ? ', the first' : ''}: ${first!.text.replace(/^ *- /, '')}`);
  return texts;
}

function describeBeyond(trail: EvidenceTrail, frontier: readonly Target[], seen: ReadonlySet<string>): string[] {
  const [beyond] = frontier
    .flatMap(({ name, place }) => trail.input.graph.implementers(name, place))
    .filter(({ place }) => !seen.has(keyOf(place)));
  if (!beyond) return [];
  trail.truncated = true;
  return [`More do so through these, the first at ${trail.at(beyond.place)}: a greater depth lists them.`];
}

function record(
  trail: EvidenceTrail,
  target: Target,
  { place, site, confidence, through }: Implementer,
  hop: number,
): string {
  const { graph } = trail.input;
  const path = trail.path(site.file);
  const { line, kind } = site.reference;
  const symbol = graph.symbol(place);
  const isExtension = symbol.kind === 'extension';
  const verb = kind === 'inherit' && !isExtension && !through ? 'inherits' : 'conforms to';
  const room = trail.room;
  if (room.nodes) trail.node(place, hop);
  if (room.nodes && target.place)
    trail.edge(
      trail.node(place, hop),
      trail.node(target.place, hop - 1),
      kind === 'inherit' ? 'inherits' : 'implements',
      confidence,
      path,
      line,
    );
  const subject = isExtension ? `the extension of ${symbol.qualifiedName}` : symbol.qualifiedName;
  const way = through ? ` through ${trail.name(through)}` : '';
  if (room.evidence) trail.prove(site.file, line, `${subject} ${verb} ${target.name}${way}${hedge(confidence)}`, hop);
  return `${subject} ${verb} ${target.name}${way} (${path}:${line})${hedge(confidence)}`;
}
