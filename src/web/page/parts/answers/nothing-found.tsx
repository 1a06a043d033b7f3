/** Shown for an empty answer: suggests what to try next. */
import type { SearchAnswer } from '../../../../model/records/query.ts';
import { to } from '../../data/addresses.ts';
import type { FilterValues } from './filters.tsx';

export interface NothingFoundProps {
  readonly answer: SearchAnswer;
  readonly query: string;
  readonly filters: FilterValues;
}

export function NothingFound({ answer, query, filters }: NothingFoundProps) {
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <div class="nothing">
      <p>
        Nothing in the index matches <strong>{query}</strong>
        {isFiltered ? ' within these filters' : ''}.
      </p>
      <ul>
        {isFiltered && (
          <li>
            <a class="stop" href={to('search', { q: query })}>
              Ask again without filters
            </a>
          </li>
        )}
        {answer.nearestNames.length > 0 && (
          <li>
            Nearest names:{' '}
            {answer.nearestNames.map((name, i) => (
              <span key={name}>
                {i > 0 && ', '}
                <a class="stop" href={to('search', { q: name })}>
                  {name}
                </a>
              </span>
            ))}
          </li>
        )}
        <li>
          <a class="stop" href={to('search', { q: query, in: filters.in, as: 'lines' })}>
            Look for exactly this text
          </a>{' '}
          in all files, also those that the index leaves out.
        </li>
        <li>Try other words, or one of the words alone.</li>
        <li>
          Files newer than the index, or left out of it, are not found: <a href={to('activity')}>activity</a> shows
          both.
        </li>
      </ul>
    </div>
  );
}
