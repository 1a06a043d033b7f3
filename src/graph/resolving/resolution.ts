/** A reference in a file, and the result of resolving it. */
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
   * The reference is known to mean something outside of the tree. Without this and without targets it is unresolved.
   */
  readonly elsewhere?: true;
}

export const NOTHING: Resolution = { confidence: 'ambiguous', targets: [] };
export const ELSEWHERE: Resolution = { ...NOTHING, elsewhere: true };
export const MAX_CANDIDATES = 60;
