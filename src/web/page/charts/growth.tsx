/** Draws the lines of the repository over time as an area, with the commits of each step below it. */
import type { RepositoryActivity } from '../../../model/records/browse.ts';
import { count, day, plural, short } from '../data/format-values.ts';
import { growthOf } from './growth-points.ts';

const WIDTH = 640;
const HEIGHT = 140;
const BARS = 28;
export function Growth({ activity }: { readonly activity: RepositoryActivity }) {
  const points = growthOf(activity);
  if (points.length < 2) return <p class="soft">No history to draw.</p>;
  const maxLines = Math.max(...points.map(({ lines }) => lines), 1);
  const busiest = Math.max(...points.map(({ commits }) => commits), 1);
  const x = (i: number) => (i / (points.length - 1)) * WIDTH;
  const y = (lines: number) => HEIGHT - BARS - 6 - (lines / maxLines) * (HEIGHT - BARS - 16);
  const line = points.map(({ lines }, i) => `${x(i).toFixed(1)},${y(lines).toFixed(1)}`).join(' L');
  const first = points[0]!;
  const last = points.at(-1)!;
  const commits = `${count(activity.commits)} commits from ${day(first.startMs)} to ${day(last.startMs)}`;
  // An incomplete history does not tell how many lines existed before it.
  const words = activity.partial
    ? `The last ${commits}; lines grew by about ${short(last.lines)}.`
    : `${commits}; lines grew to about ${short(last.lines)}.`;
  return (
    <figure class="growth">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        <path class="area" d={`M0,${HEIGHT - BARS - 6} L${line} L${WIDTH},${HEIGHT - BARS - 6} Z`} />
        <path class="edge" d={`M${line}`} />
        {points.map(({ commits, startMs }, i) =>
          commits === 0 ? null : (
            <rect
              key={startMs}
              class="commits"
              x={Math.max(0, x(i) - WIDTH / points.length / 2)}
              width={Math.max(0.8, WIDTH / points.length - 0.6)}
              y={HEIGHT - (commits / busiest) * BARS}
              height={(commits / busiest) * BARS}
            />
          ),
        )}
      </svg>
      <figcaption class="soft">
        {plural(activity.commits, 'commit')}, {day(first.startMs)} – {day(last.startMs)}
        {activity.partial ? '; older ones were not read' : ''}
      </figcaption>
    </figure>
  );
}
