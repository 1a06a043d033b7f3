import type { OutlineEntry } from '../../../../model/records/query.ts';

type Lines = Pick<OutlineEntry, 'startLine' | 'endLine'>;

/**
 * How many of the entries stand around each. A method outside of its type's lines, as in Go, stands by itself, because
 * an indented one would seem to belong to the function before it. Entries are in the order of their lines.
 */
export function outlineDepths(entries: readonly Lines[]): number[] {
  const around: Lines[] = [];
  return entries.map((entry) => {
    while (around.length > 0 && around.at(-1)!.endLine < entry.endLine) around.pop();
    const depth = around.length;
    around.push(entry);
    return depth;
  });
}
