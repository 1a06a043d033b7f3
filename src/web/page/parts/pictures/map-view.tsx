/** The repository map with facts about the chosen module, its key and a text form. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { MapDependency, RepositoryActivity, RepositoryMap } from '../../../../model/records/browse.ts';
import { fileAddress, to } from '../../data/addresses.ts';
import { plural } from '../../data/format-values.ts';
import { layoutMap } from '../../graph/map-layout.ts';
import { MapPicture } from '../../graph/map-picture.tsx';
import { saveSvg } from '../../graph/save-svg.ts';

export interface MapViewProps {
  readonly map: RepositoryMap;
  readonly activity: RepositoryActivity | undefined;
}

type Colouring = 'centrality' | 'change';

export function MapFigure({ map, activity }: MapViewProps) {
  const [selected, setSelected] = useState('');
  const [colouring, setColouring] = useState<Colouring>('centrality');
  const picture = useRef<SVGSVGElement>(null);
  const layout = useMemo(() => layoutMap(map), [map]);
  const heatOf = useMemo(() => heats(map, activity, colouring), [map, activity, colouring]);
  if (map.modules.length === 0) return <p class="soft">No modules: nothing in the index defines a symbol.</p>;
  const words =
    `${plural(map.modules.length, 'module')}, ` +
    `${plural(map.dependencies.length, 'dependency').replace('dependencys', 'dependencies')}, ` +
    `${plural(map.cycles.length, 'cycle')}`;
  return (
    <figure class="picture-frame">
      <div class="picture of-map">
        <MapPicture
          layout={layout}
          label={`Map of ${map.title}: ${words}`}
          heatOf={heatOf}
          heat={colouring === 'centrality' ? '--accent' : '--warn'}
          selected={selected}
          onSelect={(name) => setSelected(name === selected ? '' : name)}
          picture={picture}
        />
      </div>
      <figcaption>
        <span class="soft">
          {words}
          {map.moreModules > 0 && `; ${plural(map.moreModules, 'smaller module')} not drawn`}
          {map.partial && '; dependencies of a part of the files'}
        </span>
        {map.cycles.length > 0 && (
          <span class="soft">
            <span class="bad">red</span>: closes a cycle
          </span>
        )}
        <label>
          Coloured by{' '}
          <select value={colouring} onChange={(event) => setColouring(event.currentTarget.value as Colouring)}>
            <option value="centrality">centrality</option>
            <option value="change">change</option>
          </select>
        </label>
        <button type="button" class="plain" onClick={() => saveSvg(picture.current!, `map-${map.title}`)}>
          Save SVG
        </button>
      </figcaption>
      {selected !== '' && <ModuleFacts map={map} name={selected} />}
      <details class="as-text">
        <summary>The same in words</summary>
        <ul class="plain-list">
          {map.dependencies.map((each) => (
            <li key={`${each.from} ${each.to}`}>
              {each.from} depends on {each.to}, {plural(each.count, 'time')}
            </li>
          ))}
          {map.cycles.map((cycle) => (
            <li key={cycle.join()} class="bad">
              Cycle: {cycle.join(', ')}
            </li>
          ))}
        </ul>
      </details>
    </figure>
  );
}

function heats(map: RepositoryMap, activity: RepositoryActivity | undefined, colouring: Colouring) {
  const values = new Map(
    colouring === 'centrality'
      ? map.modules.map(({ name, rank }) => [name, rank] as const)
      : (activity?.changedModules ?? []).map(({ name, commits }) => [name, commits] as const),
  );
  const most = Math.max(...values.values(), 0) || 1;
  // Uses the square root, so that one very large value does not make all others look alike.
  return (name: string) => Math.sqrt((values.get(name) ?? 0) / most);
}

function ModuleFacts({ map, name }: { readonly map: RepositoryMap; readonly name: string }) {
  const module = map.modules.find((each) => each.name === name)!;
  return (
    <div class="module-facts" role="status">
      <p>
        <strong>{name}</strong> · {plural(module.files, 'file')} · {plural(module.lines, 'line')} ·{' '}
        <a href={to('folder', { path: module.folder })}>{module.folder || 'root'}/</a> · around{' '}
        <a class="place" href={fileAddress(module.topFile)}>
          {module.topFile}
        </a>
      </p>
      <Ties title="Depends on" ties={map.dependencies.filter(({ from }) => from === name)} end="to" />
      <Ties title="Used by" ties={map.dependencies.filter((each) => each.to === name)} end="from" />
    </div>
  );
}

interface TiesProps {
  readonly title: string;
  readonly ties: readonly MapDependency[];
  readonly end: 'from' | 'to';
}

function Ties({ title, ties, end }: TiesProps) {
  if (ties.length === 0) return null;
  return (
    <p>
      <span class="soft">{title}</span>{' '}
      {ties.map((tie) => (
        <a key={tie[end]} class="tie" href={fileAddress(tie.path, String(tie.line))} title={`${tie.path}:${tie.line}`}>
          {tie[end]} <span class="soft">{tie.count}</span>
        </a>
      ))}
    </p>
  );
}
