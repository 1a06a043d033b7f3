/** A search result for the result list. */
import type { Contribution, Hit } from '../../../model/records/query.ts';

export interface Result {
  readonly key: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  /** The symbol's name; '' without one. */
  readonly name: string;
  readonly kind: string;
  /** The symbol's id; '' without one. */
  readonly symbolId: string;
  /** Null for unranked lines. */
  readonly score: number | null;
  /** Pieces of the text, with the numbers of their first lines. */
  readonly parts: readonly { readonly startLine: number; readonly content: string }[];
  /** Matched lines. */
  readonly pointed?: readonly number[];
  readonly isTest: boolean;
  /** True if the text describes a file instead of quoting it. */
  readonly isOverview: boolean;
  /** True during the first index, when the symbol has no page yet. */
  readonly isProvisional?: boolean;
  readonly explanation?: readonly Contribution[] | undefined;
}

export function resultOf(hit: Hit): Result {
  return {
    key: hit.resultId,
    path: hit.path,
    startLine: hit.startLine,
    endLine: hit.endLine,
    language: hit.language,
    name: hit.symbol?.qualifiedName ?? hit.title,
    kind: hit.symbol?.kind ?? hit.chunkType,
    symbolId: hit.symbol?.symbolId ?? '',
    score: hit.score,
    parts: [{ startLine: hit.startLine, content: hit.content }],
    isTest: hit.isTest,
    isOverview: hit.chunkType === 'symbols',
    explanation: hit.explanation,
  };
}
