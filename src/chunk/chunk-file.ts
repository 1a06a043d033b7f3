/**
 * Cuts a parsed file into chunks, each of which is one search result. A definition that fits is one chunk, a longer one
 * is split at statement borders, and small neighbours are packed into one. Pure: no paths, no storage.
 *
 * Invariants (property-tested): chunks of one file are ordered by line, lie inside the file, and do not overlap, apart
 * from the one `symbols` overview that spans the whole file and comes first.
 */
import type { Chunk, ChunkType } from '../model/records/chunk.ts';
import { CONTAINER_KINDS, type ParsedFile, type SymbolKind, type SymbolRecord } from '../model/records/symbol.ts';
import { chunkSections } from './chunk-sections.ts';
import { isBlank, MAX_LINES, splitLines } from './line-ranges.ts';

/** A unit with fewer lines is packed with its neighbours. */
const MIN_UNIT_LINES = 12;
const MAX_PACKED_LINES = 40;
/** A gap with fewer lines joins the definition after it. */
const MIN_GAP_LINES = 4;

/** Kinds of constants and settings. Fields and properties are not data: they belong to their type's definition. */
const DATA_KINDS: ReadonlySet<SymbolKind> = new Set(['constant', 'variable', 'enum']);

interface Unit {
  start: number;
  end: number;
  symbol: number;
  symbolCount: number;
  parent: number;
  part: number;
  /** The unit may be packed with a neighbour; false for a part of a split definition. */
  packable: boolean;
  isData: boolean;
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
  const type: ChunkType = unit.isData ? 'data' : 'definitions';
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

/** Covers every non-blank line of the file with units, in order. */
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
    while (from <= to && isBlank(lines, from)) from++;
    let end = to;
    while (end >= from && isBlank(lines, end)) end--;
    if (from > end) return;
    for (const [start, stop] of splitLines(lines, from, end, [])) {
      const packable = stop - start + 1 < MIN_UNIT_LINES;
      units.push({ start, end: stop, symbol: -1, symbolCount: 0, parent, part: 0, packable, isData: false });
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
    if (size <= MAX_LINES || (inner.length === 0 && size <= MAX_LINES + MIN_GAP_LINES)) {
      const { parent } = symbol;
      const packable = size < MIN_UNIT_LINES;
      const isData = listsValues(this.symbols, index);
      this.units.push({ start, end: last, symbol: index, symbolCount, parent, part: 0, packable, isData });
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

  /** The first line of a symbol's unit: a short gap before the symbol joins it, a longer one becomes a unit. */
  private startOf(symbol: SymbolRecord): number {
    const { lines, cursor } = this;
    let start = Math.max(cursor, Math.min(symbol.fullStartLine, symbol.startLine));
    const gap = nonBlank(lines, cursor, start - 1);
    if (gap >= MIN_GAP_LINES) this.addGap(start - 1, symbol.parent);
    else if (gap > 0) {
      start = cursor;
      while (isBlank(lines, start)) start++;
    }
    return start;
  }

  /** Adds the lines of a container after its last member. */
  private addRest(last: number, container: number): void {
    const rest = nonBlank(this.lines, this.cursor, last);
    if (rest >= MIN_GAP_LINES) this.addGap(last, container);
    else {
      const previous = this.units.at(-1);
      if (previous && rest > 0) previous.end = last;
      this.cursor = last + 1;
    }
  }

  private addParts(index: number, start: number, end: number, symbolCount: number): void {
    const { parent, borders } = this.symbols[index]!;
    const isData = listsValues(this.symbols, index);
    splitLines(this.lines, start, end, borders ?? []).forEach(([from, to], part) => {
      this.units.push({
        start: from,
        end: to,
        symbol: index,
        symbolCount: part === 0 ? symbolCount : 1,
        parent,
        part,
        packable: false,
        isData,
      });
    });
    this.cursor = end + 1;
  }
}

/** Whether a symbol is data: a value with only values inside, or an enum with more values than other members. */
function listsValues(symbols: readonly SymbolRecord[], index: number): boolean {
  const members = symbols.slice(index, index + 1 + countInside(symbols, index));
  const values = members.filter(({ kind }) => DATA_KINDS.has(kind)).length;
  return members[0]!.kind === 'enum' ? values * 2 > members.length : values === members.length;
}

/** Joins small neighbours with the same parent; values and definitions stay separate. */
function pack(units: readonly Unit[], symbols: readonly SymbolRecord[]): Unit[] {
  const packed: Unit[] = [];
  for (const unit of units) {
    const previous = packed.at(-1);
    const joins =
      previous?.packable &&
      unit.packable &&
      previous.parent === unit.parent &&
      unit.end - previous.start < MAX_PACKED_LINES &&
      (previous.symbol < 0 || unit.symbol < 0 || continues(previous, unit)) &&
      !(previous.symbol < 0 && unit.symbol >= 0 && isDocumented(symbols[unit.symbol]!));
    if (!joins) {
      packed.push({ ...unit });
      continue;
    }
    previous.end = unit.end;
    if (previous.symbol < 0) {
      previous.symbol = unit.symbol;
      previous.isData = unit.isData;
    }
    previous.symbolCount += unit.symbolCount;
  }
  return packed;
}

function continues(previous: Unit, unit: Unit): boolean {
  return previous.symbol + previous.symbolCount === unit.symbol && previous.isData === unit.isData;
}

/** A gap before a documented definition, such as imports, is not packed with it. */
function isDocumented(symbol: SymbolRecord): boolean {
  return symbol.doc !== '';
}

/** The nearest ancestor whose lines contain the symbol; -1 for none, as for a method of Go or C++ outside its type. */
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

function nonBlank(lines: readonly string[], from: number, to: number): number {
  let count = 0;
  for (let line = from; line <= to; line++) if (!isBlank(lines, line)) count++;
  return count;
}
