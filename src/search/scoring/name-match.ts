/**
 * Matches names in the query with names in the tree: files that define them, files that are named so, and how often a
 * file's name is used elsewhere.
 */

import { nameRulesOf } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { editDistance } from '../../model/text/edit-distance.ts';
import { folderOf } from '../../model/text/path-text.ts';
import { nameKey } from '../../model/text/terms.ts';
import { IMPORT_MARK, PROMINENT, type StoreReader, type TreeView } from '../../store/store.ts';
import { ALL_AROUND, allowedEdits, qualifiedShare } from '../locate/locate.ts';
import { lastSegment, segmentsOf } from '../query/name-segments.ts';
import { isIdentifierLike } from '../query/query-terms.ts';
import type { Masks } from '../query/search-filter.ts';
import type { Understood } from '../query/understand-query.ts';
import { contentsReferring } from './tree-corpus.ts';
import { treeStats } from './tree-stats.ts';

export interface NameMatch {
  /** A symbol is named exactly like an identifier of the query: 1 in another case, 2 in the same. */
  identifier: number;
  /** A type or function is named like two or three neighbouring words of the query. */
  compound: number;
  /** A type, function or module is named like one word of the query; rarer names count more. */
  word: number;
  /** How much the names that it defines count together, the rarer the more. */
  weight: number;
  /** Ordinal of the best matching symbol in its file, to show the place where it is defined. */
  symbol: number;
}

/**
 * Plain words and HTTP or JSON inside a sentence are names of fields and constants somewhere; the query does not mean
 * those.
 */
function isSetting(name: string, { intent }: Understood): boolean {
  return intent === 'symbol' ? isIdentifierLike(name) : /\w_\w/.test(name);
}

/** Whether the query means a certain symbol of the file by more than one word: then its definition is shown. */
export function meansSymbol(match: NameMatch | undefined): match is NameMatch {
  return match !== undefined && match.symbol >= 0 && (match.identifier > 0 || match.compound > 0);
}

/** What a name in another case counts. */
const OTHER_CASE = 0.3;
/** A name that this many files define identifies none of them. */
const MAX_DEFINERS = 60;
/** A name with more places than this is no setting; each place would have to be opened to know. */
const MAX_SETTINGS = 8;

export function matchNames(
  understood: Understood,
  reader: StoreReader,
  view: TreeView,
  masks: Masks,
): Map<number, NameMatch> {
  const matcher = new NameMatcher(understood, reader, view, masks);
  const { intent, text, identifiers, compounds, words, report } = understood;
  const queryNames = intent === 'symbol' ? [lastSegment(text), ...identifiers] : identifiers;
  for (const name of new Set(queryNames)) {
    const counts = report?.names.get(name) ?? 0;
    const weighed = new Map<NameMatch, number>();
    matcher.note(name, true, (match, exact, rarity) => {
      // Several definitions of a name in one file count once.
      const weight = Math.max(weighed.get(match) ?? 0, counts * rarity * (exact ? 1 : OTHER_CASE));
      match.weight += weight - (weighed.get(match) ?? 0);
      weighed.set(match, weight);
      return raise(match, 'identifier', exact ? 2 : 1);
    });
  }
  if (intent === 'symbol' && matcher.matches.size === 0)
    for (const name of misspelt(lastSegment(text), reader))
      matcher.note(name, false, (match) => raise(match, 'identifier', 1));
  for (const name of compounds) matcher.note(name, false, (match, _exact, rarity) => raise(match, 'compound', rarity));
  for (const name of words) matcher.note(name, false, (match, _exact, rarity) => raise(match, 'word', rarity));
  return matcher.matches;
}

/** Raises one kind of match; true if the symbol that did it is better than the one noted before. */
type Apply = (match: NameMatch, exact: boolean, rarity: number) => boolean;

function raise(match: NameMatch, field: 'identifier' | 'compound' | 'word', value: number): boolean {
  if (value <= match[field]) return false;
  match[field] = value;
  return field !== 'word';
}

interface Namesakes {
  /** Symbols that the store marks as prominent. */
  readonly found: Place[];
  /** Fields and settings, if the query may mean one. */
  readonly others: Place[];
  /** How many files define the name. */
  readonly files: number;
}

class NameMatcher {
  readonly matches = new Map<number, NameMatch>();
  private readonly segments: readonly string[];

  constructor(
    private readonly understood: Understood,
    private readonly reader: StoreReader,
    private readonly view: TreeView,
    private readonly masks: Masks,
  ) {
    this.segments = understood.intent === 'symbol' ? segmentsOf(understood.text) : [];
  }

  /**
   * Only identifiers are told apart by case and by what they are (`byCase`); for words, no content needs to be opened.
   */
  note(name: string, byCase: boolean, apply: Apply): void {
    const key = nameKey(name) || name;
    const scopes = this.segments.slice(0, this.segments.findLastIndex((segment) => nameKey(segment) === key) + 1);
    const namesakes = this.collect(key, scopes, byCase && isSetting(name, this.understood));
    if (!namesakes) return;
    const { found, files } = namesakes;
    const settings = this.settingsOf(name, namesakes, byCase);
    found.push(...settings);
    const named = byCase ? found.filter((place) => this.isExact(place, name)) : [];
    const exactOnes = scopes.length > 1 ? this.inScopes(named, scopes) : named;
    const definitions = someOf(exactOnes, (place) => !isPrototype(this.symbolOf(place)));
    const exact = new Set(someOf(definitions, (place) => this.isProduct(place)));
    if (byCase && exactOnes.length === 0) this.noteImporters(name, key, apply);
    if (this.understood.intent === 'symbol')
      for (const [file] of settings) this.matchOf(file).word = 1 / Math.sqrt(settings.length);
    // Of equal names in a file, the one inside another function ranks second.
    const isLocal = (place: Place) => this.isLocal(place);
    const inOrder = byCase ? [...found.filter((place) => !isLocal(place)), ...found.filter(isLocal)] : found;
    for (const place of inOrder) {
      const [file, ordinal] = place;
      const match = this.matchOf(file);
      if (apply(match, exact.has(place), 1 / Math.sqrt(files)) || match.symbol < 0) match.symbol = ordinal;
    }
  }

  /** Null if so many files define the name that it says nothing about any of them. */
  private collect(key: string, scopes: readonly string[], withOthers: boolean): Namesakes | null {
    const { view, masks } = this;
    const { docs, values } = this.reader.postings('symbol', key);
    const found: Place[] = [];
    const others: Place[] = [];
    let files = 0;
    let last = -1;
    for (let i = 0; i < docs.length; i++) {
      const file = view.fileOfSymbol[docs[i]!] ?? -1;
      if (file < 0 || (masks.files && masks.files[file] === 0)) continue;
      // A file's symbols follow each other.
      if (file !== last) files++;
      if (files > MAX_DEFINERS && scopes.length === 0) return null;
      last = file;
      const places = values[i] === PROMINENT ? found : withOthers ? others : null;
      places?.push([file, docs[i]! - view.firstSymbolOf[file]!]);
    }
    if (files <= MAX_DEFINERS) return { found, others, files };
    // So many can only be told apart by where the type before the name is; without one, a type or function of the
    // product is meant, not the many fields and tests that are called so.
    const isBeside = scopes.length > 1 ? besideOwner(scopes.at(-2)!, this.reader, view) : null;
    const likely = found.filter((place) => (isBeside ? isBeside(place[0]) : this.isProduct(place)));
    if (likely.length > MAX_DEFINERS) return null;
    return { found: likely, others: isBeside ? others.filter(([file]) => isBeside(file)) : [], files };
  }

  /**
   * A setting or a field is meant where nothing else is called so: DOWNLOAD_DELAY is no method download_delay. A test
   * sets the field of that name; it does not define it.
   */
  private settingsOf(name: string, { found, others }: Namesakes, byCase: boolean): readonly Place[] {
    const isProduct = (place: Place) => this.isProduct(place);
    const fields = someOf(others, isProduct);
    if (fields.length > MAX_SETTINGS) return [];
    const isRival = (place: Place) => this.isExact(place, name) && (isProduct(place) || !fields.some(isProduct));
    if (byCase && found.some(isRival)) return [];
    return fields.filter((place) => this.isExact(place, name));
  }

  /** The namesakes that stand in the scopes named before the name; all of them if none does. */
  private inScopes(namesakes: readonly Place[], scopes: readonly string[]): readonly Place[] {
    const shares = namesakes.map((place) => {
      const { path } = this.view.files[place[0]]!;
      const { package: packageName } = this.reader.detail(this.view.contentOf[place[0]]!);
      return qualifiedShare({ qualifiedName: this.symbolOf(place).qualifiedName, path, package: packageName }, scopes);
    });
    const best = Math.max(...shares);
    return best < ALL_AROUND ? namesakes : namesakes.filter((_, i) => shares[i] === best);
  }

  private noteImporters(name: string, key: string, apply: Apply): void {
    const files = passingOn(name, key, this.reader, this.view, this.masks);
    for (const file of files) {
      const match = this.matchOf(file);
      apply(match, true, 1);
      // Its name is a word of the question, too, as that of a definition would be.
      match.word = Math.max(match.word, 1 / Math.sqrt(files.length));
    }
  }

  private matchOf(file: number): NameMatch {
    const match = this.matches.get(file) ?? { identifier: 0, compound: 0, word: 0, weight: 0, symbol: -1 };
    this.matches.set(file, match);
    return match;
  }

  private symbolOf([file, ordinal]: Place): SymbolRecord {
    return this.reader.detail(this.view.contentOf[file]!).symbol(ordinal)!;
  }

  private isExact(place: Place, name: string): boolean {
    return this.symbolOf(place).name === name;
  }

  private isProduct([file]: Place): boolean {
    return (this.view.files[file]!.flags & (FileFlag.Test | FileFlag.Example)) === 0;
  }

  private isLocal(place: Place): boolean {
    const { parent } = this.symbolOf(place);
    return parent >= 0 && isCallable(this.symbolOf([place[0], parent]));
  }
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

/** A name without a definition here comes from a package: the entry file that re-exports it is shown. */
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

/** The items that pass the test; all of them where none does. */
function someOf(places: readonly Place[], are: (place: Place) => boolean): readonly Place[] {
  const some = places.filter(are);
  return some.length > 0 ? some : places;
}

/** A function that is only announced, as headers do: where it is defined too, that is the place. */
function isPrototype({ kind, signature }: SymbolRecord): boolean {
  return kind === 'function' && signature.endsWith(';');
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
 * How many other files call a file by its name, in imports, calls and types, for each candidate: 0..1 on a logarithmic
 * scale of the tree's size. Counted once per tree and file, in the order of names: neighbours are read together.
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
