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
import { isBlank, MAX_LINES, splitLines } from './line-ranges.ts';

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
    while (from <= to && isBlank(lines, from)) from++;
    let end = to;
    while (end >= from && isBlank(lines, end)) end--;
    if (from > end) return;
    for (const [start, stop] of splitLines(lines, from, end, [])) {
      const packable = stop - start + 1 < SMALL;
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
    if (size <= MAX_LINES || (inner.length === 0 && size <= MAX_LINES + GAP_MIN)) {
      const { parent } = symbol;
      const packable = size < SMALL;
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

  /** Few lines before a symbol belong to it; more are a unit of their own. */
  private startOf(symbol: SymbolRecord): number {
    const { lines, cursor } = this;
    let start = Math.max(cursor, Math.min(symbol.fullStartLine, symbol.startLine));
    const gap = nonBlank(lines, cursor, start - 1);
    if (gap >= GAP_MIN) this.addGap(start - 1, symbol.parent);
    else if (gap > 0) {
      start = cursor;
      while (isBlank(lines, start)) start++;
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

/** A value, with what lies in it; an enum with more values than methods and properties. */
function listsValues(symbols: readonly SymbolRecord[], index: number): boolean {
  const shown = symbols.slice(index, index + 1 + countInside(symbols, index));
  const values = shown.filter(({ kind }) => DATA_KINDS.has(kind)).length;
  return shown[0]!.kind === 'enum' ? values * 2 > shown.length : values === shown.length;
}

/** Joins runs of small neighbours that have the same parent, values apart from definitions. */
function pack(units: readonly Unit[], symbols: readonly SymbolRecord[]): Unit[] {
  const packed: Unit[] = [];
  for (const unit of units) {
    const previous = packed.at(-1);
    const joins =
      previous?.packable &&
      unit.packable &&
      previous.parent === unit.parent &&
      unit.end - previous.start < PACKED_MAX &&
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

function nonBlank(lines: readonly string[], from: number, to: number): number {
  let count = 0;
  for (let line = from; line <= to; line++) if (!isBlank(lines, line)) count++;
  return count;
}
