/** Names in the query against names in the tree: which files define them, which files go by them, how often a file's name is used elsewhere. */

import { CONTAINER_KINDS, type SymbolKind, type SymbolRecord } from '../model/symbol.ts';
import { nameKey } from '../model/terms.ts';
import { IMPORT_MARK, type StoreReader, type TreeView } from '../store/store.ts';
import type { Masks } from './filter.ts';
import { treeStats } from './tree-stats.ts';
import type { Understood } from './understand.ts';

export interface NameMatch {
  /** A symbol is named exactly like an identifier of the query: 1 in another case, 2 in the same. */
  identifier: number;
  /** A type or function is named like two or three neighbouring words of the query. */
  compound: number;
  /** A type, function or module is named like one word of the query; rarer names count more. */
  word: number;
  /** Ordinal of the best matching symbol in its file, to show the place where it is defined. */
  symbol: number;
}

/** A name that so many files define says nothing about any of them. */
const MAX_DEFINERS = 60;
const PROMINENT: ReadonlySet<SymbolKind> = new Set([...CONTAINER_KINDS, 'function', 'method', 'macro']);

export function matchNames(
  understood: Understood,
  reader: StoreReader,
  view: TreeView,
  masks: Masks,
): Map<number, NameMatch> {
  const matches = new Map<number, NameMatch>();
  const note = (
    name: string,
    byCase: boolean,
    apply: (match: NameMatch, exact: boolean, rarity: number) => boolean,
  ) => {
    const key = nameKey(name) || name;
    const { docs } = reader.postings('symbol', key);
    const places: Place[] = [];
    for (const id of docs) {
      const file = view.fileOfSymbol[id] ?? -1;
      if (file >= 0 && !(masks.files && masks.files[file] === 0)) places.push([file, id - view.firstSymbolOf[file]!]);
    }
    const files = new Set(places.map(([file]) => file)).size;
    if (files === 0 || files > MAX_DEFINERS) return;
    const found = places.filter(([file, ordinal]) => prominentIn(reader, view, file)[ordinal] === 1);
    // Only identifiers are told apart by case and by what they are; for words, no content needs to be opened.
    const symbolOf = ([file, ordinal]: Place) => reader.detail(view.contentOf[file]!).symbols[ordinal]!;
    const exactOnes = byCase ? found.filter((place) => symbolOf(place).name === name) : [];
    const definitions = exactOnes.filter((place) => !isPrototype(symbolOf(place)));
    const exact = new Set(definitions.length > 0 ? definitions : exactOnes);
    for (const place of found) {
      const [file, ordinal] = place;
      const match = matches.get(file) ?? { identifier: 0, compound: 0, word: 0, symbol: -1 };
      if (apply(match, exact.has(place), 1 / Math.sqrt(files)) || match.symbol < 0) match.symbol = ordinal;
      matches.set(file, match);
    }
  };
  const raise = (match: NameMatch, field: 'identifier' | 'compound' | 'word', value: number) => {
    if (value <= match[field]) return false;
    match[field] = value;
    return field !== 'word';
  };
  const identifiers =
    understood.intent === 'symbol' ? [lastSegment(understood.text), ...understood.identifiers] : understood.identifiers;
  for (const name of new Set(identifiers))
    note(name, true, (match, exact) => raise(match, 'identifier', exact ? 2 : 1));
  for (const name of understood.compounds)
    note(name, false, (match, _exact, rarity) => raise(match, 'compound', rarity));
  for (const name of understood.words) note(name, false, (match, _exact, rarity) => raise(match, 'word', rarity));
  return matches;
}

type Place = readonly [file: number, ordinal: number];

const prominence = new WeakMap<TreeView, Map<number, Uint8Array>>();

/** 1 for the symbols of a file that may be meant by a word; remembered, since opening contents was a third of a question's time. */
function prominentIn(reader: StoreReader, view: TreeView, file: number): Uint8Array {
  let known = prominence.get(view);
  if (!known) {
    known = new Map();
    prominence.set(view, known);
  }
  const row = view.contentOf[file]!;
  let marks = known.get(row);
  if (!marks) {
    marks = Uint8Array.from(reader.detail(row).symbols, ({ kind }) => (PROMINENT.has(kind) ? 1 : 0));
    known.set(row, marks);
  }
  return marks;
}

/** A function that is only announced, as headers do: where it is defined too, that is the place. */
function isPrototype({ kind, signature }: SymbolRecord): boolean {
  return kind === 'function' && signature.endsWith(';');
}

export function lastSegment(text: string): string {
  return (
    text
      .replace(/\(\)$/, '')
      .split(/::|->|[.#/\\]/)
      .filter(Boolean)
      .at(-1) ?? text
  );
}

const counted = new WeakMap<TreeView, Float32Array>();

/**
 * How many other files call a file by its name, in imports, calls and types, for each candidate: 0..1 on a logarithmic scale of the tree's
 * size. Counted once per tree and file, in the order of names: neighbours are read together.
 */
export function mentions(reader: StoreReader, view: TreeView, files: readonly number[]): Float32Array {
  let known = counted.get(view);
  if (!known) {
    known = new Float32Array(view.files.length).fill(-1);
    counted.set(view, known);
  }
  const { keys } = treeStats(view);
  const missing = files.filter((file) => known[file]! < 0).sort((a, b) => (keys[a]! < keys[b]! ? -1 : 1));
  for (const file of missing) known[file] = countMentions(reader, view, file);
  return known;
}

function countMentions(reader: StoreReader, view: TreeView, file: number): number {
  const { keys, liveContents } = treeStats(view);
  const key = keys[file]!;
  if (key.length < 2) return 0;
  let count = 0;
  for (const term of [IMPORT_MARK + key, key])
    for (const row of reader.postings('reference', term).docs) if (liveContents[row] === 1) count++;
  return Math.log2(1 + count) / Math.log2(2 + 2 * view.files.length);
}
