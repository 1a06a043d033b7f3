/** The impact of a change as columns: the change on the right, its users to the left. */
import type { Dependant, ImpactAnswer } from '../../../model/records/impact.ts';
import type { GraphEdge, GraphNode } from './column-layout.ts';

const MAX_NODES = 60;

/** Returns null if nothing depends on the change. */
export function impactGraph({ symbols, modules }: Pick<ImpactAnswer, 'symbols' | 'modules'>) {
  const nodes = new Map<string, GraphNode>();
  /** Nodes by name as dependants write it: without the part before the last dot. */
  const byName = new Map<string, string>();
  const add = (node: GraphNode, name: string) => {
    if (!nodes.has(node.id)) nodes.set(node.id, node);
    if (!byName.has(lastPart(name))) byName.set(lastPart(name), node.id);
  };
  const places = modules.flatMap((module) => module.places).filter(({ confidence }) => confidence !== 'unresolved');
  const used = new Set(places.map(({ uses }) => lastPart(uses)));
  for (const { symbolId, name, kind, path, line } of symbols)
    if (used.has(lastPart(name)))
      add({ id: symbolId ?? `${path} ${name}`, label: name, kind, place: `${path}:${line}`, column: 0 }, name);
  const edges = new Map<string, GraphEdge>();
  const nearestFirst = [...places].sort((a, b) => a.hop - b.hop);
  for (const place of nearestFirst) {
    const target = byName.get(lastPart(place.uses));
    if (target === undefined || (nodes.size >= MAX_NODES && !nodes.has(idOf(place)))) continue;
    add(nodeOf(place), place.from || place.path);
    const from = idOf(place);
    if (from !== target && !edges.has(`${from} ${target}`)) edges.set(`${from} ${target}`, edgeOf(place, target));
  }
  return edges.size === 0 ? null : { nodes: [...nodes.values()], edges: [...edges.values()] };
}

function nodeOf(place: Dependant): GraphNode {
  const { from, path, line, hop } = place;
  const label = from || path.slice(path.lastIndexOf('/') + 1);
  return { id: idOf(place), label, kind: from === '' ? 'file' : 'symbol', place: `${path}:${line}`, column: -hop };
}

function edgeOf(place: Dependant, to: string): GraphEdge {
  const { from, uses, path, line, confidence } = place;
  const known = confidence === 'unresolved' ? 'ambiguous' : confidence;
  return { from: idOf(place), to, confidence: known, words: `${from || path} uses ${uses} at ${path}:${line}` };
}

function idOf({ symbolId, path }: Dependant): string {
  return symbolId ?? `file ${path}`;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
