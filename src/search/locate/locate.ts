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
import { compareText } from '../../model/text/path-text.ts';
import { nameKey, rawParts } from '../../model/text/terms.ts';
import { type Presenter, presentChunk, presentSymbol } from '../places/present-hits.ts';
import { languagesOf, unknownKind } from '../query/search-filter.ts';
import { chunksOfHandle, placesOfHandle, type SymbolPlace } from './handles.ts';
import { allowedEdits, nearestNames } from './near-names.ts';
import { qualifiedShare } from './qualified-share.ts';
import { splitQuery, stripNotation } from './query-notation.ts';

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
  const segments = splitQuery(query, (name) => isSymbolName(presenter, name));
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
    (a, b) => b.rank - a.rank || compareText(a.symbol.path, b.symbol.path) || a.symbol.startLine - b.symbol.startLine,
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

function kindsOf(kind: string): readonly SymbolKind[] {
  const aliased = KIND_ALIASES.get(kind.toLowerCase());
  if (aliased) return aliased;
  if (SYMBOL_KINDS.includes(kind as SymbolKind)) return [kind as SymbolKind];
  return unknownKind(kind);
}
