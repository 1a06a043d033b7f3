/** Turns chosen places into hits with text, symbols and handles. It reads contents and keeps the order. */

import { languageById } from '../../languages/registry.ts';
import type { Chunk, ContentDetail } from '../../model/records/chunk.ts';
import { formatHandle, formatSymbolHandle, formatSymbolHandles, symbolResult } from '../../model/records/ids.ts';
import type { FileCounts, Hit, OutlineEntry, SymbolInfo } from '../../model/records/query.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { SymbolKind, SymbolRecord } from '../../model/records/symbol.ts';
import type { StoredDetail, StoreReader } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import { issueResultId, issueStableId } from '../locate/issued-ids.ts';
import { pathTags } from '../query/search-filter.ts';
import { isExcluded, type Preference, preferredSymbol, withFirst } from './shown-symbol.ts';

/** The tree with what a hit shows beside its text. */
export interface Presenter extends IndexedTree {
  /** In a workspace, the names of its repositories; every path begins with one of them. */
  readonly repositories?: readonly string[];
  readonly moduleOf: (path: string) => string;
}

export function presentSymbol({ reader, view }: Presenter, file: number, ordinal: number): SymbolInfo {
  const entry = view.files[file]!;
  const detail = reader.detail(view.contentOf[file]!);
  const symbol = detail.symbol(ordinal)!;
  const breadcrumb: string[] = [];
  for (let at = detail.symbol(symbol.parent); at; at = detail.symbol(at.parent)) breadcrumb.unshift(at.name);
  return {
    // Computed on access: the ids are hashes, and few answers show them.
    get symbolId() {
      return formatSymbolHandle(entry.path, detail.symbols, ordinal);
    },
    get stableId() {
      const place = { language: entry.language, path: entry.path, package: detail.package };
      return issueStableId(place, symbol, detail.symbol(symbol.parent));
    },
    name: symbol.name,
    kind: symbol.kind,
    qualifiedName: qualify(entry.language, detail.package, entry.path, symbol.qualifiedName),
    signature: symbol.signature,
    doc: symbol.doc,
    visibility: symbol.visibility,
    language: entry.language,
    package: detail.package,
    path: entry.path,
    startLine: symbol.startLine,
    endLine: symbol.endLine,
    breadcrumb,
    dddRole: detail.ddd.find((mark) => mark.symbol === ordinal)?.role ?? null,
  };
}

export interface ChunkPlace {
  readonly file: number;
  /** Ordinals of the first and last chunk: neighbouring chunks may be merged. */
  readonly first: number;
  readonly last: number;
  /** The symbol that names the hit and bounds its lines within these chunks. */
  readonly symbol?: number;
  /** The line that the query means: the symbol around it is shown. 0 shows whole chunks. */
  readonly line?: number;
}

export interface ShowOptions {
  /** Lines to show around the chunk. */
  readonly contextLines?: number | undefined;
  /** Shows this many lines of code for an overview instead of its list of symbols. */
  readonly overviewLines?: number | undefined;
  /** Shows all lines of the symbol that names the hit, beyond its chunk too. */
  readonly wholeSymbols?: boolean | undefined;
  /** Chooses the symbol that names the hit; without it, the first symbol does. */
  readonly prefer?: Preference;
}

export function presentChunk(presenter: Presenter, place: ChunkPlace, score: number, options: ShowOptions = {}): Hit {
  const { contextLines = 0, overviewLines, wholeSymbols = false, prefer } = options;
  const { reader, view, moduleOf } = presenter;
  const entry = view.files[place.file]!;
  const row = view.contentOf[place.file]!;
  const detail = reader.detail(row);
  const first = detail.chunks[place.first]!;
  const last = detail.chunks[place.last]!;
  const inChunks = shownSymbols(detail, place);
  const named = nameOf(detail, inChunks, place, prefer);
  const symbol = named === undefined ? null : presentSymbol(presenter, place.file, named);
  const document = first.type === 'documentation';
  const overview = first.type === 'symbols';
  // A packed chunk holds several small definitions; the hit shows the lines of the one that names it.
  const isChosen = named !== undefined && !overview && prefer !== undefined && place.line !== 0;
  const [startLine, lastLine] = shownLines(first, last, isChosen ? detail.symbol(named) : undefined, wholeSymbols);
  const endLine = overview && overviewLines ? Math.min(lastLine, overviewLines) : lastLine;
  const within = overview ? inChunks : beginningIn(detail, inChunks, startLine, endLine);
  const isAll = within.length === inChunks.length && named === inChunks[0];
  return {
    resultId: issueResultId(
      formatHandle(document ? 'doc' : 'snip', entry.blobId, isChosen && !isAll ? symbolResult(named) : place.first),
      { lastChunk: place.last, symbols: withFirst(within, named) },
      isAll && place.last === place.first,
    ),
    chunkId: view.storedChunkOf[place.file]! + place.first,
    resultType: overview ? 'file' : document ? 'documentation' : 'snippet',
    path: entry.path,
    startLine,
    endLine,
    language: entry.language,
    package: detail.package,
    module: moduleOf(entry.path),
    chunkType: first.type,
    title: (isChosen && symbolTitle(detail, named, place.first)) || titleOf(first, entry.path),
    tags: [...new Set([...first.tags, ...pathTags(entry.path)])],
    score,
    content: overview && !overviewLines ? overviewText(detail) : copyText(reader.lines(row, startLine, endLine)),
    ...(contextLines > 0 && around(reader, row, startLine, endLine, contextLines)),
    symbol,
    symbolNames: overview ? topLevelNames(detail) : within.map((ordinal) => detail.symbol(ordinal)!.name),
    ...(overview && { counts: countsOf(detail) }),
    isTest: (entry.flags & FileFlag.Test) !== 0,
    modifiedMs: entry.mtimeMs || view.info.publishedAtMs,
  };
}

/**
 * The lines of the chosen symbol with its comment, cut to the chunks unless `whole`; without a chosen symbol, the lines
 * of the chunks.
 */
function shownLines(
  first: Chunk,
  last: Chunk,
  chosen: SymbolRecord | undefined,
  whole: boolean,
): [start: number, end: number] {
  if (!chosen) return [first.startLine, last.endLine];
  if (whole) return [Math.min(chosen.fullStartLine, chosen.startLine), chosen.endLine];
  const start = Math.max(first.startLine, Math.min(chosen.fullStartLine, chosen.startLine));
  const end = Math.min(last.endLine, chosen.endLine);
  return start <= end ? [start, end] : [first.startLine, last.endLine];
}

function around(reader: StoreReader, row: number, startLine: number, endLine: number, lines: number) {
  return {
    contextBefore: startLine > 1 ? reader.lines(row, Math.max(1, startLine - lines), startLine - 1) : '',
    contextAfter: reader.lines(row, endLine + 1, endLine + lines),
  };
}

export function shownSymbols(
  detail: Pick<StoredDetail, 'chunks' | 'symbol'>,
  place: Pick<ChunkPlace, 'first' | 'last'>,
): number[] {
  const shown = new Set<number>();
  for (let ordinal = place.first; ordinal <= place.last; ordinal++) {
    const chunk = detail.chunks[ordinal]!;
    if (chunk.type === 'symbols') continue;
    for (let i = chunk.symbol; i >= 0 && i < chunk.symbol + chunk.symbolCount; i++) if (detail.symbol(i)) shown.add(i);
  }
  return [...shown];
}

/** The symbols that begin in the shown lines; if none does, as inside a long symbol, all symbols of the chunks. */
function beginningIn(
  detail: Pick<StoredDetail, 'symbol'>,
  inChunks: readonly number[],
  startLine: number,
  endLine: number,
): readonly number[] {
  const within = inChunks.filter((ordinal) => {
    const symbol = detail.symbol(ordinal)!;
    return symbol.startLine >= startLine && symbol.startLine <= endLine;
  });
  return within.length > 0 ? within : inChunks;
}

/** The symbol that names a place: the one around the line, else the chosen one, else the preferred one. */
export function nameOf(
  detail: StoredDetail,
  inChunks: readonly number[],
  { symbol: chosen, line = 0 }: ChunkPlace,
  prefer: Preference | undefined,
): number | undefined {
  if (line > 0 && prefer) return innermost(detail, inChunks, line);
  if (chosen !== undefined && !isExcluded(detail, chosen, prefer)) return chosen;
  return preferredSymbol(inChunks, detail, prefer);
}

/** The innermost symbol around a line: symbols are sorted by their first line, so it is the last that contains it. */
function innermost(detail: StoredDetail, inChunks: readonly number[], line: number): number | undefined {
  return inChunks.findLast((ordinal) => {
    const { fullStartLine, startLine, endLine } = detail.symbol(ordinal)!;
    return Math.min(fullStartLine, startLine) <= line && line <= endLine;
  });
}

/** Names of a file's top-level symbols, shown with its overview. */
function topLevelNames({ symbols }: ContentDetail): string[] {
  return [...new Set(symbols.filter(({ parent }) => parent < 0).map(({ name }) => name))];
}

/** The chosen symbol's name, with the shown part of a long symbol. */
function symbolTitle(detail: Pick<StoredDetail, 'chunks' | 'symbol'>, symbol: number, first: number): string {
  const { part, symbol: own } = detail.chunks[first]!;
  const name = detail.symbol(symbol)?.qualifiedName ?? '';
  return part > 0 && own === symbol ? `${name} (part ${part + 1})` : name;
}

function titleOf(chunk: Chunk, path: string): string {
  if (chunk.type === 'symbols') return `${path} symbols`;
  return chunk.title || path;
}

/** Copies a text: a substring keeps its whole file in memory, and answers stay cached longer than files. */
function copyText(part: string): string {
  return Buffer.from(part).toString();
}

/** Symbol kinds by the headings of an overview. */
const GROUPS = {
  Types: new Set<SymbolKind>([
    'class',
    'struct',
    'interface',
    'protocol',
    'trait',
    'enum',
    'type',
    'extension',
    'module',
  ]),
  Functions: new Set<SymbolKind>(['function', 'method', 'macro']),
  Values: new Set<SymbolKind>(['constant', 'variable']),
} as const;

function countsOf({ imports, symbols }: ContentDetail): FileCounts {
  const count = (kinds: ReadonlySet<SymbolKind>) => symbols.filter(({ kind }) => kinds.has(kind)).length;
  return { imports: imports.length, types: count(GROUPS.Types), functions: count(GROUPS.Functions) };
}

/** A file's overview: its package, number of imports, and definitions with lines. */
export function overviewText(detail: ContentDetail): string {
  const lines: string[] = [];
  if (detail.package) lines.push(`Package: ${detail.package}`, '');
  if (detail.imports.length > 0)
    lines.push(`Imports: ${detail.imports.length} package${detail.imports.length === 1 ? '' : 's'}`, '');
  for (const [title, kinds] of Object.entries(GROUPS)) {
    const members = detail.symbols.filter((symbol) => kinds.has(symbol.kind));
    if (members.length === 0) continue;
    lines.push(`${title}:`);
    for (const symbol of members)
      lines.push(`  - ${symbol.qualifiedName} (${symbol.kind}) (lines ${symbol.startLine}-${symbol.endLine})`);
    lines.push('');
  }
  return lines.join('\n').trimEnd();
}

export function presentOutline(detail: ContentDetail, path: string): OutlineEntry[] {
  const ids = formatSymbolHandles(path, detail.symbols);
  return detail.symbols.map((symbol, ordinal) => {
    let depth = 0;
    for (let at = symbol.parent; at >= 0; at = detail.symbols[at]!.parent) depth++;
    return {
      symbolId: ids[ordinal]!,
      name: symbol.name,
      kind: symbol.kind,
      signature: symbol.signature,
      startLine: symbol.startLine,
      endLine: symbol.endLine,
      depth,
    };
  });
}

/** Languages whose files are modules, so that the path is the prefix of a name; the pattern matches entry files. */
const PATH_MODULES: Readonly<Record<string, RegExp>> = {
  rust: /(?:^|\/)(?:mod|lib|main)$/,
  python: /(?:^|\/)__init__$/,
};

function qualify(language: string, packageName: string, path: string, name: string): string {
  const separator = languageById(language)?.separator ?? '.';
  // The qualified name of a symbol in a namespace block contains the namespace already.
  if (packageName)
    return `${name}${separator}`.startsWith(`${packageName}${separator}`) ? name : `${packageName}${separator}${name}`;
  const collapse = PATH_MODULES[language];
  if (!collapse) return name;
  const module = path
    .replace(/\.[^./]+$/, '')
    .replace(collapse, '')
    .replace(/^(?:.*\/)?(?:src|lib)(?:\/|$)/, '')
    .split('/')
    .filter(Boolean);
  return [...module, name].join(separator);
}
