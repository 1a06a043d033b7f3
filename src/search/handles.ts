/** Follow-up handles: from an id of an earlier answer back to the symbol, in whatever tree is asked now. */
import { parseHandle, stableSymbolId } from '../model/ids.ts';
import { issuedName } from './issued-ids.ts';
import type { Presenter } from './present.ts';

export interface SymbolPlace {
  readonly file: number;
  readonly ordinal: number;
}

const STABLE = /^b3:[0-9a-f]{64}$/;

/** True for texts that can only be a handle, so that a wrong one is "not found" and not a name to guess at. */
export function isHandle(text: string): boolean {
  return STABLE.test(text) || parseHandle(text) !== null;
}

/** Every place of the symbol: the same content may lie under several paths, the same declaration in several files. */
export function placesOfHandle(presenter: Pick<Presenter, 'reader' | 'view'>, text: string): SymbolPlace[] {
  return STABLE.test(text) ? placesOfStableId(presenter, text) : placesOfContentHandle(presenter, text);
}

function placesOfContentHandle({ reader, view }: Pick<Presenter, 'reader' | 'view'>, text: string): SymbolPlace[] {
  const handle = parseHandle(text);
  if (!handle) return [];
  const found: SymbolPlace[] = [];
  view.files.forEach(({ blobId }, file) => {
    if (!blobId.startsWith(handle.blobPrefix)) return;
    const { symbols, chunks } = reader.detail(view.contentOf[file]!);
    // A chunk's handle means the symbol that it shows.
    const ordinal = handle.kind === 'sym' ? handle.ordinal : (chunks[handle.ordinal]?.symbol ?? -1);
    if (symbols[ordinal]) found.push({ file, ordinal });
  });
  return found;
}

/** The id names what a symbol is, not where: by its name where an answer has told it, else there is no way but to look everywhere. */
function placesOfStableId(presenter: Pick<Presenter, 'reader' | 'view'>, text: string): SymbolPlace[] {
  const { reader, view } = presenter;
  const name = issuedName(text);
  if (name !== null) {
    const rows = [...reader.postings('symbol', name).docs].flatMap((id) => {
      const file = view.fileOfSymbol[id] ?? -1;
      return file < 0 ? [] : [view.contentOf[file]!];
    });
    const found = placesIn(presenter, rows, text);
    if (found.length > 0) return found;
  }
  return placesIn(presenter, view.contentOf, text);
}

/** In the order of the tree's files. */
function placesIn(
  { reader, view }: Pick<Presenter, 'reader' | 'view'>,
  rows: Iterable<number>,
  text: string,
): SymbolPlace[] {
  const found: SymbolPlace[] = [];
  for (const row of new Set(rows)) {
    const { package: packageName, symbols } = reader.detail(row);
    const files = view.filesOfContent(row);
    const { language } = view.files[files[0]!]!;
    symbols.forEach((symbol, ordinal) => {
      if (stableSymbolId(language, packageName, symbol) === text)
        for (const file of files) found.push({ file, ordinal });
    });
  }
  return found.sort((a, b) => a.file - b.file || a.ordinal - b.ordinal);
}
