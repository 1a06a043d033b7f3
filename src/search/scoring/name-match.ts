/** Names in the query against names in the tree: which files define them, which files go by them, how often a file's name is used elsewhere. */

import { nameRulesOf } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { editDistance } from '../../model/text/edit-distance.ts';
import { folderOf } from '../../model/text/path-text.ts';
import { nameKey } from '../../model/text/terms.ts';
import { IMPORT_MARK, PROMINENT, type StoreReader, type TreeView } from '../../store/store.ts';
import { ALL_AROUND, allowedEdits, qualifiedShare } from '../locate/locate.ts';
import type { Masks } from '../query/search-filter.ts';
import { isIdentifierLike, type Understood } from '../query/understand-query.ts';
import { contentsReferring } from './tree-corpus.ts';
import { treeStats } from './tree-stats.ts';

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

/** Plain words and HTTP or JSON inside a sentence are fields and constants somewhere, and not meant. */
function isSetting(name: string, { intent }: Understood): boolean {
  return intent === 'symbol' ? isIdentifierLike(name) : /\w_\w/.test(name);
}

/** Whether the question means a certain symbol of the file, by more than one of its words: then its place is where that is defined. */
export function meansSymbol(match: NameMatch | undefined): match is NameMatch {
  return match !== undefined && match.symbol >= 0 && (match.identifier > 0 || match.compound > 0);
}

/** A name that so many files define says nothing about any of them. */
const MAX_DEFINERS = 60;
/** What is called so in more places is no setting; to tell, each would have to be opened. */
const MAX_SETTINGS = 8;

export function matchNames(
  understood: Understood,
  reader: StoreReader,
  view: TreeView,
  masks: Masks,
): Map<number, NameMatch> {
  const matches = new Map<number, NameMatch>();
  const matchOf = (file: number): NameMatch => {
    const match = matches.get(file) ?? { identifier: 0, compound: 0, word: 0, symbol: -1 };
    matches.set(file, match);
    return match;
  };
  const segments = understood.intent === 'symbol' ? segmentsOf(understood.text) : [];
  const scopesOf = (key: string) =>
    segments.slice(0, segments.findLastIndex((segment) => nameKey(segment) === key) + 1);
  const symbolOf = ([file, ordinal]: Place) => reader.detail(view.contentOf[file]!).symbol(ordinal)!;
  const isProduct = ([file]: Place) => (view.files[file]!.flags & (FileFlag.Test | FileFlag.Example)) === 0;
  const isLocal = (place: Place) => {
    const { parent } = symbolOf(place);
    return parent >= 0 && isCallable(symbolOf([place[0], parent]));
  };
  /** Which of the namesakes is meant, what stands before the name says; all of them where it fits none. */
  const meantOf = (namesakes: readonly Place[], scopes: readonly string[]) => {
    const shares = namesakes.map((place) => {
      const { path } = view.files[place[0]]!;
      const { package: packageName } = reader.detail(view.contentOf[place[0]]!);
      return qualifiedShare({ qualifiedName: symbolOf(place).qualifiedName, path, package: packageName }, scopes);
    });
    const best = Math.max(...shares);
    return best < ALL_AROUND ? namesakes : namesakes.filter((_, i) => shares[i] === best);
  };
  const note = (
    name: string,
    byCase: boolean,
    apply: (match: NameMatch, exact: boolean, rarity: number) => boolean,
  ) => {
    const key = nameKey(name) || name;
    const { docs, values } = reader.postings('symbol', key);
    const scopes = scopesOf(key);
    const found: Place[] = [];
    const others: Place[] = [];
    let files = 0;
    let last = -1;
    for (let i = 0; i < docs.length; i++) {
      const file = view.fileOfSymbol[docs[i]!] ?? -1;
      if (file < 0 || (masks.files && masks.files[file] === 0)) continue;
      // A file's symbols follow each other.
      if (file !== last) files++;
      if (files > MAX_DEFINERS && scopes.length < 2) return;
      last = file;
      if (values[i] === PROMINENT) found.push([file, docs[i]! - view.firstSymbolOf[file]!]);
      else if (byCase && isSetting(name, understood)) others.push([file, docs[i]! - view.firstSymbolOf[file]!]);
    }
    // So many can only be told apart by where the type before the name is.
    if (files > MAX_DEFINERS) {
      const isBeside = besideOwner(scopes.at(-2)!, reader, view);
      for (const places of [found, others])
        places.splice(0, places.length, ...places.filter(([file]) => isBeside(file)));
      if (found.length > MAX_DEFINERS) return;
    }
    // Only identifiers are told apart by case and by what they are; for words, no content needs to be opened.
    const isExact = (place: Place) => symbolOf(place).name === name;
    // A setting or a field is meant where nothing else is called so: DOWNLOAD_DELAY is no method download_delay. What a test calls so is set there, not defined.
    const fields = someOf(others, isProduct);
    const isRival = (place: Place) => isExact(place) && (isProduct(place) || !fields.some(isProduct));
    const settings = fields.length <= MAX_SETTINGS && !(byCase && found.some(isRival)) ? fields.filter(isExact) : [];
    found.push(...settings);
    const named = byCase ? found.filter(isExact) : [];
    const exactOnes = scopes.length > 1 ? meantOf(named, scopes) : named;
    const definitions = someOf(exactOnes, (place) => !isPrototype(symbolOf(place)));
    const exact = new Set(someOf(definitions, isProduct));
    const passing = byCase && exactOnes.length === 0 ? passingOn(name, key, reader, view, masks) : [];
    for (const file of passing) {
      const match = matchOf(file);
      apply(match, true, 1);
      // Its name is a word of the question, too, as that of a definition would be.
      match.word = Math.max(match.word, 1 / Math.sqrt(passing.length));
    }
    if (understood.intent === 'symbol')
      for (const [file] of settings) matchOf(file).word = 1 / Math.sqrt(settings.length);
    // Of the namesakes in a file, the one inside of another function hands on to the other.
    const inOrder = byCase ? [...found.filter((place) => !isLocal(place)), ...found.filter(isLocal)] : found;
    for (const place of inOrder) {
      const [file, ordinal] = place;
      const match = matchOf(file);
      if (apply(match, exact.has(place), 1 / Math.sqrt(files)) || match.symbol < 0) match.symbol = ordinal;
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
  if (understood.intent === 'symbol' && matches.size === 0)
    for (const name of misspelt(lastSegment(understood.text), reader))
      note(name, false, (match) => raise(match, 'identifier', 1));
  for (const name of understood.compounds)
    note(name, false, (match, _exact, rarity) => raise(match, 'compound', rarity));
  for (const name of understood.words) note(name, false, (match, _exact, rarity) => raise(match, 'word', rarity));
  return matches;
}

/** Names that are like one that nobody defines, but for a letter or two, and begin as it does. */
function misspelt(name: string, reader: StoreReader): string[] {
  const key = nameKey(name);
  const allowed = allowedEdits(key);
  if (allowed === 0) return [];
  const near = reader
    .termsWithPrefix('symbol', key.slice(0, 2))
    .map((term) => ({ term, distance: editDistance(term, key, allowed) }))
    .filter(({ distance }) => distance <= allowed);
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.filter(({ distance }) => distance === least).map(({ term }) => term);
}

/** A name that nobody here defines comes from elsewhere: an entry file that imports it passes it on, and is where its users get it from. */
function passingOn(name: string, key: string, reader: StoreReader, view: TreeView, masks: Masks): number[] {
  const files: number[] = [];
  for (const row of reader.postings('reference', IMPORT_MARK + key).docs)
    for (const file of view.filesOfContent(row))
      if ((view.files[file]!.flags & FileFlag.Barrel) !== 0 && !(masks.files && masks.files[file] === 0))
        files.push(file);
  if (files.length > MAX_DEFINERS) return [];
  return files.filter((file) => {
    const row = view.contentOf[file]!;
    const { imports, language } = reader.detail(row);
    const taken = imports.find(({ names }) => names.some(({ local }) => local === name));
    return (
      taken && (nameRulesOf(language).importsAreExports || PASSED_ON.test(reader.lines(row, taken.line, taken.line)))
    );
  });
}

const PASSED_ON = /^\s*(?:pub|export)\b/;

type Place = readonly [file: number, ordinal: number];

function isCallable({ kind }: SymbolRecord): boolean {
  return kind === 'function' || kind === 'method' || kind === 'macro';
}

/** Those that are so; all of them where none is. */
function someOf(places: readonly Place[], are: (place: Place) => boolean): readonly Place[] {
  const some = places.filter(are);
  return some.length > 0 ? some : places;
}

/** A function that is only announced, as headers do: where it is defined too, that is the place. */
function isPrototype({ kind, signature }: SymbolRecord): boolean {
  return kind === 'function' && signature.endsWith(';');
}

/** "Glob::new" by its parts, in any notation; a class inside of another as the JVM names it, too: `Client$Builder`. */
export function segmentsOf(text: string): string[] {
  return text
    .replace(/\(\)$/, '')
    .split(/::|->|[.#/\\]|(?<=\w)\$(?=[A-Z])/)
    .filter(Boolean);
}

function lastSegment(text: string): string {
  return segmentsOf(text).at(-1) ?? text;
}

/** Whether a symbol stands in the scope that was asked for, or in the innermost part of it: what is around a file says nothing about its symbols. */
export function isMember({ qualifiedName }: SymbolRecord, asked: readonly string[]): boolean {
  const own = segmentsOf(qualifiedName);
  const shared = Math.min(own.length, asked.length);
  return shared > 1 && own.slice(-shared).map(nameKey).join('.') === asked.slice(-shared).map(nameKey).join('.');
}

/** Whether a file defines the type, or stands beside one that does: its members are there. */
function besideOwner(owner: string, reader: StoreReader, view: TreeView): (file: number) => boolean {
  const folders = new Set<string>();
  for (const id of reader.postings('symbol', nameKey(owner)).docs) {
    const file = view.fileOfSymbol[id] ?? -1;
    if (file >= 0) folders.add(folderOf(view.files[file]!.path));
  }
  return (file) => folders.has(folderOf(view.files[file]!.path));
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
  const { keys, counts } = treeStats(view);
  const key = keys[file]!;
  if (key.length < 2) return 0;
  const count = contentsReferring(reader, view, IMPORT_MARK + key) + contentsReferring(reader, view, key);
  return Math.log2(1 + count) / Math.log2(2 + 2 * counts.files);
}
