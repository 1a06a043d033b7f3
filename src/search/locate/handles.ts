/** Resolves handles: maps an id from an earlier answer to symbols or chunks of the current tree. */

import {
  earlierStableSymbolId,
  type Handle,
  isStableId,
  namesPath,
  parseHandle,
  symbolOfHandle,
  symbolOfResult,
} from '../../model/records/ids.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import type { StoredDetail } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import { type ChunkPlace, type Presenter, shownSymbols } from '../places/present-hits.ts';
import { issuedName, issuedResult, type SymbolFile, stableIdIn } from './issued-ids.ts';

export interface SymbolPlace {
  readonly file: number;
  readonly ordinal: number;
}

/** Every place of the symbol: several paths may have the same content, and several files the same declaration. */
export function placesOfHandle(presenter: IndexedTree, text: string): SymbolPlace[] {
  return isStableId(text) ? placesOfStableId(presenter, text) : placesOfContentHandle(presenter, text);
}

/** The files whose content the handle names. */
function filesOf(view: Presenter['view'], handle: Handle): number[] {
  return view.files.flatMap(({ blobId }, file) => (blobId.startsWith(handle.blobPrefix) ? [file] : []));
}

/** Resolves the handle of a symbol, or of a chunk: that means the symbols that its result showed, in their order. */
function placesOfContentHandle({ reader, view }: IndexedTree, text: string): SymbolPlace[] {
  const handle = parseHandle(text);
  if (!handle) return [];
  if (handle.kind === 'sym') {
    const found = placesOfSymbolHandle({ reader, view }, handle);
    if (found.length > 0) return found;
  }
  // Older symbol handles contain content ids instead of paths; they still work.
  const files = filesOf(view, handle);
  if (files.length === 0) return [];
  const detail = reader.detail(view.contentOf[files[0]!]!);
  const ordinals = handle.kind === 'sym' ? [handle.ordinal] : symbolsOfResult(detail, handle.ordinal, text);
  return ordinals
    .filter((ordinal) => detail.symbols[ordinal])
    .flatMap((ordinal) => files.map((file) => ({ file, ordinal })));
}

function placesOfSymbolHandle({ reader, view }: IndexedTree, handle: Handle): SymbolPlace[] {
  return view.files.flatMap(({ path }, file) => {
    if (!namesPath(handle, path)) return [];
    const ordinal = symbolOfHandle(handle, path, reader.detail(view.contentOf[file]!).symbols);
    return ordinal < 0 ? [] : [{ file, ordinal }];
  });
}

function symbolsOfResult(detail: StoredDetail, ordinal: number, text: string): readonly number[] {
  const issued = issuedResult(text);
  if (issued) return issued.symbols;
  const symbol = symbolOfResult(ordinal);
  if (symbol !== null) return [symbol];
  return detail.chunks[ordinal] ? shownSymbols(detail, { first: ordinal, last: ordinal }) : [];
}

/** Every place of the chunks that a result showed. */
export function chunksOfHandle({ reader, view }: IndexedTree, text: string): ChunkPlace[] {
  const handle = parseHandle(text);
  if (!handle || handle.kind === 'sym') return [];
  return filesOf(view, handle).flatMap((file) => {
    const { chunks } = reader.detail(view.contentOf[file]!);
    const last = issuedResult(text)?.lastChunk ?? handle.ordinal;
    return chunks[handle.ordinal] && chunks[last] ? [{ file, first: handle.ordinal, last }] : [];
  });
}

/**
 * Finds a symbol by its stable id, which does not depend on its path. If this process issued the id, its name narrows
 * the search; otherwise the ids of all symbols are computed.
 */
function placesOfStableId(presenter: IndexedTree, text: string): SymbolPlace[] {
  const { reader, view } = presenter;
  const name = issuedName(text);
  if (name !== null) {
    const rows = [...reader.postings('symbol', name).docs].flatMap((id) => {
      const file = view.fileOfSymbol[id] ?? -1;
      return file < 0 ? [] : [view.contentOf[file]!];
    });
    const found = placesIn(presenter, rows, text, stableId);
    if (found.length > 0) return found;
  }
  const found = placesIn(presenter, view.contentOf, text, stableId);
  return found.length > 0 ? found : placesIn(presenter, view.contentOf, text, earlierStableId);
}

type IdOf = (file: SymbolFile, symbol: SymbolRecord, symbols: readonly SymbolRecord[]) => string;
const stableId: IdOf = (file, symbol, symbols) => stableIdIn(file, symbol, symbols[symbol.parent]);
const earlierStableId: IdOf = (file, symbol) => earlierStableSymbolId(file.language, file.package, symbol);

/** The symbols in the given contents whose id equals the text, in the order of the tree's files. */
function placesIn({ reader, view }: IndexedTree, rows: Iterable<number>, text: string, idOf: IdOf): SymbolPlace[] {
  const found: SymbolPlace[] = [];
  for (const row of new Set(rows)) {
    const { package: packageName, symbols } = reader.detail(row);
    for (const file of view.filesOfContent(row)) {
      const { language, path } = view.files[file]!;
      const place = { language, path, package: packageName };
      symbols.forEach((symbol, ordinal) => {
        if (idOf(place, symbol, symbols) === text) found.push({ file, ordinal });
      });
    }
  }
  return found.sort((a, b) => a.file - b.file || a.ordinal - b.ordinal);
}
