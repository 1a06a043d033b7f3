import type { OutlineEntry } from '../../../../model/records/query.ts';

type Lines = Pick<OutlineEntry, 'startLine' | 'endLine'>;

/**
 * The nesting depth of each outline entry. A method outside of its type's lines, as in Go, has depth 0, because
 * indented it would seem to belong to the function before it. Entries must be sorted by line.
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
