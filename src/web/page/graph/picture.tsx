/** Draws a graph layout as SVG. Colours are CSS variables, which an export replaces by their values. */
import type { ComponentChildren, Ref } from 'preact';
import { type Layout, NODE_HEIGHT, type PlacedNode } from './column-layout.ts';

export const LINE_STYLES = { exact: '', likely: '6 4', ambiguous: '1.5 4' } as const;

export interface PictureProps {
  readonly layout: Layout;
  /** The text alternative of the picture. */
  readonly label: string;
  readonly selected: string;
  readonly centre: string;
  readonly onSelect: (id: string) => void;
  readonly picture: Ref<SVGSVGElement>;
}

export function GraphPicture({ layout, label, selected, centre, onSelect, picture }: PictureProps) {
  const { nodes, edges, width, height } = layout;
  const touches = (from: string, to: string) => selected === '' || from === selected || to === selected;
  return (
    <svg
      ref={picture}
      class="graph"
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="group"
      aria-label={label}
      font-family="JetBrains Mono Variable, ui-monospace, monospace"
    >
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0,0.5 L8,4 L0,7.5 Z" fill="var(--soft)" />
        </marker>
      </defs>
      {edges.map(({ from, to, path, confidence, words }) => (
        <path
          key={`${from} ${to}`}
          d={path}
          fill="none"
          stroke="var(--soft)"
          stroke-width="1.3"
          stroke-dasharray={LINE_STYLES[confidence]}
          opacity={touches(from, to) ? 0.9 : 0.25}
          marker-end="url(#arrow)"
        >
          <title>{words}</title>
        </path>
      ))}
      {nodes.map((node) => (
        <Node
          key={node.id}
          node={node}
          isCentre={node.id === centre}
          isSelected={node.id === selected}
          onSelect={onSelect}
        />
      ))}
    </svg>
  );
}

interface NodeProps {
  readonly node: PlacedNode;
  readonly isCentre: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

function Node({ node, isCentre, isSelected, onSelect }: NodeProps) {
  const { id, x, y, width, label, place } = node;
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onSelect(id);
  };
  return (
    <g
      class="node"
      transform={`translate(${x} ${y})`}
      role="button"
      tabindex={0}
      data-name={label}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
      onKeyDown={pressed}
    >
      <rect
        width={width}
        height={NODE_HEIGHT}
        rx="6"
        fill={isCentre ? 'var(--accent-ground)' : 'var(--surface)'}
        stroke={isSelected || isCentre ? 'var(--accent)' : 'var(--line-strong)'}
        stroke-width={isSelected ? 2 : 1}
      />
      <Words x={12} y={16} size={12} weight={600} fill="var(--ink)" room={(width - 24) / 7.3}>
        {label}
      </Words>
      <Words x={12} y={30} size={10} weight={400} fill="var(--soft)" room={(width - 24) / 6.1} fromEnd>
        {place}
      </Words>
    </g>
  );
}

interface WordsProps {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly weight: number;
  readonly fill: string;
  readonly room: number;
  /** True to cut the beginning instead of the end. */
  readonly fromEnd?: boolean;
  readonly children: ComponentChildren;
}

function Words({ x, y, size, weight, fill, room, fromEnd, children }: WordsProps) {
  return (
    <text x={x} y={y} font-size={size} font-weight={weight} fill={fill}>
      {fit(String(children), Math.floor(room), fromEnd)}
    </text>
  );
}

function fit(text: string, room: number, fromEnd = false): string {
  if (text.length <= room) return text;
  return fromEnd ? `…${text.slice(text.length - room + 1)}` : `${text.slice(0, room - 1)}…`;
}
