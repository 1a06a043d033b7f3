/**
 * Matches names in the query with symbols of the tree, and counts how many other files mention a file by its name.
 */

import { nameRulesOf } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import type { SymbolRecord } from '../../model/records/symbol.ts';
import { editDistance } from '../../model/text/edit-distance.ts';
import { folderOf } from '../../model/text/path-text.ts';
import { nameKey } from '../../model/text/terms.ts';
import { IMPORT_MARK, PROMINENT, type StoreReader, type TreeView } from '../../store/store.ts';
import { allowedEdits } from '../locate/near-names.ts';
import { ALL_QUALIFIERS, qualifiedShare } from '../locate/qualified-share.ts';
import { lastSegment, segmentsOf } from '../query/name-segments.ts';
import { isIdentifierLike } from '../query/query-terms.ts';
import type { Masks } from '../query/search-filter.ts';
import type { Understood } from '../query/understand-query.ts';
import { contentsReferring } from './tree-corpus.ts';
import { treeStats } from './tree-stats.ts';

export interface NameMatch {
  /** The file defines an identifier of the query: 2 in the same case, 1 in another case, 0 not at all. */
  identifier: number;
  /** The file defines a type or function named like two or three neighbouring words; rarer names count more. */
  compound: number;
  /** The file defines a type, function or module named like one word; rarer names count more. */
  word: number;
  /** Weight of the report's names that the file defines, rarer names counting more. */
  weight: number;
  /** Ordinal of the best matching symbol, whose definition is shown; -1 for none. */
  symbol: number;
}

/**
 * Whether a name may mean a field or setting. In a sentence, plain words and HTTP or JSON are names of some field too,
 * but the query does not mean those.
 */
function isSetting(name: string, { intent }: Understood): boolean {
  return intent === 'symbol' ? isIdentifierLike(name) : /\w_\w/.test(name);
}

/** Whether the query identifies a symbol of the file by more than one plain word, so that its definition is shown. */
export function meansSymbol(match: NameMatch | undefined): match is NameMatch {
  return match !== undefined && match.symbol >= 0 && (match.identifier > 0 || match.compound > 0);
}

/** Weight of a report's name that matches in another case. */
const OTHER_CASE_WEIGHT = 0.3;
/** A name that more files define identifies none of them. */
const MAX_DEFINING_FILES = 60;
/** A name with more definitions is not a setting; telling would mean to read each of them. */
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
    const reportWeight = report?.names.get(name) ?? 0;
    const counted = new Map<NameMatch, number>();
    matcher.note(name, true, (match, exact, rarity) => {
      // Several definitions of a name in one file count once.
      const weight = Math.max(counted.get(match) ?? 0, reportWeight * rarity * (exact ? 1 : OTHER_CASE_WEIGHT));
      match.weight += weight - (counted.get(match) ?? 0);
      counted.set(match, weight);
      return raise(match, 'identifier', exact ? 2 : 1);
    });
  }
  if (intent === 'symbol' && matcher.matches.size === 0)
    for (const name of namesNear(lastSegment(text), reader))
      matcher.note(name, false, (match) => raise(match, 'identifier', 1));
  for (const name of compounds) matcher.note(name, false, (match, _exact, rarity) => raise(match, 'compound', rarity));
  for (const name of words) matcher.note(name, false, (match, _exact, rarity) => raise(match, 'word', rarity));
  return matcher.matches;
}

/** Raises a match; true if its symbol now identifies the file better than the one noted before. */
type Apply = (match: NameMatch, exact: boolean, rarity: number) => boolean;

function raise(match: NameMatch, field: 'identifier' | 'compound' | 'word', value: number): boolean {
  if (value <= match[field]) return false;
  match[field] = value;
  return field !== 'word';
}

/** The symbols of one name. */
interface Namesakes {
  /** Symbols that the store marks as prominent. */
  readonly prominent: Place[];
  /** Fields and settings, if the query may mean one. */
  readonly others: Place[];
  /** Number of files that define the name. */
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
   * Notes the symbols of a name. `byCase`: distinguishes them by case and kind, which reads contents; used for
   * identifiers, not for words.
   */
  note(name: string, byCase: boolean, apply: Apply): void {
    const key = nameKey(name) || name;
    const scopes = this.segments.slice(0, this.segments.findLastIndex((segment) => nameKey(segment) === key) + 1);
    const namesakes = this.collect(key, scopes, byCase && isSetting(name, this.understood));
    if (!namesakes) return;
    const { prominent: found, files } = namesakes;
    const settings = this.settingsOf(name, namesakes, byCase);
    found.push(...settings);
    const named = byCase ? found.filter((place) => this.isExact(place, name)) : [];
    const exactOnes = scopes.length > 1 ? this.inScopes(named, scopes) : named;
    const definitions = filterUnlessEmpty(exactOnes, (place) => !isPrototype(this.symbolOf(place)));
    const exact = new Set(filterUnlessEmpty(definitions, (place) => this.isProduct(place)));
    if (byCase && exactOnes.length === 0) this.noteReexports(name, key, apply);
    if (this.understood.intent === 'symbol')
      for (const [file] of settings) this.matchOf(file).word = 1 / Math.sqrt(settings.length);
    // Among equal names in a file, a symbol inside another function comes last.
    const isLocal = (place: Place) => this.isLocal(place);
    const inOrder = byCase ? [...found.filter((place) => !isLocal(place)), ...found.filter(isLocal)] : found;
    for (const place of inOrder) {
      const [file, ordinal] = place;
      const match = this.matchOf(file);
      if (apply(match, exact.has(place), 1 / Math.sqrt(files)) || match.symbol < 0) match.symbol = ordinal;
    }
  }

  /** Null if too many files define the name for it to identify one of them. */
  private collect(key: string, scopes: readonly string[], withOthers: boolean): Namesakes | null {
    const { view, masks } = this;
    const { docs, values } = this.reader.postings('symbol', key);
    const prominent: Place[] = [];
    const others: Place[] = [];
    let files = 0;
    let last = -1;
    for (let i = 0; i < docs.length; i++) {
      const file = view.fileOfSymbol[docs[i]!] ?? -1;
      if (file < 0 || (masks.files && masks.files[file] === 0)) continue;
      // A file's symbols have consecutive ids.
      if (file !== last) files++;
      if (files > MAX_DEFINING_FILES && scopes.length === 0) return null;
      last = file;
      const places = values[i] === PROMINENT ? prominent : withOthers ? others : null;
      places?.push([file, docs[i]! - view.firstSymbolOf[file]!]);
    }
    if (files <= MAX_DEFINING_FILES) return { prominent, others, files };
    // Only the location of the type before the name distinguishes so many. Without such a type, the query means a type
    // or function of the product, not one of many fields and tests with that name.
    const isBeside = scopes.length > 1 ? besideOwner(scopes.at(-2)!, this.reader, view) : null;
    const likely = prominent.filter((place) => (isBeside ? isBeside(place[0]) : this.isProduct(place)));
    if (likely.length > MAX_DEFINING_FILES) return null;
    return { prominent: likely, others: isBeside ? others.filter(([file]) => isBeside(file)) : [], files };
  }

  /**
   * The fields and settings of a name that nothing else has in the same case: DOWNLOAD_DELAY does not mean a method
   * download_delay. Fields of tests count only if no other file has one: a test sets a setting, it does not define it.
   */
  private settingsOf(name: string, { prominent, others }: Namesakes, byCase: boolean): readonly Place[] {
    const isProduct = (place: Place) => this.isProduct(place);
    const fields = filterUnlessEmpty(others, isProduct);
    if (fields.length > MAX_SETTINGS) return [];
    const isRival = (place: Place) => this.isExact(place, name) && (isProduct(place) || !fields.some(isProduct));
    if (byCase && prominent.some(isRival)) return [];
    return fields.filter((place) => this.isExact(place, name));
  }

  /** The namesakes inside the scopes that the query names before the name; all of them if none is. */
  private inScopes(namesakes: readonly Place[], scopes: readonly string[]): readonly Place[] {
    const shares = namesakes.map((place) => {
      const { path } = this.view.files[place[0]]!;
      const { package: packageName } = this.reader.detail(this.view.contentOf[place[0]]!);
      return qualifiedShare({ qualifiedName: this.symbolOf(place).qualifiedName, path, package: packageName }, scopes);
    });
    const best = Math.max(...shares);
    return best < ALL_QUALIFIERS ? namesakes : namesakes.filter((_, i) => shares[i] === best);
  }

  private noteReexports(name: string, key: string, apply: Apply): void {
    const files = findReexports(name, key, this.reader, this.view, this.masks);
    for (const file of files) {
      const match = this.matchOf(file);
      apply(match, true, 1);
      // A re-exported name counts as a word of the question too, as a defined one does.
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

/** Defined names within an edit or two of a name that nothing defines, with the same first two letters. */
function namesNear(name: string, reader: StoreReader): string[] {
  const key = nameKey(name);
  const allowed = allowedEdits(key);
  if (allowed === 0) return [];
  const near = reader
    .termsWithPrefix('symbol', key.slice(0, 2))
    .map((term) => ({ term, distance: editDistance(term, key, allowed) }))
    .filter(({ distance }) => distance <= allowed);
  const nearest = Math.min(...near.map(({ distance }) => distance));
  return near.filter(({ distance }) => distance === nearest).map(({ term }) => term);
}

/** Entry files that re-export a name from a dependency: the tree itself does not define it. */
function findReexports(name: string, key: string, reader: StoreReader, view: TreeView, masks: Masks): number[] {
  const files: number[] = [];
  for (const row of reader.postings('reference', IMPORT_MARK + key).docs)
    for (const file of view.filesOfContent(row))
      if ((view.files[file]!.flags & FileFlag.Barrel) !== 0 && !(masks.files && masks.files[file] === 0))
        files.push(file);
  if (files.length > MAX_DEFINING_FILES) return [];
  return files.filter((file) => {
    const row = view.contentOf[file]!;
    const { imports, language } = reader.detail(row);
    const found = imports.find(({ names }) => names.some(({ local }) => local === name));
    return (
      found && (nameRulesOf(language).importsAreExports || REEXPORT.test(reader.lines(row, found.line, found.line)))
    );
  });
}

const REEXPORT = /^\s*(?:pub|export)\b/;

type Place = readonly [file: number, ordinal: number];

function isCallable({ kind }: SymbolRecord): boolean {
  return kind === 'function' || kind === 'method' || kind === 'macro';
}

/** The places that pass the test; all of them if none does. */
function filterUnlessEmpty(places: readonly Place[], test: (place: Place) => boolean): readonly Place[] {
  const passing = places.filter(test);
  return passing.length > 0 ? passing : places;
}

/** A declaration without a body, as in a C header; the definition is preferred. */
function isPrototype({ kind, signature }: SymbolRecord): boolean {
  return kind === 'function' && signature.endsWith(';');
}

/** Returns a test for files in the folders that define the type: its members are in these folders. */
function besideOwner(owner: string, reader: StoreReader, view: TreeView): (file: number) => boolean {
  const folders = new Set<string>();
  for (const id of reader.postings('symbol', nameKey(owner)).docs) {
    const file = view.fileOfSymbol[id] ?? -1;
    if (file >= 0) folders.add(folderOf(view.files[file]!.path));
  }
  return (file) => folders.has(folderOf(view.files[file]!.path));
}

const mentionsCache = new WeakMap<TreeView, Float32Array>();

/**
 * Counts how many other files mention each given file by name, in imports, calls and types. Returns a column by file:
 * 0..1 on a logarithmic scale of the tree's size, -1 for files not counted yet. Each file is counted once per tree, in
 * the order of names, because the store holds neighbouring names together.
 */
export function countMentions(reader: StoreReader, view: TreeView, files: readonly number[]): Float32Array {
  const counts = mentionsCache.get(view) ?? new Float32Array(view.files.length).fill(-1);
  mentionsCache.set(view, counts);
  const { keys } = treeStats(view);
  const missing = files.filter((file) => counts[file]! < 0).sort((a, b) => (keys[a]! < keys[b]! ? -1 : 1));
  for (const file of missing) counts[file] = mentionShare(reader, view, file);
  return counts;
}

function mentionShare(reader: StoreReader, view: TreeView, file: number): number {
  const { keys, counts } = treeStats(view);
  const key = keys[file]!;
  if (key.length < 2) return 0;
  const count = contentsReferring(reader, view, IMPORT_MARK + key) + contentsReferring(reader, view, key);
  return Math.log2(1 + count) / Math.log2(2 + 2 * counts.files);
}
