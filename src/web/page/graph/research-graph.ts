/** The graph of a research answer as columns: callers to the left of callees. */
import type { ResearchAnswer } from '../../../model/records/query.ts';
import type { GraphEdge, GraphNode } from './column-layout.ts';

const MAX_NODES = 60;

/** Returns null if there is nothing to draw, or too much. */
export function researchGraph(answer: Pick<ResearchAnswer, 'question' | 'nodes' | 'edges'>) {
  const { question, nodes: all } = answer;
  if (answer.edges.length === 0) return null;
  const nearest = [...all].sort((a, b) => a.hop - b.hop).slice(0, MAX_NODES);
  const known = new Set(nearest.map(({ id }) => id));
  const edges = answer.edges.filter(({ from, to }) => known.has(from) && known.has(to));
  // Questions that walk against the edges begin on the right.
  const isBackwards = question === 'callers' || question === 'dependants' || question === 'implementations';
  const nodes = nearest.map(
    ({ id, label, kind, path, line, hop }): GraphNode => ({
      id,
      label,
      kind,
      place: `${path}:${line}`,
      column: isBackwards ? -hop : hop,
    }),
  );
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const unique = new Map(
    edges.map(({ from, to, kind, confidence, path, line }): [string, GraphEdge] => [
      `${from} ${to}`,
      { from, to, confidence, words: `${labels.get(from)} ${kind} ${labels.get(to)} at ${path}:${line}` },
    ]),
  );
  return { nodes, edges: [...unique.values()], left: all.length - nearest.length };
}
