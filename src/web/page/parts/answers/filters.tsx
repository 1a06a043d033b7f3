/**
 * Filters of results: language, kind, folder and tests. Each choice changes the URL, so that the back button undoes it.
 */
import { useState } from 'preact/hooks';
import type { ProjectStatus } from '../../../../engine/engine.ts';
import type { Hit } from '../../../../model/records/query.ts';
import { to } from '../../data/addresses.ts';
import { groupBy } from '../../data/group-by.ts';

export interface FilterValues {
  readonly lang: string;
  readonly kind: string;
  readonly in: string;
  readonly tests: string;
}

export interface FiltersProps {
  readonly query: string;
  readonly filters: FilterValues;
  readonly languages: ProjectStatus['languages'];
  readonly hits: readonly Hit[];
}

const KINDS = ['function', 'method', 'class', 'interface', 'constant'];
const MAX_CHOICES = 8;

export function Filters({ query, filters, languages, hits }: FiltersProps) {
  // Collapsed on a narrow screen, where the filters would displace the results.
  const [isOpen, setOpen] = useState(false);
  const choose = (name: keyof FilterValues, value: string) =>
    to('search', { q: query, ...filters, [name]: filters[name] === value ? '' : value });
  const folders = groupBy(hits, ({ path }) => path.split('/').slice(0, -1).slice(0, 2).join('/'))
    .filter(([folder]) => folder !== '')
    .sort((a, b) => b[1].length - a[1].length)
    .map(([folder]) => folder);
  const group = (title: string, name: keyof FilterValues, values: readonly string[]) => {
    const all = [...new Set([...(filters[name] === '' ? [] : [filters[name]]), ...values])].slice(0, MAX_CHOICES);
    if (all.length === 0) return null;
    return (
      <div class="filter-group">
        <h2>{title}</h2>
        <ul>
          {all.map((value) => (
            <li key={value}>
              <a class="choice" href={choose(name, value)} aria-current={filters[name] === value ? 'true' : undefined}>
                {value}
              </a>
            </li>
          ))}
        </ul>
      </div>
    );
  };
  const chosen = Object.values(filters).filter((value) => value !== '').length;
  return (
    <div class={isOpen ? 'filters shows-all' : 'filters'}>
      <button type="button" class="for-filters" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters{chosen > 0 && ` (${chosen})`}
      </button>
      {group(
        'Language',
        'lang',
        languages.map(({ language }) => language),
      )}
      {group('Kind', 'kind', KINDS)}
      {group('Folder', 'in', folders)}
      <div class="filter-group">
        <h2>Tests</h2>
        <ul>
          <li>
            <a class="choice" href={choose('tests', 'no')} aria-current={filters.tests === 'no' ? 'true' : undefined}>
              without tests
            </a>
          </li>
        </ul>
      </div>
    </div>
  );
}
