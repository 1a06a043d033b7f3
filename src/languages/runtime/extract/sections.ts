/** Builds the sections of a document from captures: nested by containment, then laid end to end. */
import type { DocSection } from '../../../model/records/symbol.ts';
import type { LineIndex } from '../line-index.ts';
import type { Found } from './collect.ts';
import { nodeText, trimmedEnd } from './node-text.ts';

export function buildSections(found: Found, text: string, lines: LineIndex): DocSection[] {
  if (found.sections.length === 0) return [];
  const ranges = found.sections
    .map(({ node, title }) => ({
      start: node.startIndex,
      end: node.endIndex,
      title: title ? nodeText(title, text).replace(/\s+/g, ' ').trim() : '',
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const sections: { path: string[]; startLine: number; endLine: number }[] = [];
  const open: { end: number; title: string }[] = [];
  const firstLine = lines.lineAt(ranges[0]!.start);
  if (firstLine > 1) sections.push({ path: [], startLine: 1, endLine: firstLine - 1 });
  for (const { start, end, title } of ranges) {
    while (open.length > 0 && open[open.length - 1]!.end <= start) open.pop();
    if (title) open.push({ end, title });
    const startLine = lines.lineAt(start);
    const previous = sections[sections.length - 1];
    if (previous && previous.startLine < startLine) previous.endLine = Math.min(previous.endLine, startLine - 1);
    if (previous?.startLine === startLine) sections.pop();
    sections.push({
      path: open.map((section) => section.title),
      startLine,
      endLine: Math.max(startLine, lines.lineAt(trimmedEnd(text, start, end))),
    });
  }
  return sections;
}
