/** A graph in columns with its key, the place of the selected node, and a button that saves it. */
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { fileAddress } from '../../data/addresses.ts';
import { plural } from '../../data/format-values.ts';
import { type GraphEdge, type GraphNode, layoutColumns } from '../../graph/column-layout.ts';
import { GraphPicture } from '../../graph/picture.tsx';
import { saveSvg } from '../../graph/save-svg.ts';
import { LineKey } from '../reading/line-key.tsx';

export interface GraphFigureProps {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Number of hidden nodes. */
  readonly hidden?: number;
  readonly fileName: string;
  /** Refers to the text form of the graph. */
  readonly children: ComponentChildren;
}

export function GraphFigure({ nodes, edges, hidden = 0, fileName, children }: GraphFigureProps) {
  const [selected, setSelected] = useState('');
  const picture = useRef<SVGSVGElement>(null);
  const layout = useMemo(() => layoutColumns(nodes, edges), [nodes, edges]);
  const node = nodes.find(({ id }) => id === selected);
  const [, path, line] = /^(.*):(\d+)$/.exec(node?.place ?? '') ?? [];
  return (
    <figure class="picture-frame">
      <div class="picture">
        <GraphPicture
          layout={layout}
          label={`${plural(nodes.length, 'symbol')}, ${plural(edges.length, 'edge')}`}
          selected={selected}
          centre={nodes.find(({ column }) => column === 0)?.id ?? ''}
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
          <span class="soft">{children}</span>
        )}
        {hidden > 0 && <span class="soft">{plural(hidden, 'more symbol')} not drawn</span>}
        <LineKey />
        <button type="button" class="plain" onClick={() => saveSvg(picture.current!, fileName)}>
          Save SVG
        </button>
      </figcaption>
    </figure>
  );
}
