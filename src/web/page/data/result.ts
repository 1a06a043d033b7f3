/** A search result as the list shows it. */
import type { Contribution, Hit } from '../../../model/records/query.ts';

export interface Result {
  readonly key: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  /** '' for lines without one. */
  readonly name: string;
  readonly kind: string;
  /** Id of its symbol, '' where it has none. */
  readonly symbolId: string;
  /** Null for lines that nothing has ranked. */
  readonly score: number | null;
  /** Pieces of its text, with the numbers of their first lines. */
  readonly parts: readonly { readonly startLine: number; readonly content: string }[];
  /** Lines that were looked for. */
  readonly pointed?: readonly number[];
  readonly isTest: boolean;
  /** The text is about a file, not cut from it. */
  readonly isOverview: boolean;
  /** Nothing else is known about it yet: no page of its symbol. */
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
