/** Reads the parameters of a search from the URL. */
import type { FilterValues } from './filters.tsx';

export const PAGE_SIZE = 20;
export const MAX_RESULTS = 100;

export function filtersIn(parameters: URLSearchParams): FilterValues {
  const [lang, kind, place, tests] = ['lang', 'kind', 'in', 'tests'].map((name) => parameters.get(name) ?? '');
  return { lang: lang!, kind: kind!, in: place!, tests: tests! };
}

export function pageIn(parameters: URLSearchParams): number {
  return Math.max(1, Number(parameters.get('page') ?? 1) || 1);
}

export function searchParameters(parameters: URLSearchParams) {
  const limit = Math.min(MAX_RESULTS, (pageIn(parameters) + 1) * PAGE_SIZE);
  return { q: parameters.get('q') ?? '', limit, ...filtersIn(parameters) };
}
