import type { IdentifierLinks } from '../../../model/records/browse.ts';
import type { LinkRange } from './segments.ts';

/** Groups identifiers by line. */
export function linksByLine(answer: IdentifierLinks | undefined): ReadonlyMap<number, readonly LinkRange[]> {
  const lines = new Map<number, LinkRange[]>();
  answer?.links.forEach(({ line, column, length }, link) => {
    const range = { start: column - 1, end: column - 1 + length, link };
    const known = lines.get(line);
    if (known) known.push(range);
    else lines.set(line, [range]);
  });
  return lines;
}
