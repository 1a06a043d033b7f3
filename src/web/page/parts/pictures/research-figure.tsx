/** A research answer as a picture. */
import { useMemo } from 'preact/hooks';
import type { ResearchAnswer } from '../../../../model/records/query.ts';
import { researchGraph } from '../../graph/research-graph.ts';
import { GraphFigure } from './graph-figure.tsx';

export type Researched = Pick<ResearchAnswer, 'question' | 'nodes' | 'edges'>;

export function ResearchFigure({ answer }: { readonly answer: Researched }) {
  const graph = useMemo(() => researchGraph(answer), [answer]);
  if (!graph) return null;
  return (
    <GraphFigure nodes={graph.nodes} edges={graph.edges} hidden={graph.left} fileName="research">
      The sentences below say the same.
    </GraphFigure>
  );
}
