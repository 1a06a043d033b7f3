/** Lays out a graph in columns: callers to the left of callees. Pure and deterministic. */
import type { Confidence } from '../../../model/records/query.ts';

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  /** The second line: the symbol's place. */
  readonly place: string;
  readonly kind: string;
  readonly column: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly confidence: Confidence;
  /** The edge's label. */
  readonly words: string;
}

export interface PlacedNode extends GraphNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface PlacedEdge extends GraphEdge {
  /** An SVG path from the caller's right side to the callee's left side. */
  readonly path: string;
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

export const NODE_HEIGHT = 38;
const ROW = 50;
const GAP = 84;
const MARGIN = 12;
const LETTER = 7.3;
const SMALL_LETTER = 6.1;
const MIN_WIDTH = 96;
const MAX_WIDTH = 250;
const SWEEPS = 4;

export function layoutColumns(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Layout {
  const columns = orderColumns(nodes, edges);
  const tallest = Math.max(1, ...columns.map(({ length }) => length));
  const height = tallest * ROW + 2 * MARGIN;
  const placed = new Map<string, PlacedNode>();
  let x = MARGIN;
  for (const column of columns) {
    const width = Math.max(...column.map(widthOf));
    const top = (height - column.length * ROW) / 2 + (ROW - NODE_HEIGHT) / 2;
    for (const [i, node] of column.entries()) placed.set(node.id, { ...node, x, y: top + i * ROW, width });
    x += width + GAP;
  }
  return {
    nodes: [...placed.values()],
    edges: edges.flatMap((edge) => {
      const [from, to] = [placed.get(edge.from), placed.get(edge.to)];
      return from && to ? [{ ...edge, path: edgePath(from, to) }] : [];
    }),
    width: Math.max(2 * MARGIN, x - GAP + MARGIN),
    height,
  };
}

function widthOf({ label, place }: GraphNode): number {
  const needed = Math.max(label.length * LETTER, place.length * SMALL_LETTER) + 40;
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, needed)));
}

/**
 * Orders each column so that nodes are near their neighbours: by the mean position of the neighbours, in a few sweeps.
 */
function orderColumns(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): GraphNode[][] {
  const numbers = [...new Set(nodes.map(({ column }) => column))].sort((a, b) => a - b);
  const columns = numbers.map((number) => nodes.filter(({ column }) => column === number));
  const neighbours = new Map<string, string[]>();
  for (const { from, to } of edges) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
    neighbours.set(to, [...(neighbours.get(to) ?? []), from]);
  }
  const centre = Math.max(0, numbers.indexOf(0));
  const outwards = columns.map((_, i) => i).sort((a, b) => Math.abs(a - centre) - Math.abs(b - centre));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const place = new Map(
      columns.flatMap((column) => column.map(({ id }, i) => [id, (i + 0.5) / column.length] as const)),
    );
    const mean = (id: string) => {
      const known = (neighbours.get(id) ?? []).flatMap((other) => place.get(other) ?? []);
      return known.length === 0 ? place.get(id)! : known.reduce((sum, each) => sum + each, 0) / known.length;
    };
    for (const i of outwards) {
      const means = new Map(columns[i]!.map(({ id }) => [id, mean(id)]));
      const order = new Map(columns[i]!.map(({ id }, at) => [id, at]));
      columns[i] = [...columns[i]!].sort(
        (a, b) => means.get(a.id)! - means.get(b.id)! || order.get(a.id)! - order.get(b.id)!,
      );
      columns[i]!.forEach(({ id }, at) => {
        place.set(id, (at + 0.5) / columns[i]!.length);
      });
    }
  }
  return columns;
}

function edgePath(from: PlacedNode, to: PlacedNode): string {
  const middle = NODE_HEIGHT / 2;
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + middle, to.x, to.y + middle];
  const point = (x: number, y: number) => `${round(x)},${round(y)}`;
  if (from.id === to.id) {
    // A recursive call: a loop at the right corner.
    return `M${point(x1, y1 - 8)} C${point(x1 + 34, y1 - 34)} ${point(x1 + 34, y1 + 34)} ${point(x1 + 2, y1 + 8)}`;
  }
  if (x2 > x1) {
    const bend = (x2 - x1) / 2;
    return `M${point(x1, y1)} C${point(x1 + bend, y1)} ${point(x2 - bend, y2)} ${point(x2 - 2, y2)}`;
  }
  const out = 46;
  // Within a column: around the right side, past the nodes between.
  if (from.x === to.x) {
    const side = x2 + to.width;
    return `M${point(x1, y1)} C${point(x1 + out, y1)} ${point(side + out, y2)} ${point(side + 2, y2)}`;
  }
  // Backwards: around the outside.
  return `M${point(x1, y1)} C${point(x1 + out, y1)} ${point(x2 - out, y2)} ${point(x2 - 2, y2)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
