/** The repository map as SVG: boxes of modules, arrows of their dependencies, cycles in another colour. */
import type { Ref } from 'preact';
import { plural, short } from '../data/format-values.ts';
import type { MapLayout, PlacedModule } from './map-layout.ts';

export interface MapPictureProps {
  readonly layout: MapLayout;
  readonly label: string;
  /** How strongly a module is coloured, from 0 to 1. */
  readonly heatOf: (name: string) => number;
  /** Name of a CSS variable. */
  readonly heat: string;
  readonly selected: string;
  readonly onSelect: (name: string) => void;
  readonly picture: Ref<SVGSVGElement>;
}

/** Minimum scale: a larger map scrolls, so that its text stays readable. */
const MIN_SCALE = 0.72;

export function MapPicture({ layout, label, heatOf, heat, selected, onSelect, picture }: MapPictureProps) {
  const { modules, dependencies, width, height } = layout;
  return (
    <svg
      ref={picture}
      class="map"
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      style={{ minWidth: `max(min(100%, 700px), ${Math.round(width * MIN_SCALE)}px)` }}
      role="group"
      aria-label={label}
      font-family="Inter Variable, system-ui, sans-serif"
    >
      <defs>
        {['soft', 'bad'].map((colour) => (
          <marker
            key={colour}
            id={`end-${colour}`}
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0,0.5 L8,4 L0,7.5 Z" fill={`var(--${colour})`} />
          </marker>
        ))}
      </defs>
      {dependencies.map(({ from, to, curve, isClosing, isImplied, thickness, count }) => {
        const isNear = from === selected || to === selected;
        const colour = isClosing ? 'bad' : 'soft';
        return (
          <path
            key={`${from} ${to}`}
            d={curve}
            fill="none"
            stroke={`var(--${colour})`}
            stroke-width={thickness}
            stroke-linecap="round"
            opacity={selected === '' ? (isImplied ? 0.1 : 0.6) : isNear ? 0.95 : 0.06}
            marker-end={`url(#end-${colour})`}
          >
            <title>{`${from} depends on ${to}, ${plural(count, 'time')}`}</title>
          </path>
        );
      })}
      {modules.map((module) => (
        <Module
          key={module.name}
          module={module}
          share={heatOf(module.name)}
          heat={heat}
          isSelected={module.name === selected}
          onSelect={onSelect}
        />
      ))}
    </svg>
  );
}

interface ModuleProps {
  readonly module: PlacedModule;
  readonly share: number;
  readonly heat: string;
  readonly isSelected: boolean;
  readonly onSelect: (name: string) => void;
}

function Module({ module, share, heat, isSelected, onSelect }: ModuleProps) {
  const { name, x, y, width, height, lines, isInCycle } = module;
  const room = Math.floor((width - 20) / 7.4);
  const label = name.length <= room ? name : `${name.slice(0, room - 1)}…`;
  return (
    <g
      class="module"
      transform={`translate(${Math.round(x)} ${Math.round(y)})`}
      role="button"
      tabindex={0}
      aria-pressed={isSelected}
      data-name={name}
      onClick={() => onSelect(name)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(name);
      }}
    >
      <rect width={width} height={height} rx="8" fill="var(--surface)" />
      <rect
        width={width}
        height={height}
        rx="8"
        fill={`var(${heat})`}
        fill-opacity={0.06 + 0.3 * share}
        stroke={isSelected ? 'var(--accent)' : isInCycle ? 'var(--bad)' : 'var(--line-strong)'}
        stroke-width={isSelected ? 2.5 : 1}
      />
      <text x={width / 2} y={height / 2 - 3} text-anchor="middle" font-size="13" font-weight="600" fill="var(--ink)">
        {label}
      </text>
      <text x={width / 2} y={height / 2 + 13} text-anchor="middle" font-size="10.5" fill="var(--soft)">
        {`${short(lines)} lines`}
      </text>
    </g>
  );
}
