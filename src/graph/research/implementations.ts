/** "All implementations of X": whoever inherits, implements or conforms, extensions included, and who does so through them. */
import type { Implementer, SymbolPlace } from '../symbol-graph.ts';
import { keyOf } from '../symbol-place.ts';
import { hedge, type Trail } from './trail.ts';

/** All of them are asked for: each gets its line. The graph and the snippets stop where they do for every question. */
const MAX_SENTENCES = 1_000;
/** And so do those that implement it through others, unless the question says how far to go. */
const MOST_HOPS = 5;
const NO_TYPES = new Set(['function', 'method', 'field', 'variable', 'constant', 'property', 'macro', 'extension']);

export async function tellImplementations(
  trail: Trail,
  name: string,
  named: readonly SymbolPlace[],
): Promise<string[]> {
  const { graph } = trail.input;
  const roots = named.filter((place) => !NO_TYPES.has(graph.symbol(place).kind));
  for (const root of roots) trail.node(root, 0);
  const lines: string[] = [];
  const seen = new Set<string>();
  let frontier: { readonly name: string; readonly place: SymbolPlace | null }[] =
    roots.length > 0 ? roots.map((place) => ({ name: graph.symbol(place).name, place })) : [{ name, place: null }];
  let direct = 0;
  const hops = trail.input.request.depth === undefined ? MOST_HOPS : trail.depth;
  for (let hop = 1; hop <= hops && frontier.length > 0 && !trail.truncated; hop++) {
    const next: typeof frontier = [];
    for (const target of frontier) {
      trail.checkAbort();
      for (const found of graph.implementers(target.name, target.place)) {
        if (seen.has(keyOf(found.place))) continue;
        seen.add(keyOf(found.place));
        if (hop === 1) direct++;
        if (lines.length < MAX_SENTENCES) lines.push(`${'  '.repeat(hop - 1)}- ${record(trail, target, found, hop)}`);
        else trail.truncated = true;
        const whole = graph.wholeType(found.place);
        next.push({ name: graph.symbol(whole).name, place: whole });
      }
    }
    await trail.hop(hop, hops, next.length);
    frontier = next;
  }
  const [beyond] = frontier
    .flatMap(({ name: below, place }) => graph.implementers(below, place))
    .filter(({ place }) => !seen.has(keyOf(place)));
  if (beyond) {
    trail.truncated = true;
    lines.push(`More do so through these, the first at ${trail.at(beyond.place)}: a greater depth lists them.`);
  }
  const where = roots.length > 0 ? `, defined at ${roots.map((place) => trail.at(place)).join(', ')}` : '';
  if (lines.length === 0) return [`Nothing in the index implements or inherits ${name}${where}.`];
  const s = direct === 1 ? 's' : '';
  return [
    `${direct} place${direct === 1 ? '' : 's'} implement${s} or inherit${s} ${name}${where || `, the first at ${trail.at([...seen].map(placeOf)[0]!)}`}:`,
    ...lines,
  ];
}

function placeOf(key: string): SymbolPlace {
  const [file, ordinal] = key.split(':').map(Number);
  return { file: file!, ordinal: ordinal! };
}

function record(
  trail: Trail,
  target: { readonly name: string; readonly place: SymbolPlace | null },
  { place, site, confidence }: Implementer,
  hop: number,
): string {
  const { graph } = trail.input;
  const path = trail.path(site.file);
  const { line, kind } = site.reference;
  const symbol = graph.symbol(place);
  const isExtension = symbol.kind === 'extension';
  const verb = kind === 'inherit' && !isExtension ? 'inherits' : 'conforms to';
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
  if (room.evidence) trail.prove(site.file, line, `${subject} ${verb} ${target.name}${hedge(confidence)}`, hop);
  return `${subject} ${verb} ${target.name} (${path}:${line})${hedge(confidence)}`;
}
