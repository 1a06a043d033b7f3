/** The map view: the modules of the repository and their dependencies. */
import { useAnswer } from '../data/use-answer.ts';
import { Problem } from '../parts/frame/problem.tsx';
import { MapFigure } from '../parts/pictures/map-view.tsx';
import type { ViewProps } from './view.ts';

export function MapView(_: ViewProps) {
  const { value: map, error } = useAnswer('map', {});
  const { value: activity } = useAnswer('activity', {});
  return (
    <div class="padded">
      <h1>Map</h1>
      <p class="soft">Modules by lines; an arrow leads to what a module depends on. A click shows where.</p>
      {error ? <Problem error={error} /> : null}
      {map ? <MapFigure map={map} activity={activity} /> : <div aria-busy="true" />}
    </div>
  );
}
