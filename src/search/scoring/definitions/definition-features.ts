/**
 * Named features of the definitions in the best files: they tell which function, type or value of a file answers. Chunk
 * scores are divided by the highest of all definitions, so that weights mean the same for every question.
 */

import { FileFlag } from '../../../model/records/source-file.ts';
import { CONTAINER_KINDS, isTestModule, type SymbolKind, type SymbolRecord } from '../../../model/records/symbol.ts';
import { identifierTerms, nameKey } from '../../../model/text/terms.ts';
import type { StoredDetail, StoreReader, TreeView } from '../../../store/store.ts';
import type { IndexedTree } from '../../indexed-tree.ts';
import type { QueryNames } from '../../query/query-names.ts';
import { frameOf, linkedLines, nameInReport, type Report } from '../../report/report-features.ts';
import type { WordShare } from '../score-files.ts';
import { contentsReferring } from '../tree-corpus.ts';
import { treeStats } from '../tree-stats.ts';
import { COLUMN, DEFINITION_WIDTH } from './definition-columns.ts';
import { coverage, shareOfTitle } from './definition-texts.ts';

/**
 * Columns of Evidence.lanes: a chunk's BM25 over all fields and by field, the share of the question that it contains,
 * and its similarity to the question.
 */
export const WORDS = 0;
export const BODY = 1;
export const NAMES = 2;
export const DOCS = 3;
export const COVERED = 4;
export const VECTOR = 5;
export const LANES = 6;

export interface Evidence {
  /** LANES numbers per chunk. */
  readonly lanes: Float32Array;
  /** The highest value of each lane, as divisors. */
  readonly peaks: Float32Array;
  /** By file, the highest word score and similarity of its definitions. */
  readonly maxWordsOf: ReadonlyMap<number, number>;
  readonly maxSimilarityOf: ReadonlyMap<number, number>;
}

export interface Definition {
  readonly file: number;
  /** Ordinal of the symbol in its file; -1 for a chunk without symbols. */
  readonly symbol: number;
  /** Ordinal of the symbol's chunk that matches best. */
  readonly chunk: number;
  /** Offset of that chunk in Evidence.lanes. */
  readonly at: number;
}

const CALLABLE: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'macro']);
const VALUES: ReadonlySet<SymbolKind> = new Set(['constant', 'variable', 'field', 'property']);
const CONSTRUCTORS: ReadonlySet<string> = new Set([
  '__init__',
  'constructor',
  'init',
  'initialize',
  '__construct',
  'new',
]);
const TEST_NAME = /^(?:test|Test|it_|should_|bench)|(?:Test|_test|Tests|Spec)$/;
export interface DefinitionContext {
  readonly view: TreeView;
  readonly queryNames: QueryNames;
  readonly evidence: Evidence;
  /** Reads lines of a file. A definition that shares a chunk is judged by its own lines, not by its neighbours'. */
  readonly linesOf: (file: number, startLine: number, endLine: number) => string;
  /** Set for a pasted issue. */
  readonly report?: Report;
}

/**
 * One row of DEFINITION_WIDTH numbers per definition, with the cheap features. addTexts reads the texts of likely
 * definitions, addUses counts the uses of still fewer.
 */
export function definitionRows(
  definitions: readonly Definition[],
  detailOf: (file: number) => StoredDetail,
  context: DefinitionContext,
): Float32Array {
  const rows = new Float32Array(definitions.length * DEFINITION_WIDTH);
  const hits: (readonly number[])[] = [];
  let bestName = 0;
  for (let i = 0; i < definitions.length; i++) {
    const definition = definitions[i]!;
    const at = i * DEFINITION_WIDTH;
    const detail = detailOf(definition.file);
    fillEvidence(rows, at, definition, context);
    const symbol = detail.symbol(definition.symbol);
    if (!symbol) {
      rows[at + COLUMN.is_without_symbol] = 1;
      continue;
    }
    hits[i] = fillNames(rows, at, symbol, detail, context.queryNames);
    if (context.report) rows[at + COLUMN.title_in_name] = shareOfTitle(hits[i]!, context);
    if (context.report) fillReport(rows, at, symbol, detail, definition.file, context.report);
    fillTraits(rows, at, symbol, detail, {
      flags: context.view.files[definition.file]!.flags,
      symbolCount: context.view.symbolCountOf[definition.file]!,
    });
    if (rows[at + COLUMN.name_coverage]! > bestName) bestName = rows[at + COLUMN.name_coverage]!;
  }
  if (bestName > 0)
    for (let at = 0; at < rows.length; at += DEFINITION_WIDTH)
      rows[at + COLUMN.name_coverage_best] = rows[at + COLUMN.name_coverage]! / bestName;
  fillRarity(rows, COLUMN.name_rare, hits, context.queryNames.words);
  return rows;
}

/**
 * Fills a column with the share of the question that each definition contains, where a word that many of the
 * definitions contain weighs less: files about the question's subject repeat the subject's words everywhere. `hits`:
 * by row, indices of the words that the definition contains.
 */
function fillRarity(
  rows: Float32Array,
  column: number,
  hits: readonly (readonly number[] | undefined)[],
  words: readonly WordShare[],
): void {
  const definitionsWith = new Float32Array(words.length);
  let count = 1;
  for (const list of hits) {
    if (!list) continue;
    count++;
    for (const word of list) definitionsWith[word]!++;
  }
  const scale = Math.log(1 + count);
  for (let i = 0; i < hits.length; i++) {
    let sum = 0;
    for (const word of hits[i] ?? []) sum += words[word]!.share * (1 - Math.log(1 + definitionsWith[word]!) / scale);
    rows[i * DEFINITION_WIDTH + column] = sum;
  }
}

/** Fills `own_rare` of the definitions whose texts were read; `hits` as addTexts returns them. */
export function addRarity(
  rows: Float32Array,
  hits: readonly (readonly number[] | undefined)[],
  { queryNames }: DefinitionContext,
): void {
  fillRarity(rows, COLUMN.own_rare, hits, queryNames.words);
}

function fillEvidence(
  rows: Float32Array,
  at: number,
  { file, at: from }: Definition,
  { evidence: { lanes, peaks, maxWordsOf, maxSimilarityOf } }: DefinitionContext,
): void {
  const share = (lane: number) => (peaks[lane]! > 0 ? lanes[from + lane]! / peaks[lane]! : 0);
  rows[at + COLUMN.chunk_words] = share(WORDS);
  rows[at + COLUMN.chunk_body] = share(BODY);
  rows[at + COLUMN.chunk_names] = share(NAMES);
  rows[at + COLUMN.chunk_docs] = share(DOCS);
  rows[at + COLUMN.chunk_coverage] = lanes[from + COVERED]!;
  // The chunk's coverage, until addTexts reads the definition's own lines.
  rows[at + COLUMN.own_coverage] = lanes[from + COVERED]!;
  rows[at + COLUMN.chunk_vector] = share(VECTOR);
  rows[at + COLUMN.similarity] = lanes[from + VECTOR]!;
  rows[at + COLUMN.best_words_in_file] = lanes[from + WORDS]! / (maxWordsOf.get(file) ?? 1);
  rows[at + COLUMN.best_vector_in_file] = lanes[from + VECTOR]! / (maxSimilarityOf.get(file) ?? 1);
}

/** Fills the features of a symbol's name. Returns indices of the question's words in the name. */
function fillNames(
  rows: Float32Array,
  at: number,
  symbol: SymbolRecord,
  detail: StoredDetail,
  queryNames: QueryNames,
): readonly number[] {
  const { name } = symbol;
  const key = nameKey(name) || name;
  const { parts, whole } = identifierTerms(name);
  let related = 0;
  let matched = 0;
  let covered = 0;
  const hits: number[] = [];
  for (let i = 0; i < queryNames.words.length; i++) {
    const { term, forms, share, isRelated } = queryNames.words[i]!;
    if (term !== whole && !parts.includes(term) && !forms.some((form) => parts.includes(form))) continue;
    if (isRelated) related += share;
    else {
      covered += share;
      hits.push(i);
    }
    if (term !== whole) matched++;
  }
  const exact = queryNames.identifiers.has(name);
  const scope = detail.symbol(symbol.parent);
  rows[at + COLUMN.name_coverage] = covered;
  rows[at + COLUMN.name_precision] = parts.length === 0 ? 0 : Math.min(1, matched / new Set(parts).size);
  rows[at + COLUMN.name_related] = related;
  rows[at + COLUMN.scope_coverage] = scope ? coverage(scope.name, queryNames.words) : 0;
  rows[at + COLUMN.is_identifier] = exact ? 1 : 0;
  rows[at + COLUMN.is_identifier_in_other_case] = !exact && queryNames.identifierKeys.has(key) ? 1 : 0;
  rows[at + COLUMN.is_compound] = queryNames.compounds.has(key) ? 1 : 0;
  rows[at + COLUMN.is_word] = queryNames.plainWords.has(key) ? 1 : 0;
  rows[at + COLUMN.begins_with_identifier] = beginsWithIdentifier(key, queryNames.identifierKeys) ? 1 : 0;
  rows[at + COLUMN.scope_is_named] = scope && queryNames.identifiers.has(scope.name) ? 1 : 0;
  rows[at + COLUMN.is_traced] = queryNames.traced.has(name) ? 1 : 0;
  return hits;
}

function beginsWithIdentifier(key: string, identifiers: ReadonlySet<string>): boolean {
  for (const identifier of identifiers)
    if (identifier.length > 2 && key.length > identifier.length && key.startsWith(identifier)) return true;
  return false;
}

function fillTraits(
  rows: Float32Array,
  at: number,
  symbol: SymbolRecord,
  detail: StoredDetail,
  { flags, symbolCount }: { readonly flags: number; readonly symbolCount: number },
): void {
  const { name, kind, signature, startLine, endLine, doc, visibility } = symbol;
  const parent = detail.symbol(symbol.parent);
  const isCallable = CALLABLE.has(kind);
  rows[at + COLUMN.is_callable] = isCallable ? 1 : 0;
  rows[at + COLUMN.is_type] = CONTAINER_KINDS.has(kind) ? 1 : 0;
  rows[at + COLUMN.is_value] = VALUES.has(kind) ? 1 : 0;
  rows[at + COLUMN.is_local] = parent && CALLABLE.has(parent.kind) ? 1 : 0;
  rows[at + COLUMN.is_private] = visibility === 'private' ? 1 : 0;
  rows[at + COLUMN.is_documented] = doc === '' ? 0 : 1;
  rows[at + COLUMN.is_prototype] = isCallable && signature.endsWith(';') ? 1 : 0;
  rows[at + COLUMN.is_test] =
    TEST_NAME.test(name) || (flags & FileFlag.Test) !== 0 || isInTestModule(symbol, detail) ? 1 : 0;
  rows[at + COLUMN.is_constructor] = isCallable && (CONSTRUCTORS.has(name) || name === parent?.name) ? 1 : 0;
  rows[at + COLUMN.log_lines] = Math.log2(1 + endLine - startLine) / 10;
  rows[at + COLUMN.position] = startLine / Math.max(1, detail.lineCount);
  rows[at + COLUMN.file_symbols] = Math.log2(1 + symbolCount) / 10;
}

/** Rust has tests in a module beside the code that they test. */
function isInTestModule(symbol: SymbolRecord, detail: StoredDetail): boolean {
  for (let scope = detail.symbol(symbol.parent); scope; scope = detail.symbol(scope.parent))
    if (isTestModule(scope)) return true;
  return false;
}

function fillReport(
  rows: Float32Array,
  at: number,
  symbol: SymbolRecord,
  detail: StoredDetail,
  file: number,
  report: Report,
): void {
  const scope = detail.symbol(symbol.parent);
  rows[at + COLUMN.name_in_report] = nameInReport(report, symbol.name);
  rows[at + COLUMN.scope_in_report] = scope ? nameInReport(report, scope.name) : 0;
  rows[at + COLUMN.frame_in_report] = frameOf(report, file, symbol);
  rows[at + COLUMN.line_in_report] = linkedLines(report, file, symbol);
}

const usesCache = new WeakMap<TreeView, Map<string, number>>();

/** How many files use a name, 0..1 on a logarithmic scale of the tree's size; each name is counted once per tree. */
function usesOf(reader: StoreReader, view: TreeView, name: string): number {
  const cache = usesCache.get(view) ?? new Map<string, number>();
  usesCache.set(view, cache);
  const key = nameKey(name) || name;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const uses = Math.log2(1 + contentsReferring(reader, view, key)) / Math.log2(2 + treeStats(view).counts.files);
  cache.set(key, uses);
  return uses;
}

/** Fills `uses` of the given definitions. */
export function addUses(
  { reader, view }: IndexedTree,
  rows: Float32Array,
  names: readonly (readonly [index: number, name: string])[],
): void {
  for (const [index, name] of names) rows[index * DEFINITION_WIDTH + COLUMN.uses] = usesOf(reader, view, name);
}
