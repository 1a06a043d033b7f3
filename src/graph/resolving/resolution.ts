/** A place that refers to something, and what it was found to mean. */
import type { Confidence } from '../../model/records/query.ts';
import type { Reference } from '../../model/records/symbol.ts';
import type { SymbolPlace } from '../graph-tree.ts';

export interface Site {
  readonly file: number;
  readonly reference: Reference;
}

export interface Resolution {
  readonly confidence: Confidence;
  readonly targets: readonly SymbolPlace[];
  /**
   * It is known to mean something that is not in the tree. Without it and without targets, what it means is not known.
   */
  readonly elsewhere?: true;
}

export const NOTHING: Resolution = { confidence: 'ambiguous', targets: [] };
export const ELSEWHERE: Resolution = { ...NOTHING, elsewhere: true };
export const MAX_CANDIDATES = 60;
