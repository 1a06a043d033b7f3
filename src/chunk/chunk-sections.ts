import type { Chunk, ChunkType } from '../model/records/chunk.ts';
import type { DocSection, ParsedFile } from '../model/records/symbol.ts';
import { tagsOf } from './chunk-file.ts';
import { MAX_LINES, splitLines } from './line-ranges.ts';

/** A section with fewer lines is packed with the next one of the same parent. */
const MIN_SECTION_LINES = 6;
const MAX_PACKED_LINES = 40;

/** Chunks documents, data and code without definitions: by section, else by ranges cut at blank lines. */
export function chunkSections(
  parsed: ParsedFile,
  lines: readonly string[],
  family: 'code' | 'documentation' | 'data',
): Chunk[] {
  const type: ChunkType = family === 'documentation' ? 'documentation' : family === 'data' ? 'data' : 'definitions';
  const sections =
    parsed.sections.length > 0 ? packSections(parsed.sections) : [{ path: [], startLine: 1, endLine: lines.length }];
  const chunks: Chunk[] = [];
  const symbolsIn = symbolsByLine(parsed);
  let covered = 0;
  const add = (from: number, to: number, path: readonly string[]) => {
    let start = from;
    let end = Math.min(to, lines.length);
    while (start <= end && (lines[start - 1] ?? '').trim() === '') start++;
    while (end >= start && (lines[end - 1] ?? '').trim() === '') end--;
    if (start > end) return;
    splitLines(lines, start, end, []).forEach(([first, last], part) => {
      const { symbol, count } = symbolsIn(first, last);
      const title = path.join(' > ') + (part > 0 && path.length > 0 ? ` (part ${part + 1})` : '');
      chunks.push({
        type,
        startLine: first,
        endLine: last,
        symbol,
        symbolCount: count,
        part,
        title,
        tags: tagsOf(parsed, type),
      });
    });
  };
  for (const section of sections) {
    if (section.startLine > covered + 1) add(covered + 1, section.startLine - 1, []);
    const start = Math.max(section.startLine, covered + 1);
    if (section.endLine >= start) add(start, section.endLine, section.path);
    covered = Math.max(covered, section.endLine);
  }
  if (covered < lines.length) add(covered + 1, lines.length, []);
  return chunks;
}

function packSections(sections: readonly DocSection[]): DocSection[] {
  const packed: DocSection[] = [];
  for (const section of sections) {
    const previous = packed.at(-1);
    const isSmall = previous && previous.endLine - previous.startLine + 1 < MIN_SECTION_LINES;
    const fits = previous && section.endLine - previous.startLine + 1 <= Math.min(MAX_PACKED_LINES, MAX_LINES);
    const isNested =
      previous &&
      section.path.length >= previous.path.length &&
      previous.path.slice(0, -1).every((word, i) => section.path[i] === word);
    if (previous && isSmall && fits && isNested && previous.path.length > 0) {
      packed[packed.length - 1] = { path: previous.path, startLine: previous.startLine, endLine: section.endLine };
    } else packed.push(section);
  }
  return packed;
}

/** Returns a lookup for the first symbol that begins in a range of lines, and the number of such symbols. */
function symbolsByLine(parsed: ParsedFile): (from: number, to: number) => { symbol: number; count: number } {
  return (from, to) => {
    let symbol = -1;
    let count = 0;
    parsed.symbols.forEach(({ startLine }, index) => {
      if (startLine < from || startLine > to) return;
      if (symbol < 0) symbol = index;
      count++;
    });
    return { symbol, count };
  };
}
