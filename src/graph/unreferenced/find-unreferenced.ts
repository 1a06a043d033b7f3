/**
 * Finds symbols without a known reference. A symbol is listed only if the text confirms it: the name occurs nowhere
 * else in code, or every occurrence is known to mean something else. Symbols that a framework, a type outside of the
 * index or a string may call are counted separately and never listed.
 */
import { languageById, nameRulesOf } from '../../languages/registry.ts';
import { FileFlag } from '../../model/records/source-file.ts';
import { CONTAINER_KINDS, type ReferenceKind, type SymbolKind, type SymbolRecord } from '../../model/records/symbol.ts';
import { identifierTerms } from '../../model/text/terms.ts';
import type { StoreReader, TreeView } from '../../store/store.ts';
import { isOwnProgram } from '../program-files.ts';
import type { Site } from '../resolving/resolution.ts';
import type { SymbolGraph, SymbolPlace } from '../symbol-graph.ts';
import { isSame } from '../symbol-place.ts';
import { findOccurrences } from './occurrences.ts';
import { specialUse } from './special-use.ts';

/** Why a symbol without known references is counted and not listed. */
export type Reservation = 'inherited' | 'annotated' | 'named in a string' | 'named elsewhere';

export interface Unreferenced {
  readonly place: SymbolPlace;
  /** Only the symbol's own file or package can use it. */
  readonly isInternal: boolean;
  /** Places in tests that name the symbol. */
  readonly tests: number;
  /** Places with the name that are known to mean something else. */
  readonly others: number;
}

export interface UnreferencedList {
  readonly found: readonly Unreferenced[];
  readonly reserved: ReadonlyMap<Reservation, number>;
  /** Symbols that were checked. */
  readonly total: number;
}

export interface UnreferencedInput {
  readonly graph: SymbolGraph;
  readonly reader: StoreReader;
  readonly view: TreeView;
  readonly textOf: (file: number) => string;
  /** Called between files: yields to the event loop, and throws if the walk was cancelled. */
  readonly pause: () => Promise<void>;
}

const LISTED: ReadonlySet<SymbolKind> = new Set([
  ...(['function', 'method', 'macro', 'constant'] as const),
  ...(['class', 'struct', 'interface', 'protocol', 'trait', 'enum', 'type'] as const),
]);
const CALLS: ReadonlySet<ReferenceKind> = new Set(['call', 'inherit', 'conform']);
const NO_CODE = FileFlag.Documentation | FileFlag.Config;
/** A name in more chunks is certainly in use. */
const MAX_CHUNKS = 40;
const MAX_SITES = 60;
/** Selectors of style sheets are no names. */
const NAME = /^[\p{L}\p{N}_$]+[!?]?$/u;
const FILES_PER_PAUSE = 50;
/** About 20 MB. */
const MAX_TEXTS = 1_000;
const NO_REFERENCE = { kind: 'read', name: '', receiver: '', line: 1, column: 1 } as const;

export async function findUnreferenced(
  request: Omit<UnreferencedInput, 'textOf'>,
  files: readonly number[],
): Promise<UnreferencedList> {
  const input = { ...request, textOf: cachedTexts(request) };
  const found: Unreferenced[] = [];
  const reserved = new Map<Reservation, number>();
  let total = 0;
  let count = 0;
  for (const file of files) {
    if (!isListed(input.view, file)) continue;
    if (++count % FILES_PER_PAUSE === 0) await input.pause();
    const { symbols } = input.reader.detail(input.view.contentOf[file]!);
    for (let ordinal = 0; ordinal < symbols.length; ordinal++) {
      if (!LISTED.has(symbols[ordinal]!.kind) || isRepeated(symbols, ordinal)) continue;
      if (input.graph.isTest({ file, reference: { ...NO_REFERENCE, from: ordinal } })) continue;
      total++;
      const verdict = judge(input, { file, ordinal });
      if (typeof verdict === 'string') reserved.set(verdict, (reserved.get(verdict) ?? 0) + 1);
      else if (verdict) found.push(verdict);
    }
  }
  return { found, reserved, total };
}

/** Cached: texts are compressed, and one file is searched for many names. */
function cachedTexts({ reader, view }: Omit<UnreferencedInput, 'textOf'>): (file: number) => string {
  const kept = new Map<number, string>();
  return (file) => {
    const row = view.contentOf[file]!;
    const known = kept.get(row);
    if (known !== undefined) return known;
    if (kept.size >= MAX_TEXTS) kept.delete(kept.keys().next().value!);
    const text = reader.text(row);
    kept.set(row, text);
    return text;
  };
}

function isListed(view: TreeView, file: number): boolean {
  const source = view.files[file]!;
  const isCode = (source.flags & NO_CODE) === 0 && languageById(source.language)?.family === 'code';
  return isCode && isOwnProgram(source);
}

/** The symbol is a declaration without a body, or repeats a qualified name: the first definition stands for all. */
function isRepeated(symbols: readonly SymbolRecord[], ordinal: number): boolean {
  const { qualifiedName, signature } = symbols[ordinal]!;
  if (signature.endsWith(';')) return true;
  return symbols.findIndex((each) => each.qualifiedName === qualifiedName) !== ordinal;
}

/** Null if the symbol is referred to. */
function judge(input: UnreferencedInput, place: SymbolPlace): Unreferenced | Reservation | null {
  const { graph, reader } = input;
  const symbol = graph.symbol(place);
  const { parts, whole } = identifierTerms(symbol.name);
  const term = whole || (parts[0] ?? '');
  if (term === '' || !NAME.test(symbol.name)) return null;
  const chunks = reader.postings('text', term).docs;
  if (chunks.length > MAX_CHUNKS) return null;
  // Most symbols have a call, which is found without reading texts.
  const sites = graph.sites.of(place, CALLS);
  if (sites.length > MAX_SITES) return null;
  if (sites.some((site) => !graph.isTest(site) && isMeant(graph, site, place))) return null;
  const occurrences = findOccurrences(input, place, chunks);
  if (occurrences.code > 0) return null;
  const special = specialUse(input, place);
  if (special === 'entry') return null;
  if (special) return special;
  if (occurrences.strings > 0) return 'named in a string';
  // A method of an object literal may implement a method of an interface.
  const isStandIn = symbol.kind === 'method' && occurrences.others > 0;
  if (occurrences.unclear > 0 || isStandIn) return 'named elsewhere';
  const { tests, others } = occurrences;
  return { place, isInternal: isInternal(input, place), tests, others };
}

function isMeant(graph: SymbolGraph, site: Site, place: SymbolPlace): boolean {
  const isItself = site.file === place.file && site.reference.from === place.ordinal;
  return !isItself && graph.resolve(site).targets.some((target) => isSame(target, place));
}

/** Nothing outside of its file, folder or function can see the symbol. */
function isInternal({ graph, view }: UnreferencedInput, place: SymbolPlace): boolean {
  const { visibility, qualifiedName, name } = graph.symbol(place);
  if (visibility === 'public' || visibility === 'protected') return false;
  if (visibility === 'private' || isLocal(graph, place)) return true;
  // A member of an object literal is visible wherever the object is.
  return nameRulesOf(view.files[place.file]!.language).folderPrivate || qualifiedName === name;
}

/** The symbol is inside of a function. */
function isLocal(graph: SymbolGraph, place: SymbolPlace): boolean {
  const [, ...outer] = graph.around(place);
  return outer.some((each) => !CONTAINER_KINDS.has(graph.symbol(each).kind));
}
