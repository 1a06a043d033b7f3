/** Cuts a line of code where a token, an identifier or a highlighted word begins or ends. */
import type { Token, TokenKind } from '../../../model/highlight/highlight.ts';

export interface Range {
  /** Offset in the line, in UTF-16 units, from 0. */
  readonly start: number;
  readonly end: number;
}

export interface LinkRange extends Range {
  /** Index of the identifier in the answer that it comes from. */
  readonly link: number;
}

export interface Segment {
  readonly text: string;
  readonly kind: TokenKind;
  readonly isMarked: boolean;
  /** -1 if the segment is no identifier with a link. */
  readonly link: number;
}

/** Joining the segments gives the line. `links` and `marks` must be in order. */
export function cutLine(
  tokens: readonly Token[],
  links: readonly LinkRange[] = [],
  marks: readonly Range[] = [],
): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { kind, text } of tokens) {
    const end = at + text.length;
    for (let from = at; from < end; ) {
      const link = links.find((range) => range.start <= from && from < range.end);
      const mark = marks.find((range) => range.start <= from && from < range.end);
      const borders = [...links, ...marks].flatMap(({ start, end: last }) => [start, last]);
      const to = Math.min(end, ...borders.filter((border) => border > from));
      segments.push({
        text: text.slice(from - at, to - at),
        kind,
        isMarked: mark !== undefined,
        link: link?.link ?? -1,
      });
      from = to;
    }
    at = end;
  }
  return segments;
}
