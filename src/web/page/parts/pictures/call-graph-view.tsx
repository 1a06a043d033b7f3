/**
 * The call graph around a symbol: a picture that clicks expand, with its key, a text form, and a button that saves it.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { fileAddress, to } from '../../data/addresses.ts';
import { count, plural } from '../../data/format-values.ts';
import { type CallGraph, type GraphNeighbours, openNode, startGraph, sureGraph } from '../../graph/call-graph.ts';
import { type GraphNode, layoutColumns } from '../../graph/column-layout.ts';
import { GraphPicture } from '../../graph/picture.tsx';
import { saveSvg } from '../../graph/save-svg.ts';
import { Problem } from '../frame/problem.tsx';
import { LineKey } from '../reading/line-key.tsx';

export interface CallGraphViewProps {
  /** The symbol in the middle. */
  readonly first: GraphNeighbours;
  readonly name: string;
  /** The callers and callees of a symbol. */
  readonly load: (id: string) => Promise<GraphNeighbours>;
}

export function CallGraphView({ first, name, load }: CallGraphViewProps) {
  const [graph, setGraph] = useState<CallGraph>(() => startGraph(first));
  const [selected, setSelected] = useState('');
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    setGraph(startGraph(first));
    setSelected('');
  }, [first]);
  const select = (node: string) => {
    setSelected(node === selected ? '' : node);
    if (graph.opened.has(node) || node.startsWith('file ')) return;
    load(node).then((answer) => setGraph((before) => openNode(before, answer)), setError);
  };
  if (error) return <Problem error={error} />;
  return <Drawn graph={graph} name={name} selected={selected} onSelect={select} />;
}

interface DrawnProps {
  readonly graph: CallGraph;
  readonly name: string;
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

function Drawn({ graph: whole, name, selected, onSelect }: DrawnProps) {
  const [isWhole, setWhole] = useState(false);
  const sure = useMemo(() => sureGraph(whole), [whole]);
  const graph = isWhole ? whole : sure;
  const ambiguous = whole.edges.size - sure.edges.size;
  const picture = useRef<SVGSVGElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const edges = [...graph.edges.values()];
  const layout = useMemo(() => layoutColumns([...graph.nodes.values()], edges), [graph]);
  // Scrolls the symbol to the middle.
  useEffect(() => {
    const centre = layout.nodes.find(({ id }) => id === graph.centre);
    const { current } = frame;
    if (centre && current)
      current.scrollTo(centre.x + centre.width / 2 - current.clientWidth / 2, centre.y - current.clientHeight / 2);
  }, [graph.centre]);
  const hidden = [...graph.hidden.values()].reduce((sum, each) => sum + each, 0);
  const node = graph.nodes.get(selected);
  return (
    <figure class="picture-frame">
      <div class="picture" ref={frame}>
        <GraphPicture
          layout={layout}
          label={`Call graph of ${name}: ${plural(layout.nodes.length, 'symbol')}, ${plural(edges.length, 'call')}`}
          selected={selected}
          centre={graph.centre}
          onSelect={onSelect}
          picture={picture}
        />
      </div>
      <figcaption>
        {node ? (
          <Selected node={node} />
        ) : (
          <span class="soft">Callers stand left, callees right. A click on a symbol shows its own.</span>
        )}
        {hidden > 0 && <span class="soft">{plural(hidden, 'more symbol')} not drawn</span>}
        {ambiguous > 0 && (
          <label class="soft">
            <input type="checkbox" checked={isWhole} onChange={(e) => setWhole(e.currentTarget.checked)} /> also{' '}
            {count(ambiguous)} ambiguous
          </label>
        )}
        <LineKey />
        <button type="button" class="plain" onClick={() => saveSvg(picture.current!, `calls-${name}`)}>
          Save SVG
        </button>
      </figcaption>
      <details class="as-text">
        <summary>The same in words</summary>
        <ul class="plain-list">
          {edges.map(({ from, to: callee, words }) => (
            <li key={`${from} ${callee}`}>{words}</li>
          ))}
          {edges.length === 0 && <li>Nothing in the index calls it, and it calls nothing that the index knows.</li>}
        </ul>
      </details>
    </figure>
  );
}

function Selected({ node }: { readonly node: GraphNode }) {
  const [, path, line] = /^(.*):(\d+)$/.exec(node.place) ?? [];
  return (
    <span class="selected">
      <strong>{node.label}</strong>{' '}
      <a class="place" href={fileAddress(path!, line)}>
        {node.place}
      </a>
      {node.kind !== 'file' && (
        <a class="plain" href={to('symbol', { id: node.id })}>
          In the middle
        </a>
      )}
    </span>
  );
}
