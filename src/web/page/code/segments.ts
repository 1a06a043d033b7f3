/** A line of code cut where a token, an identifier or a marked word begins and ends. */
import type { Token, TokenKind } from '../../../model/highlight/highlight.ts';

export interface Range {
  /** UTF-16 units from the beginning of the line, from 0. */
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
  /** -1 where it is no identifier that leads somewhere. */
  readonly link: number;
}

/** Joined again, the segments are the line. `links` and `marks` are in order. */
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
