/**
 * Finds the symbols that a change touches: the innermost ones around the changed lines of the new side, and those whose
 * definition was removed.
 */

import { detectLanguage } from '../../languages/registry.ts';
import { scanDefinitions } from '../../languages/runtime/recovery/generic-scan.ts';
import type { FileChange } from '../../model/records/impact.ts';
import type { SymbolKind, SymbolRecord } from '../../model/records/symbol.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import type { SymbolPlace } from '../symbol-graph.ts';

export interface TouchedPlace {
  readonly place: SymbolPlace;
  readonly change: 'changed' | 'added' | 'named';
}

export interface RemovedSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly path: string;
}

export interface TouchedFile {
  readonly change: FileChange;
  /** The index of the file in the tree; -1 if it is not indexed. */
  readonly file: number;
  readonly symbols: readonly TouchedPlace[];
  readonly gone: readonly RemovedSymbol[];
  /** The change touches lines outside of all symbols: imports, top-level statements. */
  readonly isOutside: boolean;
}

export interface ChangedTree {
  readonly reader: StoreReader;
  readonly view: TreeView;
}

export function findTouchedSymbols({ reader, view }: ChangedTree, change: FileChange): TouchedFile {
  const file = change.status === 'deleted' ? -1 : view.indexOfPath(change.path);
  const symbols = file < 0 ? [] : reader.detail(view.contentOf[file]!).symbols;
  const gone = goneFrom(change, symbols);
  if (file < 0) return { change, file, symbols: [], gone, isOutside: false };
  const owners = ownersOf(symbols, view.files[file]!.lines);
  const wasThere = new Set(gone.map(({ name }) => name));
  for (const { name } of definitionsIn(change)) wasThere.add(name);
  const touched = new Map<number, TouchedPlace['change']>();
  let isOutside = false;
  for (const [first, last] of change.added)
    for (let line = first; line <= Math.min(last, owners.length - 1); line++) {
      const owner = owners[line]!;
      if (owner < 0) isOutside = true;
      else if (!touched.has(owner)) touched.set(owner, changeOf(change, symbols[owner]!, wasThere));
    }
  for (const cut of change.cuts) {
    // Lines were removed between two lines, so the innermost symbol that contains both has changed.
    const [before, after] = [owners[cut] ?? -1, owners[cut + 1] ?? -1];
    const owner = before === after ? before : common(symbols, before, after);
    if (owner < 0) isOutside = true;
    else touched.set(owner, 'changed');
  }
  return {
    change,
    file,
    symbols: [...touched]
      .sort((a, b) => a[0] - b[0])
      .map(([ordinal, how]) => ({ place: { file, ordinal }, change: how })),
    gone,
    isOutside,
  };
}

/** The innermost symbol of each line, -1 for none. Symbols precede those inside of them, which overwrite them. */
function ownersOf(symbols: readonly SymbolRecord[], lines: number): Int32Array {
  const owners = new Int32Array(lines + 2).fill(-1);
  symbols.forEach(({ fullStartLine, endLine }, ordinal) => {
    owners.fill(ordinal, fullStartLine, Math.min(endLine, lines) + 1);
  });
  return owners;
}

/** A symbol is added if all of its lines are new and no removed line defined the name. */
function changeOf(change: FileChange, symbol: SymbolRecord, wasThere: ReadonlySet<string>): TouchedPlace['change'] {
  if (change.status === 'named') return 'named';
  const isNew = change.added.some(([first, last]) => first <= symbol.startLine && symbol.endLine <= last);
  return isNew && !wasThere.has(symbol.name) ? 'added' : 'changed';
}

function common(symbols: readonly SymbolRecord[], a: number, b: number): number {
  const around = new Set<number>();
  for (let at = a; at >= 0; at = symbols[at]!.parent) around.add(at);
  for (let at = b; at >= 0; at = symbols[at]!.parent) if (around.has(at)) return at;
  return -1;
}

/** Definitions in removed lines that the file no longer has. They are found by text: no old version is parsed. */
function goneFrom(change: FileChange, symbols: readonly SymbolRecord[]): RemovedSymbol[] {
  const left = new Set(symbols.map(({ name }) => name));
  const gone = new Map<string, RemovedSymbol>();
  for (const { name, kind } of definitionsIn(change))
    if (!left.has(name) && !gone.has(name)) gone.set(name, { name, kind, path: change.oldPath ?? change.path });
  return [...gone.values()];
}

function definitionsIn({ path, removed }: FileChange): readonly SymbolRecord[] {
  if (removed.length === 0) return [];
  const typedHeads = detectLanguage(path)?.typedHeads ?? false;
  return scanDefinitions(removed.join('\n'), { typedHeads });
}
