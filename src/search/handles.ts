/** Follow-up handles: from an id of an earlier answer back to the symbol, in whatever tree is asked now. */
import { parseHandle, stableSymbolId } from '../model/ids.ts';
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

/** The id names what a symbol is, not where: there is no way but to look. Worth it for a follow-up call; names are found faster. */
function placesOfStableId({ reader, view }: Pick<Presenter, 'reader' | 'view'>, text: string): SymbolPlace[] {
  const byContent = new Map<number, readonly number[]>();
  const found: SymbolPlace[] = [];
  view.files.forEach(({ language }, file) => {
    const row = view.contentOf[file]!;
    let ordinals = byContent.get(row);
    if (!ordinals) {
      const { package: packageName, symbols } = reader.detail(row);
      ordinals = symbols.flatMap((symbol, ordinal) =>
        stableSymbolId(language, packageName, symbol) === text ? [ordinal] : [],
      );
      byContent.set(row, ordinals);
    }
    for (const ordinal of ordinals) found.push({ file, ordinal });
  });
  return found;
}
