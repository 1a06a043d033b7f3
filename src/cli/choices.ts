/** Closed lists that several records share. */
import type { SearchMode } from '../model/query.ts';

export const SEARCH_MODES = ['hybrid', 'keyword', 'vector'] as const satisfies readonly SearchMode[];
export const FORMATS = ['human', 'json', 'toon'] as const;
export type Format = (typeof FORMATS)[number];
