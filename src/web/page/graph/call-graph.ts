/** The call graph around a symbol: expanded nodes show their callers or callees. Pure. */
import type { CallNeighbour } from '../../../model/records/browse.ts';
import type { SymbolInfo } from '../../../model/records/query.ts';
import type { GraphEdge, GraphNode } from './column-layout.ts';

/** The drawn part of a symbol. */
export type GraphSymbol = Pick<SymbolInfo, 'symbolId' | 'name' | 'breadcrumb' | 'kind' | 'path' | 'startLine'>;
export type GraphNeighbour = Omit<CallNeighbour, 'symbol'> & { readonly symbol: GraphSymbol | null };
export interface GraphNeighbours {
  readonly symbol: GraphSymbol;
  readonly callers: readonly GraphNeighbour[];
  readonly callees: readonly GraphNeighbour[];
}

export interface CallGraph {
  readonly centre: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
  /** Ids of expanded nodes. */
  readonly opened: ReadonlySet<string>;
  /** Number of hidden neighbours by node. */
  readonly hidden: ReadonlyMap<string, number>;
}

const MAX_SHOWN = 14;

/** The initial graph: the symbol in the middle, callers on the left, callees on the right. */
export function startGraph(answer: GraphNeighbours): CallGraph {
  const centre = nodeOf(answer.symbol, 0);
  const empty: CallGraph = {
    centre: centre.id,
    nodes: new Map([[centre.id, centre]]),
    edges: new Map(),
    opened: new Set(),
    hidden: new Map(),
  };
  return openNode(empty, answer);
}

/** Adds a node's neighbours on the side away from the centre; for the centre, on both sides. */
export function openNode(graph: CallGraph, { symbol, callers, callees }: GraphNeighbours): CallGraph {
  const own = graph.nodes.get(symbol.symbolId);
  if (!own) return graph;
  const nodes = new Map(graph.nodes);
  const edges = new Map(graph.edges);
  let hidden = 0;
  const add = (neighbours: readonly GraphNeighbour[], isCaller: boolean) => {
    hidden += Math.max(0, neighbours.length - MAX_SHOWN);
    for (const neighbour of neighbours.slice(0, MAX_SHOWN)) {
      const node = nodeOfNeighbour(neighbour, own.column + (isCaller ? -1 : 1));
      if (!nodes.has(node.id)) nodes.set(node.id, node);
      const [from, to] = isCaller ? [node.id, own.id] : [own.id, node.id];
      const key = `${from} ${to}`;
      if (!edges.has(key)) edges.set(key, edgeOf(from, to, nodes, neighbour));
    }
  };
  if (own.column <= 0) add(callers, true);
  if (own.column >= 0) add(callees, false);
  return {
    ...graph,
    nodes,
    edges,
    opened: new Set([...graph.opened, own.id]),
    hidden: new Map([...graph.hidden, [own.id, hidden]]),
  };
}

function nodeOf({ symbolId, name, breadcrumb, kind, path, startLine }: GraphSymbol, column: number): GraphNode {
  const owner = breadcrumb.at(-1);
  const label = owner && (kind === 'method' || kind === 'field') ? `${owner}.${name}` : name;
  return { id: symbolId, label, place: path === '' ? '' : `${path}:${startLine}`, kind, column };
}

function nodeOfNeighbour({ symbol, sites }: GraphNeighbour, column: number): GraphNode {
  if (symbol) return nodeOf(symbol, column);
  const { path, line } = sites[0]!;
  return { id: `file ${path}`, label: path.split('/').at(-1)!, place: `${path}:${line}`, kind: 'file', column };
}

function edgeOf(from: string, to: string, nodes: ReadonlyMap<string, GraphNode>, neighbour: GraphNeighbour): GraphEdge {
  const { confidence, count, sites } = neighbour;
  const times = count > 1 ? `, ${count} times` : '';
  const sure = confidence === 'exact' ? '' : ` (${confidence})`;
  const { path, line } = sites[0]!;
  return {
    from,
    to,
    confidence,
    words: `${nodes.get(from)!.label} calls ${nodes.get(to)!.label} at ${path}:${line}${times}${sure}`,
  };
}

/** Removes ambiguous edges and nodes that only they connect; unchanged if all edges are ambiguous. */
export function sureGraph(graph: CallGraph): CallGraph {
  const edges = new Map([...graph.edges].filter(([, { confidence }]) => confidence !== 'ambiguous'));
  if (edges.size === 0) return graph;
  const tied = new Set([graph.centre, ...[...edges.values()].flatMap(({ from, to }) => [from, to])]);
  return { ...graph, edges, nodes: new Map([...graph.nodes].filter(([id]) => tied.has(id))) };
}
