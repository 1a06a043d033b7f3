/**
 * What is one answer? Cuts a parsed file into chunks: whole lines, every line in at most one code chunk, definitions
 * kept together where they fit, split at statement borders where they do not, small neighbours packed. Pure: knows
 * neither paths nor storage.
 *
 * Invariants (property-tested): chunks of one file are ordered by line, lie inside the file, and do not overlap, apart
 * from the one `symbols` overview that spans the whole file and comes first.
 */
import type { Chunk, ChunkType } from '../model/records/chunk.ts';
import { CONTAINER_KINDS, type ParsedFile, type SymbolKind, type SymbolRecord } from '../model/records/symbol.ts';
import { chunkSections } from './chunk-sections.ts';

/** Longest chunk in lines; a screenful that an agent reads at once. */
export const MAX_LINES = 60;
/** Units shorter than this are packed with their neighbours. */
const SMALL = 12;
const PACKED_MAX = 40;
/** Gaps shorter than this join the definition that follows. */
const GAP_MIN = 4;

/** Values that a program is set up with; fields and properties of types belong to what is defined. */
const DATA_KINDS: ReadonlySet<SymbolKind> = new Set(['constant', 'variable', 'enum']);

interface Unit {
  start: number;
  end: number;
  symbol: number;
  symbolCount: number;
  parent: number;
  part: number;
  /** A gap has no symbol; a part of a split definition is never packed. */
  packable: boolean;
}

export function chunkFile(
  parsed: ParsedFile,
  lines: readonly string[],
  family: 'code' | 'documentation' | 'data',
): Chunk[] {
  if (lines.length === 0 || lines.every((line) => line.trim() === '')) return [];
  if (family !== 'code' || parsed.symbols.length === 0) return chunkSections(parsed, lines, family);
  const units = pack(cover(parsed, lines), parsed.symbols);
  const chunks = units.map((unit) => toChunk(unit, parsed));
  return [overview(parsed, lines.length), ...chunks];
}

function overview(parsed: ParsedFile, lineCount: number): Chunk {
  return {
    type: 'symbols',
    startLine: 1,
    endLine: lineCount,
    symbol: -1,
    symbolCount: parsed.symbols.length,
    part: 0,
    title: 'symbols',
    tags: tagsOf(parsed, 'symbols'),
  };
}

function toChunk(unit: Unit, parsed: ParsedFile): Chunk {
  const symbol = unit.symbol >= 0 ? parsed.symbols[unit.symbol] : undefined;
  const shown = symbol ? parsed.symbols.slice(unit.symbol, unit.symbol + unit.symbolCount) : [];
  const type: ChunkType = shown.length > 0 && shown.every((s) => DATA_KINDS.has(s.kind)) ? 'data' : 'definitions';
  const part = unit.part > 0 ? ` (part ${unit.part + 1})` : '';
  return {
    type,
    startLine: unit.start,
    endLine: unit.end,
    symbol: unit.symbol,
    symbolCount: unit.symbolCount,
    part: unit.part,
    title: symbol ? `${symbol.qualifiedName}${part}` : '',
    tags: tagsOf(parsed, type),
  };
}

export function tagsOf(parsed: ParsedFile, type: ChunkType): string[] {
  const kind = type === 'documentation' ? 'documentation' : 'code';
  return [...new Set([kind, parsed.language, type, ...parsed.tags])];
}

/** Units that cover every non-blank line of the file, in order. */
function cover(parsed: ParsedFile, lines: readonly string[]): Unit[] {
  const { symbols } = parsed;
  const children: number[][] = symbols.map(() => []);
  const top: number[] = [];
  symbols.forEach((_symbol, index) => {
    const around = enclosing(symbols, index);
    (around >= 0 ? children[around]! : top).push(index);
  });
  const covering = new Covering(symbols, children, lines);
  for (const index of top) covering.addSymbol(index);
  covering.addGap(lines.length, -1);
  return covering.units;
}

class Covering {
  readonly units: Unit[] = [];
  /** The first line that no unit covers yet. */
  private cursor = 1;

  constructor(
    private readonly symbols: readonly SymbolRecord[],
    private readonly children: readonly (readonly number[])[],
    private readonly lines: readonly string[],
  ) {}

  addGap(to: number, parent: number): void {
    const { lines, units } = this;
    let from = this.cursor;
    while (from <= to && blank(lines, from)) from++;
    let end = to;
    while (end >= from && blank(lines, end)) end--;
    if (from > end) return;
    for (const [start, stop] of splitLines(lines, from, end, [])) {
      units.push({ start, end: stop, symbol: -1, symbolCount: 0, parent, part: 0, packable: stop - start + 1 < SMALL });
    }
    this.cursor = to + 1;
  }

  addSymbol(index: number): void {
    const symbol = this.symbols[index]!;
    const last = Math.min(symbol.endLine, this.lines.length);
    if (last < this.cursor) {
      this.shareLines(index, symbol.startLine);
      return;
    }
    const start = this.startOf(symbol);
    const size = last - start + 1;
    const inner = this.children[index]!;
    const symbolCount = 1 + countInside(this.symbols, index);
    if (size <= MAX_LINES || (inner.length === 0 && size <= MAX_LINES + GAP_MIN)) {
      const { parent } = symbol;
      this.units.push({ start, end: last, symbol: index, symbolCount, parent, part: 0, packable: size < SMALL });
      this.cursor = last + 1;
    } else if (inner.length > 0 && CONTAINER_KINDS.has(symbol.kind)) {
      const firstChild = this.symbols[inner[0]!]!;
      const headerEnd = Math.min(Math.max(start, Math.min(firstChild.fullStartLine, firstChild.startLine) - 1), last);
      this.addParts(index, start, headerEnd, 1);
      for (const child of inner) this.addSymbol(child);
      if (this.cursor <= last) this.addRest(last, index);
    } else this.addParts(index, start, last, symbolCount);
  }

  /** A symbol on lines that a unit covers already, such as `b` of `const a = 1, b = 2`, counts to that unit. */
  private shareLines(index: number, line: number): void {
    const previous = this.units.findLast(
      (unit) => unit.symbol >= 0 && unit.symbol + unit.symbolCount === index && unit.start <= line && line <= unit.end,
    );
    if (previous) previous.symbolCount += 1 + countInside(this.symbols, index);
  }

  /** Few lines before a symbol belong to it; more are a unit of their own. */
  private startOf(symbol: SymbolRecord): number {
    const { lines, cursor } = this;
    let start = Math.max(cursor, Math.min(symbol.fullStartLine, symbol.startLine));
    const gap = nonBlank(lines, cursor, start - 1);
    if (gap >= GAP_MIN) this.addGap(start - 1, symbol.parent);
    else if (gap > 0) {
      start = cursor;
      while (blank(lines, start)) start++;
    }
    return start;
  }

  /** The lines of a container after its last member. */
  private addRest(last: number, container: number): void {
    const rest = nonBlank(this.lines, this.cursor, last);
    if (rest >= GAP_MIN) this.addGap(last, container);
    else {
      const previous = this.units.at(-1);
      if (previous && rest > 0) previous.end = last;
      this.cursor = last + 1;
    }
  }

  private addParts(index: number, start: number, end: number, symbolCount: number): void {
    const { parent, borders } = this.symbols[index]!;
    splitLines(this.lines, start, end, borders ?? []).forEach(([from, to], part) => {
      this.units.push({
        start: from,
        end: to,
        symbol: index,
        symbolCount: part === 0 ? symbolCount : 1,
        parent,
        part,
        packable: false,
      });
    });
    this.cursor = end + 1;
  }
}

/** Joins runs of small neighbours that have the same parent. */
function pack(units: readonly Unit[], symbols: readonly SymbolRecord[]): Unit[] {
  const packed: Unit[] = [];
  for (const unit of units) {
    const previous = packed.at(-1);
    const joins =
      previous?.packable &&
      unit.packable &&
      previous.parent === unit.parent &&
      unit.end - previous.start < PACKED_MAX &&
      (previous.symbol < 0 || unit.symbol < 0 || previous.symbol + previous.symbolCount === unit.symbol) &&
      !(previous.symbol < 0 && unit.symbol >= 0 && isDocumented(symbols[unit.symbol]!));
    if (!joins) {
      packed.push({ ...unit });
      continue;
    }
    previous.end = unit.end;
    if (previous.symbol < 0) previous.symbol = unit.symbol;
    previous.symbolCount += unit.symbolCount;
  }
  return packed;
}

/** A documented definition stands for itself: imports and other gaps before it are not glued on. */
function isDocumented(symbol: SymbolRecord): boolean {
  return symbol.doc !== '';
}

/**
 * The nearest ancestor whose lines hold the symbol; -1 for none. A method of Go or C++ belongs to a type without lying
 * in it.
 */
function enclosing(symbols: readonly SymbolRecord[], index: number): number {
  const { startLine } = symbols[index]!;
  let at = symbols[index]!.parent;
  while (at >= 0 && !(symbols[at]!.startLine <= startLine && startLine <= symbols[at]!.endLine))
    at = symbols[at]!.parent;
  return at;
}

function countInside(symbols: readonly SymbolRecord[], index: number): number {
  const { endLine } = symbols[index]!;
  let count = 0;
  for (let i = index + 1; i < symbols.length && symbols[i]!.startLine <= endLine && hasAncestor(symbols, i, index); i++)
    count++;
  return count;
}

function hasAncestor(symbols: readonly SymbolRecord[], index: number, ancestor: number): boolean {
  for (let at = symbols[index]!.parent; at >= 0; at = symbols[at]!.parent) if (at === ancestor) return true;
  return false;
}

/**
 * Ranges of at most MAX_LINES, cut at the given borders, else at blank lines, else at the least indented line, as late
 * as possible.
 */
export function splitLines(
  lines: readonly string[],
  start: number,
  end: number,
  borders: readonly number[],
): [number, number][] {
  const ranges: [number, number][] = [];
  let from = start;
  while (end - from + 1 > MAX_LINES) {
    const latest = from + MAX_LINES;
    const earliest = from + Math.floor(MAX_LINES / 3);
    const cut =
      lastBorder(borders, earliest, latest) ??
      lastBlank(lines, earliest, latest) ??
      leastIndented(lines, earliest, latest);
    ranges.push([from, cut - 1]);
    from = cut;
  }
  ranges.push([from, end]);
  return ranges;
}

function lastBorder(borders: readonly number[], earliest: number, latest: number): number | undefined {
  let found: number | undefined;
  for (const line of borders) if (line >= earliest && line <= latest) found = line;
  return found;
}

function lastBlank(lines: readonly string[], earliest: number, latest: number): number | undefined {
  for (let line = latest; line > earliest; line--) if (blank(lines, line - 1) && !blank(lines, line)) return line;
  return undefined;
}

function leastIndented(lines: readonly string[], earliest: number, latest: number): number {
  let best = latest;
  let least = Number.POSITIVE_INFINITY;
  for (let line = earliest + 1; line <= latest; line++) {
    const indent = lines[line - 1]?.search(/\S/) ?? -1;
    if (indent >= 0 && indent <= least) {
      least = indent;
      best = line;
    }
  }
  return best;
}

function blank(lines: readonly string[], line: number): boolean {
  return (lines[line - 1] ?? '').trim() === '';
}

function nonBlank(lines: readonly string[], from: number, to: number): number {
  let count = 0;
  for (let line = from; line <= to; line++) if (!blank(lines, line)) count++;
  return count;
}
