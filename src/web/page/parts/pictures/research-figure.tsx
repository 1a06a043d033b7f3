/** A research answer as a picture. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { ResearchAnswer } from '../../../../model/records/query.ts';
import { fileAddress } from '../../data/addresses.ts';
import { plural } from '../../data/format-values.ts';
import { layoutColumns } from '../../graph/column-layout.ts';
import { GraphPicture } from '../../graph/picture.tsx';
import { researchGraph } from '../../graph/research-graph.ts';
import { saveSvg } from '../../graph/save-svg.ts';
import { LineKey } from '../reading/line-key.tsx';

export type Researched = Pick<ResearchAnswer, 'question' | 'nodes' | 'edges'>;

export function ResearchFigure({ answer }: { readonly answer: Researched }) {
  const [selected, setSelected] = useState('');
  const picture = useRef<SVGSVGElement>(null);
  const graph = useMemo(() => researchGraph(answer), [answer]);
  const layout = useMemo(() => graph && layoutColumns(graph.nodes, graph.edges), [graph]);
  if (!graph || !layout) return null;
  const node = graph.nodes.find(({ id }) => id === selected);
  const [, path, line] = /^(.*):(\d+)$/.exec(node?.place ?? '') ?? [];
  return (
    <figure class="picture-frame">
      <div class="picture">
        <GraphPicture
          layout={layout}
          label={`${plural(graph.nodes.length, 'symbol')}, ${plural(graph.edges.length, 'edge')}`}
          selected={selected}
          centre={graph.nodes.find(({ column }) => column === 0)?.id ?? ''}
          onSelect={(id) => setSelected(id === selected ? '' : id)}
          picture={picture}
        />
      </div>
      <figcaption>
        {path !== undefined ? (
          <a class="place" href={fileAddress(path, line)}>
            {node!.place}
          </a>
        ) : (
          <span class="soft">The sentences below say the same.</span>
        )}
        {graph.left > 0 && <span class="soft">{plural(graph.left, 'more symbol')} not drawn</span>}
        <LineKey />
        <button type="button" class="plain" onClick={() => saveSvg(picture.current!, 'research')}>
          Save SVG
        </button>
      </figcaption>
    </figure>
  );
}
