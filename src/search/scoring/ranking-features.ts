/**
 * Named features of a candidate file. Every score is divided by the highest of the candidates, so that weights mean the
 * same for every query and repository.
 */

import { FileFlag } from '../../model/records/source-file.ts';
import { nameOf } from '../../model/text/path-text.ts';
import { pattern } from '../../model/text/pattern.ts';
import { nameKey } from '../../model/text/terms.ts';
import type { TreeView } from '../../store/store.ts';
import type { IndexedTree } from '../indexed-tree.ts';
import type { Understood } from '../query/understand-query.ts';
import type { PointedAt, ReportMatch } from '../report/match-report.ts';
import type { VerbatimMatch } from './message-match.ts';
import { countMentions, type NameMatch } from './name-match.ts';
import type { FileScores } from './score-files.ts';
import { depthOf, treeStats } from './tree-stats.ts';

export const FEATURES = [
  'best_chunk',
  'best_three',
  'body',
  'names',
  'docs',
  'overview',
  'whole_file',
  'path',
  'coverage',
  'chunk_coverage',
  'name_coverage',
  'stem_coverage',
  'defines_identifier',
  'defines_exactly',
  'defines_compound',
  'defines_word',
  'stem_is_compound',
  'stem_is_word',
  'stem_is_identifier',
  'vector',
  'vector_three',
  'similarity',
  'mentions',
  'says_question',
  'has_setting',
  'context',
  'repository_named',
  'names_in_report',
  'file_in_report',
  'frame_in_report',
  'module_in_report',
  'title_in_path',
  'log_length',
  'is_test',
  'is_example',
  'is_generated',
  'is_documentation',
  'is_barrel',
  'is_config',
  'is_legacy',
  'is_other_platform',
  'depth',
] as const;
type Feature = (typeof FEATURES)[number];
const COLUMN = Object.fromEntries(FEATURES.map((name, column) => [name, column])) as Readonly<Record<Feature, number>>;

/** Paths of superseded code that exists for old callers; a query means the current code. */
const LEGACY =
  /(?:^|[/_.-])(?:legacy|deprecat\w*|old|obsolete|compat|v1|experimental|internal_old|backport\w*)(?:[/_.-]|$)/i;

/** Paths of variants for a platform that few people work on; a query that means one names the platform. */
const PLATFORM = pattern('i')`
    (?:^|[/_.-])(?:win|win32|win64|windows|winapi|winsock|wince|msvc|cygwin|mingw|os390|zos|aix|ibmi|sunos|solaris|hpux
    |haiku|qnx|vms|wasi|plan9)(?:[/_.-]|$)
  `;

/**
 * A query for tests, not for the code that runs or reports them: "tests for the lexer", "which tests cover it", "where
 * is it tested", "lexer unit tests".
 */
const TESTS_MEANT = pattern('i')`
    ^(?:(?:find|show|list|give|see|where|which|what|are|is|there|do|we|have|me|all|any|some|an?|the|existing|unit
    |integration|regression|functional|e2e|end-to-end)\s+)*(?:tests?|specs?
    |benchmarks?)(?:\s+(?:cases?|files?|suites?))?\s+(?:for|of|that|which|on|around|cover\w*|check\w*|exercis\w*
    |verif\w*)\b|^(?:how|where|is|are)\b.*\btested\b
    |\b(?:(?:unit|integration|regression|functional|e2e|end-to-end)\s+tests|benchmarks)\W*$
  `;

/** Queries that name examples or documents: these files are not ranked lower then. */
const EXAMPLES_MEANT = /\b(?:examples?|samples?|demos?|tutorials?|usage)\b/i;
const DOCUMENTS_MEANT =
  /\b(?:docs?|documentation|guides?|manuals?|handbook|tutorials?|readme|changelog|release\s+notes|licen[cs]e|faq)\b/i;

/**
 * In a query for tests, the penalty of tests applies to all other files instead. It is doubled, because the tested
 * file, which defines the names in the query, would win otherwise.
 */
const NON_TEST_PENALTY = 2;

/** Serializer.Json.cs has the stem of Serializer.cs, but is only a part of it. */
const PART_OF_STEM = 0.75;

function stemWeight(view: TreeView, file: number): number {
  const name = nameOf(view.files[file]!.path);
  return name.indexOf('.', 1) === name.lastIndexOf('.') ? 1 : PART_OF_STEM;
}

export interface FeatureInput {
  readonly view: TreeView;
  readonly scores: FileScores;
  readonly understood: Understood;
  readonly candidates: readonly number[];
  readonly names: ReadonlyMap<number, NameMatch>;
}

/** One row of FEATURES.length numbers per candidate. `mentions` stays 0: counting takes many lookups (addMentions). */
export function buildFeatures({ view, scores, understood, candidates, names }: FeatureInput): Float32Array {
  const stats = treeStats(view);
  const width = FEATURES.length;
  const rows = new Float32Array(candidates.length * width);
  const staticFeatures = staticFeaturesOf(view);
  const maxOf = (values: Float32Array): number => {
    let max = 0;
    for (const file of candidates) if (values[file]! > max) max = values[file]!;
    return max || 1;
  };
  const threeOf = (file: number) => scores.best[file]! + scores.second[file]! + scores.third[file]!;
  let maxThree = 0;
  for (const file of candidates) maxThree = Math.max(maxThree, threeOf(file));
  const highest = {
    best: maxOf(scores.best),
    three: maxThree || 1,
    body: maxOf(scores.body),
    names: maxOf(scores.names),
    docs: maxOf(scores.docs),
    overview: maxOf(scores.overview),
    file: maxOf(scores.file),
    path: maxOf(scores.path),
    vector: maxOf(scores.vector),
  };
  const wanted = new Set(understood.identifiers.map(nameKey));
  if (understood.intent === 'symbol') wanted.add(nameKey(understood.text.replace(/\(\)$/, '')));
  const compounds = new Set(understood.compounds);
  const words = new Set(understood.words);
  const platformMeant = PLATFORM.test(understood.text.replace(/\s+/g, '/'));
  const testsMeant = TESTS_MEANT.test(understood.text);
  const examplesMeant = EXAMPLES_MEANT.test(understood.text);
  const documentsMeant = DOCUMENTS_MEANT.test(understood.text);
  for (let i = 0; i < candidates.length; i++) {
    const file = candidates[i]!;
    const stem = stats.keys[file]!;
    const match = names.get(file);
    const mean = (scores.vector[file]! + scores.vectorSecond[file]! + scores.vectorThird[file]!) / 3;
    const at = i * width;
    rows[at + COLUMN.best_chunk] = scores.best[file]! / highest.best;
    rows[at + COLUMN.best_three] = threeOf(file) / highest.three;
    rows[at + COLUMN.body] = scores.body[file]! / highest.body;
    rows[at + COLUMN.names] = scores.names[file]! / highest.names;
    rows[at + COLUMN.docs] = scores.docs[file]! / highest.docs;
    rows[at + COLUMN.overview] = scores.overview[file]! / highest.overview;
    rows[at + COLUMN.whole_file] = scores.file[file]! / highest.file;
    rows[at + COLUMN.path] = scores.path[file]! / highest.path;
    rows[at + COLUMN.coverage] = scores.coverage[file]!;
    rows[at + COLUMN.chunk_coverage] = scores.chunkCoverage[file]!;
    rows[at + COLUMN.name_coverage] = scores.nameCoverage[file]!;
    rows[at + COLUMN.stem_coverage] = Math.min(1, scores.stemCoverage[file]!);
    rows[at + COLUMN.defines_identifier] = (match?.identifier ?? 0) > 0 ? 1 : 0;
    rows[at + COLUMN.defines_exactly] = match?.identifier === 2 ? 1 : 0;
    rows[at + COLUMN.defines_compound] = match?.compound ?? 0;
    rows[at + COLUMN.defines_word] = match?.word ?? 0;
    rows[at + COLUMN.stem_is_compound] = compounds.has(stem) ? stemWeight(view, file) : 0;
    rows[at + COLUMN.stem_is_word] = words.has(stem) ? stemWeight(view, file) : 0;
    rows[at + COLUMN.stem_is_identifier] = wanted.has(stem) ? stemWeight(view, file) : 0;
    rows[at + COLUMN.vector] = scores.vector[file]! / highest.vector;
    rows[at + COLUMN.vector_three] = mean / highest.vector;
    rows[at + COLUMN.similarity] = scores.vector[file]!;
    copyStaticFeatures(staticFeatures, view, file, rows, at);
    if (platformMeant) rows[at + COLUMN.is_other_platform] = 0;
    if (examplesMeant) rows[at + COLUMN.is_example] = 0;
    if (documentsMeant) rows[at + COLUMN.is_documentation] = 0;
    if (testsMeant) rows[at + COLUMN.is_test] = rows[at + COLUMN.is_test] === 0 ? NON_TEST_PENALTY : 0;
  }
  return rows;
}

/** The features from this column on are static: they do not depend on the query. */
const FIRST_STATIC = COLUMN.log_length;
const STATIC_COUNT = FEATURES.length - FIRST_STATIC;
const staticCache = new WeakMap<TreeView, Float32Array>();

/** STATIC_COUNT numbers per file; NaN until the file is first a candidate. */
function staticFeaturesOf(view: TreeView): Float32Array {
  const features = staticCache.get(view) ?? new Float32Array(view.files.length * STATIC_COUNT).fill(Number.NaN);
  staticCache.set(view, features);
  return features;
}

function copyStaticFeatures(
  features: Float32Array,
  view: TreeView,
  file: number,
  rows: Float32Array,
  to: number,
): void {
  const from = file * STATIC_COUNT;
  if (Number.isNaN(features[from])) computeStaticFeatures(features, from - FIRST_STATIC, view, file);
  for (let i = 0; i < STATIC_COUNT; i++) rows[to + FIRST_STATIC + i] = features[from + i]!;
}

function computeStaticFeatures(features: Float32Array, at: number, view: TreeView, file: number): void {
  const { path, flags } = view.files[file]!;
  const { fileLength, medianDepth } = treeStats(view);
  const flag = (bit: number) => ((flags & bit) !== 0 ? 1 : 0);
  features[at + COLUMN.log_length] = Math.log2(1 + fileLength[file]!) / 16;
  features[at + COLUMN.is_test] = flag(FileFlag.Test);
  features[at + COLUMN.is_example] = flag(FileFlag.Example);
  features[at + COLUMN.is_generated] = flag(FileFlag.Generated | FileFlag.Vendored);
  features[at + COLUMN.is_documentation] = flag(FileFlag.Documentation);
  features[at + COLUMN.is_barrel] = flag(FileFlag.Barrel);
  features[at + COLUMN.is_config] = flag(FileFlag.Config);
  features[at + COLUMN.is_legacy] = LEGACY.test(path) ? 1 : 0;
  features[at + COLUMN.is_other_platform] = PLATFORM.test(path) ? 1 : 0;
  features[at + COLUMN.depth] = Math.max(-1, Math.min(1, (depthOf(path) - medianDepth) / 4));
}

/** Fills `says_question` or, for a setting, flag or route of the query, `has_setting` of the matching candidates. */
export function addVerbatimMatches(
  rows: Float32Array,
  verbatimMatches: ReadonlyMap<number, VerbatimMatch>,
  isSetting: (i: number) => boolean,
): void {
  for (const [i, { share }] of verbatimMatches)
    rows[i * FEATURES.length + (isSetting(i) ? COLUMN.has_setting : COLUMN.says_question)] = share ** 2;
}

/** Fills `repository_named` of the files whose repository the question names. */
export function addNamedRepositories(rows: Float32Array, isNamed: (i: number) => boolean): void {
  for (let i = 0; i * FEATURES.length < rows.length; i++)
    if (isNamed(i)) rows[i * FEATURES.length + COLUMN.repository_named] = 1;
}

/** Fills the features of a pasted issue: files that it names by path, trace frame, module or a name they define. */
export function addReport(
  rows: Float32Array,
  candidates: readonly number[],
  { frames, files, modules, titles }: ReportMatch,
  names: ReadonlyMap<number, NameMatch>,
): void {
  const maxStrength = (places: readonly PointedAt[] = []) => Math.max(0, ...places.map(({ strength }) => strength));
  candidates.forEach((file, i) => {
    const at = i * FEATURES.length;
    rows[at + COLUMN.names_in_report] = 1 - Math.exp(-(names.get(file)?.weight ?? 0));
    rows[at + COLUMN.file_in_report] = maxStrength(files.get(file));
    rows[at + COLUMN.frame_in_report] = maxStrength(frames.get(file));
    rows[at + COLUMN.module_in_report] = modules.get(file) ?? 0;
    rows[at + COLUMN.title_in_path] = titles.get(file) ?? 0;
  });
}

/** Fills `context` of all rows: how relevant each file is to the current work, 0..1. */
export function addContext(rows: Float32Array, of: (i: number) => number): void {
  for (let i = 0; i * FEATURES.length < rows.length; i++) rows[i * FEATURES.length + COLUMN.context] = of(i);
}

/** Fills `mentions` of the given candidates; `wanted` has their indices. */
export function addMentions(
  { reader, view }: IndexedTree,
  rows: Float32Array,
  candidates: readonly number[],
  wanted: readonly number[],
): void {
  const files = wanted.map((i) => candidates[i]!);
  const counted = countMentions(reader, view, files);
  wanted.forEach((i, n) => {
    rows[i * FEATURES.length + COLUMN.mentions] = counted[files[n]!]!;
  });
}
