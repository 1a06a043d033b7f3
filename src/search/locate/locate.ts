/**
 * Finds symbols by name. An exact match ranks before a prefix, a subword and a typo, and product code before tests.
 */

import { languageById } from '../../languages/registry.ts';
import { EngineError } from '../../model/records/engine-errors.ts';
import { isHandle } from '../../model/records/ids.ts';
import type { Hit, LocatedSymbol, LocateRequest, SymbolInfo } from '../../model/records/query.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { KIND_ALIASES, SYMBOL_KINDS, type SymbolKind } from '../../model/records/symbol.ts';
import { editDistance } from '../../model/text/edit-distance.ts';
import { pattern } from '../../model/text/pattern.ts';
import { nameKey, rawParts } from '../../model/text/terms.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import { type Presenter, presentChunk, presentSymbol } from '../places/present-hits.ts';
import { languagesOf, unknownKind } from '../query/search-filter.ts';
import { chunksOfHandle, placesOfHandle, type SymbolPlace } from './handles.ts';

export interface Located {
  readonly symbols: readonly LocatedSymbol[];
  /** The chunks that a handle of a result without a symbol names. */
  readonly chunks: readonly Hit[];
  readonly total: number;
  readonly nearestNames: readonly string[];
}

type MatchKind = LocatedSymbol['match'];
const MATCH_SCORE: Readonly<Record<MatchKind, number>> = {
  exact: 1,
  qualified: 1,
  prefix: 0.7,
  subword: 0.55,
  typo: 0.45,
};
/** Kinds that people mean by a bare name, most likely first. */
const KIND_ORDER: readonly SymbolKind[] = [
  'class',
  'struct',
  'interface',
  'protocol',
  'trait',
  'enum',
  'type',
  'function',
  'module',
  'method',
  'macro',
  'extension',
  'constant',
  'property',
  'variable',
  'field',
];
/** Penalty of a similar name outside the queried scope. */
const OTHER_SCOPE_PENALTY = 0.3;
/** Score of a symbol that a result showed in addition to the one that named it. */
const NEIGHBOUR_SCORE = 0.9;
const DEFAULT_LIMIT = 10;
/** The lookup of similar names ends once it found this many symbols, the highest limit that a caller may set. */
const MAX_SIMILAR_SYMBOLS = 100;
/** With this many exact matches, similar names are not looked up. A constant, so that the total ignores the limit. */
const ENOUGH_EXACT_MATCHES = 10;

function locateHandle(presenter: Presenter, handle: string, limit: number): Located {
  const places = placesOfHandle(presenter, handle);
  const symbols = places.slice(0, limit).map(({ file, ordinal }) => ({
    ...presentSymbol(presenter, file, ordinal),
    match: 'exact' as const,
    score: ordinal === places[0]!.ordinal ? 1 : NEIGHBOUR_SCORE,
  }));
  const chunks = places.length > 0 ? [] : chunksOfHandle(presenter, handle);
  return {
    symbols,
    chunks: chunks.map((place) => presentChunk(presenter, place, 1)),
    total: places.length,
    nearestNames: [],
  };
}

/** A matching symbol. `symbol` is not spread into it: its ids are hashes, computed only for shown symbols. */
export interface Match extends SymbolPlace {
  readonly symbol: SymbolInfo;
  readonly match: MatchKind;
  readonly score: number;
  readonly rank: number;
}

/** `prefer` may reorder symbols that match equally well. */
export function locateSymbols(
  presenter: Presenter,
  request: LocateRequest,
  prefer: (matches: readonly Match[]) => readonly Match[] = (matches) => matches,
): Located {
  const requestedName = request.name.trim();
  const isKnown = (name: string) => presenter.reader.postings('symbol', nameKey(name) || name).docs.length > 0;
  const query = isKnown(requestedName) ? requestedName : stripNotation(requestedName);
  if (query === '') throw new EngineError('invalid_input', { reason: 'The name is empty.' });
  if (isHandle(query)) return locateHandle(presenter, query, request.limit ?? DEFAULT_LIMIT);
  const kinds = request.exactKinds ?? (request.kind ? kindsOf(request.kind) : null);
  const languages = request.language ? languagesOf(request.language) : null;
  const segments = splitQuery(presenter, query);
  const name = segments.at(-1) ?? query;
  const key = nameKey(name) || name;
  const limit = request.limit ?? DEFAULT_LIMIT;
  const found = new Map<string, Match>();
  // Exact keys of data files are listed, but similar keys, for instance in forty translations, only if no code matches.
  let isCodeOnly = true;
  const isData = (id: string) => languageById(id)?.family === 'data';
  // Adds the symbols of a term that pass the filters, and returns their number.
  const collect = (term: string, match: MatchKind): number => {
    const before = found.size;
    for (const { ordinal, file } of symbolsNamed(presenter, term)) {
      const place = `${ordinal} ${file}`;
      if (found.has(place)) continue;
      const entry = presenter.view.files[file]!;
      if (languages && !languages.includes(entry.language)) continue;
      if (match !== 'exact' && isCodeOnly && isData(entry.language)) continue;
      if (request.folder && !entry.path.startsWith(`${request.folder}/`)) continue;
      const symbol = presentSymbol(presenter, file, ordinal);
      if (kinds && !kinds.includes(symbol.kind)) continue;
      const qualified = segments.length > 1 ? qualifiedShare(symbol, segments) : 0;
      if (segments.length > 1 && match === 'exact' && qualified === 0) {
        found.set(place, { file, ordinal, symbol, match: 'subword', score: 0.5, rank: 0.5 });
        continue;
      }
      const casePenalty = symbol.name === name ? 0 : 0.05;
      const testPenalty = (entry.flags & (FileFlag.Test | FileFlag.Example)) !== 0 ? 0.1 : 0;
      // A similar name in another scope ranks after the exact name.
      const scopePenalty = segments.length === 1 ? 0 : qualified === 0 ? OTHER_SCOPE_PENALTY : (1 - qualified) / 10;
      const score = Math.max(0.01, MATCH_SCORE[match] - casePenalty - testPenalty - scopePenalty);
      // The caller's notation decides between a class method and an instance method: `Client.push`, `Client#push`.
      const notationBonus = segments.length > 1 && symbol.qualifiedName.endsWith(query) ? 0.0005 : 0;
      const rank = score - KIND_ORDER.indexOf(symbol.kind) / 1000 + notationBonus;
      found.set(place, {
        file,
        ordinal,
        symbol,
        match: segments.length > 1 && match === 'exact' ? 'qualified' : match,
        score,
        rank,
      });
    }
    return found.size - before;
  };
  collect(key, 'exact');
  const exact = [...found.values()].filter(({ score }) => score > 0.6).length;
  const wantsSimilar = !request.exactFirst && exact < ENOUGH_EXACT_MATCHES && segments.length === 1 && key.length > 2;
  if (exact === 0 || wantsSimilar) collectSimilar(presenter, key, name, exact === 0, collect);
  if (found.size === 0) {
    isCodeOnly = false;
    collectSimilar(presenter, key, name, true, collect);
  }
  const matches = (request.exactFirst ? exactOnly([...found.values()], name) : [...found.values()]).sort(
    (a, b) => b.rank - a.rank || compare(a.symbol.path, b.symbol.path) || a.symbol.startLine - b.symbol.startLine,
  );
  return {
    symbols: prefer(matches)
      .slice(0, limit)
      .map(({ symbol, match, score }) => ({ ...symbol, match, score })),
    chunks: [],
    total: matches.length,
    nearestNames: matches.length > 0 ? [] : nearestNames(presenter, key, 5),
  };
}

/** The matches in the same case and scope; all matches if there are none. */
function exactOnly(found: readonly Match[], name: string): Match[] {
  const exact = found.filter(
    ({ symbol, match }) => symbol.name === name && (match === 'exact' || match === 'qualified'),
  );
  return exact.length > 0 ? exact : [...found];
}

/** The symbols of a name, in every file that has their content. */
function symbolsNamed({ reader, view }: Presenter, term: string): { ordinal: number; file: number }[] {
  return [...reader.postings('symbol', term).docs].flatMap((id) => {
    const first = view.fileOfSymbol[id] ?? -1;
    if (first < 0) return [];
    const ordinal = id - view.firstSymbolOf[first]!;
    return [...view.filesOfContent(view.contentOf[first]!)].map((file) => ({ ordinal, file }));
  });
}

/** Whether a symbol has exactly this name. */
function isSymbolName({ reader, view }: Presenter, name: string): boolean {
  return reader.postings('symbol', nameKey(name) || name).docs.some((id) => {
    const file = view.fileOfSymbol[id] ?? -1;
    return file >= 0 && reader.detail(view.contentOf[file]!).symbol(id - view.firstSymbolOf[file]!)?.name === name;
  });
}

/** Splits a qualified name in any notation. A `$` separates classes unless a symbol has it in its name. */
function splitQuery(presenter: Presenter, query: string): string[] {
  return query
    .split(/::|->|[.#/\\]/)
    .flatMap((segment) =>
      /\w\$\w/.test(segment) && !isSymbolName(presenter, segment) ? splitJvmName(segment) : [segment],
    )
    .filter(Boolean);
}

/** Splits the JVM name of a nested class: `Client$Builder`, `Client$1`. */
function splitJvmName(segment: string): string[] {
  return segment.split('$').filter((part) => !/^\d*$/.test(part));
}

/** Modifiers and keyword before a defined name: `struct window`, `export class Cart`, `func (c *Cart) Total`. */
const DEFINITION_HEAD = pattern()`
    ^(?:(?:public|private|protected|internal|static|final|abstract|sealed|export|default|async|pub(?:\([\w:]+\))?|open
    |override|const|unsafe|extern|typedef|data|case)\s+)*(?:class|struct|enum|union|interface|protocol|trait|type
    |typealias|record|object|module|namespace|package|function|func|fun|fn|def|defp|defmodule|macro
    |#\s*define)\s+(?=[\w$@(])
  `;

const SELF_REFERENCE = /^(?:\$?this|self|cls)(?:\.|->|::)(?=\w)/;
const DEFINED_NAME = /^[\w$@]+(?:(?:::|[.#\\])[\w$]+)*[?!]?/;

/**
 * Removes the notation of code and traces: `(*Handler).Serve`, `@Injectable()`, `Store<T>.get(key)`, `List`1`,
 * `$this->solve`, `&str`, `Job.new/2`.
 */
function stripNotation(name: string): string {
  const head = DEFINITION_HEAD.exec(name)?.[0] ?? '';
  if (head !== '') {
    const rest = name.slice(head.length).replace(/^\((?:\w+ +)?\*?(\w+)[^)]*\) +(?=\w)/, '$1.');
    return (DEFINED_NAME.exec(rest)?.[0] ?? rest).replace(SELF_REFERENCE, '');
  }
  const plain = name
    .replace(/\(\*(\w+)\)/g, '$1')
    .replace(/\([^()]*\)$/, '')
    .replace(/(?<=[\w?!])\/\d{1,2}$/, '')
    .replace(/(?<=\w)<[^<>]*>|(?<=\w)`\d+/g, '')
    .replace(/^[@&*]+(?=\w)/, '')
    .replace(SELF_REFERENCE, '');
  return plain === '' ? name : plain;
}

/** Collects symbols whose name begins with the key, contains it, or, with `typos`, is a few edits away. */
function collectSimilar(
  presenter: Presenter,
  key: string,
  name: string,
  typos: boolean,
  collect: (term: string, match: MatchKind) => number,
): void {
  // A one-letter prefix matches too many names.
  if (key.length < 2) return;
  let remaining = MAX_SIMILAR_SYMBOLS;
  for (const term of presenter.reader.termsWithPrefix('symbol', key)) {
    if (remaining <= 0) break;
    if (term !== key) remaining -= collect(term, 'prefix');
  }
  const all = presenter.reader.allTerms('symbol');
  remaining = MAX_SIMILAR_SYMBOLS;
  const parts = rawParts(name).filter((part) => part.length > 2);
  for (const term of all) {
    if (remaining <= 0) break;
    if (term.length <= key.length || term.startsWith(key)) continue;
    if (term.includes(key) || (parts.length > 1 && parts.every((part) => term.includes(part)))) {
      remaining -= collect(term, 'subword');
    }
  }
  if (!typos) return;
  const allowed = allowedEdits(key);
  for (const term of all)
    if (Math.abs(term.length - key.length) <= allowed && term !== key && editDistance(term, key, allowed) <= allowed)
      collect(term, 'typo');
}

/** Allows one edit in short names, two in long ones, and none in very short ones, which would match anything. */
export function allowedEdits(key: string): number {
  return key.length < 4 ? 0 : key.length < 8 ? 1 : 2;
}

/** The symbol names nearest to a word, at most `maxDistance` edits away: suggestions for when nothing is found. */
export function nearestNames(
  { reader, view }: IndexedTree,
  key: string,
  count: number,
  maxDistance = Math.max(2, Math.ceil(key.length / 3)),
): string[] {
  const near: { term: string; distance: number }[] = [];
  for (const term of reader.allTerms('symbol')) {
    const isContained = key.length > 2 && (term.includes(key) || (term.length > 3 && key.includes(term)));
    if (!isContained && Math.abs(term.length - key.length) > maxDistance) continue;
    const distance = isContained ? 1 : editDistance(term, key, maxDistance);
    if (distance <= maxDistance) near.push({ term, distance });
  }
  near.sort(
    (a, b) =>
      a.distance - b.distance ||
      Math.abs(a.term.length - key.length) - Math.abs(b.term.length - key.length) ||
      compare(a.term, b.term),
  );
  const names: string[] = [];
  for (const { term } of near) {
    const id = reader.postings('symbol', term).docs.find((doc) => (view.fileOfSymbol[doc] ?? -1) >= 0);
    if (id === undefined) continue;
    const file = view.fileOfSymbol[id]!;
    names.push(reader.detail(view.contentOf[file]!).symbols[id - view.firstSymbolOf[file]!]!.name);
    if (names.length === count) break;
  }
  return [...new Set(names)];
}

/** The value of qualifiedShare from which on every qualifier occurs around the symbol. */
export const ALL_QUALIFIERS = 0.7;

/**
 * How well the qualifiers before a name fit a symbol, from 0 to 1. Best are the symbol's own scopes in the same order;
 * then its innermost scope with the other qualifiers around it (module, package, folder); then all qualifiers around
 * it; then some of them.
 */
export function qualifiedShare(
  symbol: LocatedSymbol | { readonly qualifiedName: string; readonly path: string; readonly package: string },
  segments: readonly string[],
): number {
  const qualifiers = segments.slice(0, -1);
  const segmentsOfSymbol = symbol.qualifiedName.split(/::|[.#\\/]/);
  const nearest = segmentsOfSymbol.slice(0, -1).slice(-qualifiers.length);
  if (nearest.join('.') === qualifiers.join('.')) return 1;
  if (nearest.map(nameKey).join('.') === qualifiers.map(nameKey).join('.')) return 0.9;
  const around = [
    ...symbol.path.replace(/\.[^./]+$/, '').split('/'),
    ...symbol.package.split(/[./\\:]+/),
    ...segmentsOfSymbol,
  ];
  const scopes = new Set(around.map((part) => nameKey(part.replace(/-/g, ''))));
  const known = qualifiers.filter((segment) => scopes.has(nameKey(segment))).length;
  if (known < qualifiers.length) return known > 0 ? 0.5 : 0;
  const innermost = qualifiers.slice(qualifiers.length - nearest.length);
  return nearest.length > 0 && nearest.map(nameKey).join('.') === innermost.map(nameKey).join('.')
    ? 0.8
    : ALL_QUALIFIERS;
}

function kindsOf(kind: string): readonly SymbolKind[] {
  const aliased = KIND_ALIASES.get(kind.toLowerCase());
  if (aliased) return aliased;
  if (SYMBOL_KINDS.includes(kind as SymbolKind)) return [kind as SymbolKind];
  return unknownKind(kind);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
